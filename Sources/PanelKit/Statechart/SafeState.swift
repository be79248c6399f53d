import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

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
    let show = PanelShow(panel: panel)
    let values = PanelRules(panel: panel).seed
    let outputs = PanelDevices(of: panel, on: chip)
    var errors: [DriverError] = []
    for (led, output) in zip(outputs.leds, outputs.ledOutputs) {
      errors += take(led, at: show.light(panel.safe[output]), on: loop)
    }
    for ((bar, output), count) in zip(zip(outputs.bars, outputs.barOutputs), outputs.barLamps) {
      errors += take(bar, at: .init(level: show.lamps(panel.safe[output], of: count, in: values)), on: loop)
    }
    for (relay, output) in zip(outputs.relays, outputs.relayOutputs) {
      errors += take(relay, at: panel.safe[output] == .on ? .on : .off, on: loop)
    }
    return errors
  }

  private func take<Device: LineDevice>(
    _ device: Device, at model: Device.Model, on loop: any EventLoop
  ) -> [DriverError] {
    let cycle = Cycle(seed: true) { Lens(device, show: { _ in model }, safe: model, isRequired: true) }
    do throws(DriverError) {
      try cycle.start(on: loop)
    } catch {
      return [error]
    }
    cycle.stop()
    return []
  }
}
