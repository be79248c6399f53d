import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelEngine
import PanelKinds
import PanelLanguage

/// Puts the outputs of a panel into their safe state; requests no inputs and opens no sound device.
package struct SafeState {
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
  /// last of them. If an output's lines cannot be requested, the other outputs are still made safe.
  ///
  /// - Parameters:
  ///   - chips: the chips of the lines.
  ///   - platform: provides the hardware that has its own port.
  func show(on chips: PanelChips, _ platform: Platform) -> [DriverError] {
    let values = PanelRendering(panel: panel).values(in: PanelRules(panel: panel).seed)
    var errors: [DriverError] = []
    var held: [() -> Void] = []
    let drivers = Cycle(seed: [DriverError]()) {
      LensGroups(
        chips.drivers.map { number, driver -> AnyLensGroup<[DriverError]> in
          Self.lens(of: driver, named: panel.chips[number].name)
        })
    }
    do throws(DriverError) { try drivers.start(on: platform.bench.loop) } catch { return [error] }
    for (output, safe) in zip(panel.outputs, panel.safe) {
      let chip = panel.chip(of: output.device)
      var hardware = PanelHardware(chip: chips[chip], platform: platform)
      if let chip, !panel.chips[chip].kind.lines.isEmpty { hardware.stop = { held.append($0) } }
      do throws(DriverError) {
        try output.device.driven.show(safe: safe, in: values, on: hardware)
      } catch {
        errors.append(error)
      }
    }
    for release in held { release() }
    drivers.stop()
    return errors + drivers.frame
  }

  /// The lens of a chip that is a driver itself. Its frame contains the errors of the driver.
  private static func lens(of driver: some Driver<NoModel, Never>, named name: String) -> AnyLensGroup<[DriverError]> {
    AnyLensGroup {
      Lens(driver, name: name, on: { _, _ in }).onTrouble { errors, trouble, _ in
        switch trouble {
        case .lost(let error), .failed(let error): errors.append(error)
        case .restored, .eventsLost: break
        }
      }
    }
  }
}
