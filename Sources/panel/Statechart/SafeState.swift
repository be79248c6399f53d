import CycleCore
import HardwareDrivers

/// The outputs of a panel in their safe state, and nothing else: its buttons and sounds are left alone.
struct SafeState {
  private let panel: PanelDefinition

  init(of panel: PanelDefinition) {
    self.panel = panel
  }

  /// Takes every output at its safe value and gives it back.
  func show(on devices: Devices) throws(DriverError) {
    let show = PanelShow(panel: panel)
    let safe = panel.safe
    let values = PanelRules(panel: panel).seed
    let outputs = PanelDevices(of: panel, on: devices.chip)
    let leds = outputs.ledOutputs.map { show.light(safe[$0]) }
    let bars = zip(outputs.barOutputs, outputs.barLamps).map { output, count in
      LEDBar.Model(level: show.lamps(safe[output], of: count, in: values))
    }
    let relays = outputs.relayOutputs.map { safe[$0] == .on ? Relay.Model.on : .off }
    let cycle = Cycle(seed: true) {
      Lens(Each(outputs.leds), show: { _ in leds }, safe: leds)
      Lens(Each(outputs.bars), show: { _ in bars }, safe: bars)
      Lens(Each(outputs.relays), show: { _ in relays }, safe: relays)
    }
    try devices.bench.run(cycle)
    devices.bench.stop()
  }
}
