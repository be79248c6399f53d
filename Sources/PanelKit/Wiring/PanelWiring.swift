extension WiringPlan {
  /// The wiring of a panel, as the kinds of its devices describe it.
  init(of panel: PanelDefinition) {
    self.init(
      title: panel.name,
      devices: panel.inputs.compactMap { $0.device.wiring(named: $0.name) }
        + panel.outputs.compactMap { $0.device.wiring(named: $0.name) },
      playsSounds: !panel.sounds.isEmpty)
  }
}
