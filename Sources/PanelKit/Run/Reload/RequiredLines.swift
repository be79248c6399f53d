import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelLanguage

/// The lines that a panel will request. They are found by starting the panel on simulated hardware.
struct RequiredLines {
  /// The requests of devices on each chip, the panel's own chip first. A request has its lines, and for outputs their
  /// first values.
  let requests: [[[LineConfiguration]]]

  /// - Parameters:
  ///   - panel: the panel to start.
  ///   - continuation: the state from which it continues.
  ///   - chance: the seed of its random numbers.
  ///   - platform: the simulated hardware; it keeps no reference to the panel.
  /// - Throws: the reason why the panel can't start on any hardware.
  init(
    of panel: PanelDefinition, continuing continuation: PanelContinuation, chance: UInt64, on platform: Platform
  ) throws(DriverError) {
    let own = platform.hardware(at: GPIOChipPort(of: panel))
    let chips = PanelChips(of: panel, own: own, on: platform, keepsLines: true)
    // A device on a simulated bus is there when its world is.
    let worlds = SimulatedChips(of: panel, on: platform)
    let outputs = panel.outputs.map { output in
      output.device.driven.world(on: worlds?[panel.chip(of: output.device)], platform)
    }
    let world = PanelWorld(of: panel, on: platform, chips: worlds, card: nil, outputs: outputs)
    defer { withExtendedLifetime(world) {} }
    let application = PanelApplication(
      panel, on: platform, chips: chips, card: platform.hardware(at: SoundCardPort()),
      sounds: PanelSound.silent(panel.sounds), chance: chance, continuing: continuation)
    try platform.bench.run(application.cycle)
    requests = chips.handovers.map { $0?.requests ?? [] }
    platform.bench.stop()
  }
}
