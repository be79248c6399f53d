import HardwareDrivers
import PanelLanguage

/// The topics that a panel publishes, to a broker or to a receiver of Open Sound Control. They are in the order in
/// which a new connection sends them.
package struct PanelTopics {
  /// The form of topics and payloads.
  enum Form: Equatable {
    /// Text, for a broker.
    case mqtt
    /// Addresses and typed arguments.
    case osc
  }

  /// The subject of a topic, by its index in the panel.
  enum Subject: Equatable {
    case info
    case state(Int)
    case value(Int)
    case input(Int)
    /// Whether a sensor gives numbers.
    case presence(Int)
    case output(Int)
    case sound(Int)
    case trouble
    case discovery
    case availability
    case event(Int)
    case stats
    case refused
    /// A message that a transition sends, by its index in ``messageAddresses``.
    case message(Int)
  }

  /// The interval at which the statistics of the outbox are published.
  static let statsInterval = Duration.seconds(60)
  /// The topic on which Home Assistant reports that it has started.
  static let homeAssistant = "homeassistant/status"

  let panel: PanelDefinition
  let form: Form
  /// The prefix of each topic: `panel/doorbell/`.
  let prefix: String
  /// The addresses of the panel's messages, without duplicates.
  let messageAddresses: [String]
  let subjects: [Subject]
  /// The subjects with a fixed payload.
  private let fixed: [(subject: Subject, payload: [UInt8])]
  private let id: String

  /// - Parameters:
  ///   - panel: a panel with `mqtt`.
  ///   - id: the panel's own part of the topics.
  ///   - fixed: the subjects with a fixed payload.
  init(of panel: PanelDefinition, id: String, fixed: [(subject: Subject, payload: [UInt8])]) {
    (self.panel, self.id, self.fixed) = (panel, id, fixed)
    (form, messageAddresses) = (.mqtt, [])
    prefix = Self.prefix(of: id)
    let told = panel.mqtt ?? MQTTDefinition()
    let sensors = told.inputs.filter { panel.inputs[$0].device.isSensor }
    var subjects: [Subject] = [.info] + Self.values(told, of: panel) + sensors.map { .presence($0) }
    if told.discovery != nil { subjects.append(.discovery) }
    subjects.append(.availability)
    subjects += Self.events(told, of: panel)
    subjects += [.stats, .refused]
    self.subjects = subjects
  }

  /// The topics of a receiver of Open Sound Control.
  ///
  /// - Parameters:
  ///   - panel: a panel with `osc`.
  ///   - id: the panel's own part of the addresses.
  init(forReceiverOf panel: PanelDefinition, id: String) {
    (self.panel, self.id, fixed) = (panel, id, [])
    form = .osc
    prefix = "/" + Self.prefix(of: id)
    var addresses: [String] = []
    for message in panel.messages where !addresses.contains(message.address) { addresses.append(message.address) }
    messageAddresses = addresses
    let told = panel.osc?.told ?? MQTTDefinition()
    let values = told.isEmpty ? [] : Self.values(told, of: panel)
    subjects = values + Self.events(told, of: panel) + addresses.indices.map { .message($0) }
  }

  /// The prefix of all topics that a panel publishes, and of all commands for it.
  static func prefix(of id: String) -> String { "panel/\(id)/" }

  /// The id of a panel in Home Assistant, which accepts letters, digits, `-` and `_` in a topic.
  static func device(_ id: String) -> String { "panel_\(id.split(separator: ".").joined(separator: "-"))" }

  /// The published subjects with a current value.
  private static func values(_ told: MQTTDefinition, of panel: PanelDefinition) -> [Subject] {
    let seen = told.inputs.filter { !panel.inputs[$0].device.positions.isEmpty || panel.inputs[$0].device.isNumber }
    var subjects: [Subject] = told.regions.map { .state($0) }
    subjects += told.values.map { .value($0) }
    subjects += seen.map { .input($0) }
    subjects += told.outputs.map { .output($0) }
    subjects += told.sounds.map { .sound($0) }
    return subjects + [.trouble]
  }

  /// The published subjects with events.
  private static func events(_ told: MQTTDefinition, of panel: PanelDefinition) -> [Subject] {
    told.inputs.filter { !panel.inputs[$0].device.events.isEmpty }.map { .event($0) }
  }

  /// The index of a topic; nil for one that is not published.
  func place(of subject: Subject) -> Int? { subjects.firstIndex(of: subject) }

  /// The topic's name: `panel/doorbell/state/main`.
  func name(of subject: Subject) -> String {
    switch subject {
    case .info: "\(prefix)info"
    case .state(let region): "\(prefix)state/\(panel.regions[region].name ?? "main")"
    case .value(let value): "\(prefix)value/\(panel.values[value].name)"
    case .input(let input): "\(prefix)input/\(panel.inputs[input].name)"
    case .presence(let input): "\(prefix)availability/\(panel.inputs[input].name)"
    case .output(let output): "\(prefix)output/\(panel.outputs[output].name)"
    case .sound(let sound): "\(prefix)sound/\(panel.sounds[sound].name)"
    case .trouble: "\(prefix)trouble"
    case .discovery: "homeassistant/device/\(Self.device(id))/config"
    case .availability: "\(prefix)availability"
    case .event(let input): "\(prefix)event/\(panel.inputs[input].name)"
    case .stats: "\(prefix)stats"
    case .refused: "\(prefix)refused"
    case .message(let address): messageAddresses[address]
    }
  }

  /// The topics of a client, and how it publishes them.
  var plan: MessagePublisher.Plan {
    let topics = subjects.map { subject in
      let isRetained =
        switch subject {
        case .event, .stats, .refused, .message: false
        default: true
        }
      return PublishedTopic(
        name(of: subject), isRetained: isRetained, isAcknowledged: subject != .stats,
        payload: fixed.first { $0.subject == subject }?.payload)
    }
    return MessagePublisher.Plan(
      topics: topics, availability: place(of: .availability).map { .init(topic: $0) },
      repeated: place(of: .stats).map { .init(topic: $0, each: Self.statsInterval) },
      held: isDiscovered ? [place(of: .discovery)].compactMap { $0 } : [],
      pause: form == .mqtt ? Self.pause : .zero)
  }

  /// The time in which changes for a broker are collected into one transmission. Open Sound Control sends immediately.
  static let pause = Duration.milliseconds(1)

  /// Whether the panel publishes a discovery message. Each connection holds it back until the earlier one has been
  /// read.
  private var isDiscovered: Bool { panel.mqtt?.discovery == .homeassistant }

  /// The topics of commands for the panel.
  package static func commands(of id: String) -> [String] {
    ["set/+", "press/+", "turn/+", "do/+", "get"].map { prefix(of: id) + $0 }
  }

  /// The topics that the panel subscribes to.
  var subscriptions: [String] {
    var filters = Self.commands(of: id)
    if isDiscovered { filters.append(Self.homeAssistant) }
    return filters
  }

  /// The topics on which the broker may have retained values of an earlier panel file.
  var kept: BrokerGreeting.Kept {
    let filters = ["state", "value", "input", "output", "sound", "availability"].map { "\(prefix)\($0)/+" }
    let discovery = name(of: .discovery)
    // With `none`, an empty payload removes the discovery message anyway.
    return .init(
      filters: panel.mqtt?.discovery == MQTTDefinition.Discovery.none ? filters : filters + [discovery],
      read: isDiscovered ? discovery : nil)
  }
}
