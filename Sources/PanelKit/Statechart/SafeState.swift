import CycleCore
import HardwareDrivers
import HardwareLinux

/// Puts the outputs of a panel into their safe state; requests no inputs and opens no sound device.
struct SafeState {
  private let panel: PanelDefinition

  init(of panel: PanelDefinition) {
    self.panel = panel
  }

  /// Requests each output's lines at their safe values and releases them, one output after the other. An output whose
  /// lines can't be requested doesn't keep the others from it.
  ///
  /// - Parameter bus: the I²C bus behind a port; a real one unless given.
  /// - Returns: an error for each output that could not be made safe.
  func show(on chip: any GPIOChip, loop: any EventLoop, bus: (I2CBusPort) -> any I2CBus = { $0.makeReal() })
    -> [DriverError]
  {
    withoutActuallyEscaping(bus) { show(on: PanelHardware(chip: chip, bus: $0, loop: loop)) }
  }

  private func show(on hardware: PanelHardware) -> [DriverError] {
    let values = PanelShow(panel: panel).values(in: PanelRules(panel: panel).seed)
    var errors: [DriverError] = []
    for (output, safe) in zip(panel.outputs, panel.safe) {
      do throws(DriverError) {
        try output.device.show(safe: safe, in: values, on: hardware)
      } catch {
        errors.append(error)
      }
    }
    return errors
  }
}
