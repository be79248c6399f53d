import Terminal

/// The subjects that a panel publishes to a broker: `mqtt` of its file. The file doesn't contain the broker's address
/// and the panel's identity there.
package struct MQTTDefinition: Equatable, Sendable {
  package enum Discovery: String, CaseIterable, Sendable {
    /// Publishes a discovery message, from which Home Assistant creates its entities.
    case homeassistant
    /// Removes the discovery message of an earlier file.
    case none
  }

  /// The published inputs, outputs, sounds and values, as indexes in the panel.
  package var inputs: [Int] = []
  package var outputs: [Int] = []
  package var sounds: [Int] = []
  package var values: [Int] = []
  /// The regions whose state is published.
  package var regions: [Int] = []
  /// nil: the discovery topic is not used.
  package var discovery: Discovery?

  package init(
    inputs: [Int] = [], outputs: [Int] = [], sounds: [Int] = [], values: [Int] = [], regions: [Int] = [],
    discovery: Discovery? = nil
  ) {
    (self.inputs, self.outputs, self.sounds, self.values, self.regions, self.discovery) = (
      inputs, outputs, sounds, values, regions, discovery
    )
  }

  /// Whether nothing of the panel is published.
  package var isEmpty: Bool {
    inputs.isEmpty && outputs.isEmpty && sounds.isEmpty && values.isEmpty && regions.isEmpty
  }
}

extension Grammar {
  static let mqtt = FieldSet(
    name: "mqtt",
    keys: [
      Key(
        name: "publish", takes: "all, or a list of names: [ bell, lamp, state ]", isRequired: true,
        shape: .oneOf([.words(["all"]), .list(of: .text)])),
      Key(
        name: "discovery", takes: "homeassistant or none", shape: .choice(MQTTDefinition.Discovery.self)),
    ])
}

/// Reads the `mqtt` of a panel file.
struct NetworkReader {
  let names: Names
  let problems: ProblemList

  /// - Parameter panel: the panel, with all of its file except `mqtt` and `osc`.
  func network(_ field: Field?, of panel: PanelDefinition) -> MQTTDefinition? {
    guard let field else { return nil }
    // Returned also with errors, because the file has a network then, and its events are known.
    let advice = { (entry: YAMLNode.Entry) -> String? in
      switch entry.key {
      case "accept": "write it beside \"mqtt\"; it is for all remote commands"
      case "broker", "host", "server", "address", "url", "port":
        "the broker's address is set on the machine: PANEL_MQTT in /etc/panel/panel.env"
      case "user", "username", "password":
        "the broker's user is set on the machine: PANEL_MQTT_USER and PANEL_MQTT_PASSWORD_FILE in /etc/panel/panel.env"
      default: nil
      }
    }
    guard let fields = problems.fields(field.node, Grammar.mqtt, at: field.position, advice: advice) else {
      return MQTTDefinition()
    }
    var network = MQTTDefinition()
    network.discovery = problems.choice(fields["discovery"])
    let discovery = network.discovery
    if let publish = fields["publish"] { network = told(publish, of: panel) }
    network.discovery = discovery
    return network
  }

  /// The regions whose state can be published.
  private func regions(of panel: PanelDefinition) -> [Int] {
    panel.regions.indices.filter { panel.regions[$0].owner == 0 || panel.regions[$0].name != nil }
  }

  /// All subjects that can be published.
  func all(of panel: PanelDefinition) -> MQTTDefinition {
    MQTTDefinition(
      inputs: panel.inputs.indices.filter { panel.clockPart(of: $0) == nil }, outputs: Array(panel.outputs.indices),
      sounds: Array(panel.sounds.indices),
      values: Array(panel.values.indices), regions: regions(of: panel))
  }

  /// The subjects that a `publish` names.
  func told(_ publish: Field, of panel: PanelDefinition) -> MQTTDefinition {
    if case .scalar("all") = publish.node.content { return all(of: panel) }
    var network = MQTTDefinition()
    let regions = regions(of: panel)
    guard let items = problems.items(publish) else { return network }
    var told: Set<String> = []
    for item in items {
      guard let name = problems.text(item, in: publish) else { continue }
      guard told.insert(name).inserted else {
        problems.add(item.position, "\(quoted(name)) is already published; remove it here")
        continue
      }
      add(name, at: item.position, to: &network, states: regions.map { ($0, panel.regions[$0].name) })
    }
    return network
  }

  private func add(
    _ name: String, at position: Position, to network: inout MQTTDefinition,
    states: [(region: Int, name: String?)]
  ) {
    func stateName(_ name: String?) -> String { name.map { "state.\($0)" } ?? "state" }
    if let region = states.first(where: { stateName($0.name) == name })?.region {
      return network.regions.append(region)
    }
    switch names.thing(name) {
    case .input(let input): network.inputs.append(input)
    case .inputs(let group): network.inputs += names.inputGroups[group].members
    case .output(let output): publish([output], in: &network)
    case .outputs(let group): publish(names.outputGroups[group].members.map { $0 }, in: &network)
    case .sound(let sound): network.sounds.append(sound)
    case .sounds(let group): network.sounds += names.soundGroups[group].members
    case .value(let value): network.values.append(value)
    case .chip, .texts, nil:
      if name == "state", states.count > 1 || states.first?.name != nil {
        let each = listed(states.prefix(8).map { stateName($0.name) })
        return problems.add(position, "the panel has regions, so \"state\" is not one of them; write \(each)")
      }
      let known =
        names.declared.filter { !["chip", "texts"].contains($0.thing.word) }.map(\.name)
        + states.map { stateName($0.name) }
      let suggestion = problems.suggestion(
        for: name, among: Array(known.prefix(200)), called: "names that can be published")
      problems.add(position, "nothing called \(quoted(name)) can be published; \(suggestion)")
    }
  }

  /// Adds outputs and the events that they report.
  private func publish(_ outputs: [Int], in network: inout MQTTDefinition) {
    network.outputs += outputs
    network.inputs += outputs.compactMap { names.reports[$0] }
  }
}
