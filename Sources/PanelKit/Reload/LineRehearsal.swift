import CycleCore
import HardwareDrivers
import HardwareLinux

/// The lines that a panel will request: it is started on simulated hardware to find out.
struct LineRehearsal {
  /// For each chip the requests of devices, the panel's own chip first. Each request has its lines, an output with its first value.
  let requests: [[[LineConfiguration]]]

  /// - Parameters:
  ///   - panel: what is started.
  ///   - continuation: what it goes on with.
  ///   - chance: what the numbers that are drawn depend on.
  ///   - platform: the simulated hardware; it keeps no reference to the panel.
  /// - Throws: why it can't be started on any hardware.
  init(
    of panel: PanelDefinition, continuing continuation: PanelContinuation, chance: UInt64, on platform: Platform
  ) throws(DriverError) {
    let own = platform.hardware(at: PanelSession.port(of: panel))
    let chips = PanelChips(of: panel, own: own, on: platform, keepsLines: true)
    let application = PanelApplication(
      panel, on: platform, chips: chips, card: platform.hardware(at: SoundCardPort()),
      sounds: PanelSound.silent(panel.sounds), chance: chance, continuing: continuation)
    try platform.bench.run(application.cycle)
    requests = chips.keepers.map { $0?.requests ?? [] }
    platform.bench.stop()
  }
}
