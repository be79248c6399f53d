import CycleCore
import HardwareDrivers

/// Puts the outputs of a panel into their safe state; requests no inputs and opens no sound device.
struct SafeState {
  private let panel: PanelDefinition

  init(of panel: PanelDefinition) {
    self.panel = panel
  }

  /// Requests each output's lines at their safe values and releases them, one output after the other. An output whose
  /// lines can't be requested doesn't keep the others from it.
  ///
  /// - Returns: an error for each output that could not be made safe.
  func show(on chip: any GPIOChip, loop: any EventLoop) -> [DriverError] {
    let values = PanelShow(panel: panel).values(in: PanelRules(panel: panel).seed)
    let hardware = PanelHardware(chip: chip, loop: loop)
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
