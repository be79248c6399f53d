import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelEngine
import PanelKinds
import PanelLanguage

/// Puts the outputs of a panel into their safe state; requests no inputs and opens no sound device.
package struct SafeStateSetter {
  private let panel: PanelDefinition

  package init(of panel: PanelDefinition) {
    self.panel = panel
  }

  /// Puts the outputs into their safe state on the hardware of a platform, real or simulated.
  ///
  /// - Returns: an error for each output that could not be made safe.
  package func show(on platform: Platform) -> [DriverError] {
    let chips = SimulatedChips(of: panel, on: platform)
    // A simulated bus has no devices until they are added.
    for output in panel.outputs {
      _ = output.device.driven.world(on: chips?[panel.chip(of: output.device)], platform)
    }
    let own = platform.hardware(at: GPIOChipPort(of: panel))
    return show(on: PanelChips(of: panel, own: own, on: platform), platform)
  }

  /// Requests each output's lines at their safe values and releases them, one output after the other. If a chip is
  /// itself wired to lines, the lines of its outputs are released at the end, because the chip is released with the
  /// last of them. A chip that is a driver runs until its outputs have their levels. If an output's lines cannot be
  /// requested, or a chip cannot be used, the other outputs are still made safe.
  ///
  /// - Parameters:
  ///   - chips: the chips of the lines.
  ///   - platform: provides the hardware that has its own port.
  func show(on chips: PanelChips, _ platform: Platform) -> [DriverError] {
    let values = PanelRendering(panel: panel).values(in: PanelRules(panel: panel).seed)
    var errors: [DriverError] = []
    var held: [() -> Void] = []
    let loop = platform.bench.loop
    let drivers = chips.drivers(in: panel).compactMap { number, driver -> ChipRun? in
      do throws(DriverError) {
        return try ChipRun(driver, named: panel.chips[number].name, on: loop)
      } catch {
        errors.append(error)
        return nil
      }
    }
    for (output, safe) in zip(panel.outputs, panel.safe) {
      let chip = panel.chip(of: output.device)
      var hardware = SafeStateContext(chip: chips[chip], platform: platform)
      if let chip, !panel.chips[chip].kind.lines.isEmpty { hardware.stop = { held.append($0) } }
      do throws(DriverError) {
        try output.device.driven.show(safe: safe, in: values, on: hardware)
      } catch {
        errors.append(error)
      }
    }
    for driver in drivers { errors += driver.finish(on: loop) }
    for release in held { release() }
    for driver in drivers { driver.stop() }
    return errors
  }
}

/// A chip that is a driver itself, while outputs on its lines are made safe.
private struct ChipRun {
  /// The frame is the error that the driver has reported and that has not ended; nil for none.
  private let cycle: any Application<DriverError?>
  private let name: String

  /// The longest time for which the chip's transfers are awaited.
  private static let longestTransfers = Duration.seconds(2)

  init(_ driver: some Driver<NoModel, Never>, named name: String, on loop: any EventLoop) throws(DriverError) {
    self.name = name
    let lens = AnyLensGroup {
      Lens<DriverError?, _>(driver, name: name, on: { _, _ in }).onTrouble { fault, trouble, _ in
        switch trouble {
        case .lost(let error), .failed(let error): fault = error
        case .restored: fault = nil
        case .eventsLost: break
        }
      }
    }
    cycle = Cycle(seed: nil as DriverError?) { LensGroups([lens]) }
    try cycle.start(on: loop)
  }

  /// Runs the driver until its transfers are done. Returns the reason if they are not.
  func finish(on loop: any EventLoop) -> [DriverError] {
    let end = loop.now + Self.longestTransfers
    do throws(DriverError) {
      while !cycle.isAtRest, loop.now < end { try cycle.step(until: end) }
      // An error is reported in the turn after that in which the driver comes to rest.
      try cycle.step(until: loop.now)
    } catch {
      return [error]
    }
    if let fault = cycle.frame { return [fault] }
    guard !cycle.isAtRest else { return [] }
    return [
      DriverError(
        .busy, of: name, cannot: "bring the outputs of \(name) into their safe state",
        reason: "it has not answered for \(Self.longestTransfers.components.seconds) s",
        remedy: "Check its bus and its supply.")
    ]
  }

  func stop() { cycle.stop() }
}
