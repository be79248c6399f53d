import HardwareDrivers

/// The topics that a panel tells a broker or a receiver of Open Sound Control of, in the order in which a connection begins with them.
struct PanelTopics {
  /// How topics and payloads are written.
  enum Form: Equatable {
    /// Text, for a broker.
    case mqtt
    /// Addresses and typed arguments.
    case osc
  }

  /// What a topic is about, by its place in the panel.
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
    /// What a transition sends, by its place in ``messageAddresses``.
    case message(Int)
  }

  /// How often the numbers of the outbox are told.
  static let statsInterval = Duration.seconds(60)
  /// Where Home Assistant says that it has started.
  static let homeAssistant = "homeassistant/status"

  let panel: PanelDefinition
  let form: Form
  /// Before each topic: `panel/doorbell/`.
  let prefix: String
  /// The addresses of the panel's messages, each once.
  let messageAddresses: [String]
  let subjects: [Subject]
  /// What has a payload that is always the same.
  private let fixed: [(subject: Subject, payload: [UInt8])]
  private let id: String

  /// - Parameters:
  ///   - panel: has `mqtt`.
  ///   - id: its own part of the topics.
  ///   - fixed: payloads that are always the same.
  init(of panel: PanelDefinition, id: String, fixed: [(subject: Subject, payload: [UInt8])]) {
    (self.panel, self.id, self.fixed) = (panel, id, fixed)
    (form, messageAddresses) = (.mqtt, [])
    prefix = Self.prefix(of: id)
    let told = panel.mqtt ?? NetworkDefinition()
    let sensors = told.inputs.filter { panel.inputs[$0].device.scale != nil }
    var subjects: [Subject] = [.info] + Self.values(told, of: panel) + sensors.map { .presence($0) }
    if told.discovery != nil { subjects.append(.discovery) }
    subjects.append(.availability)
    subjects += Self.events(told, of: panel)
    subjects += [.stats, .refused]
    self.subjects = subjects
  }

  /// Those of a receiver of Open Sound Control.
  ///
  /// - Parameters:
  ///   - panel: has `osc`.
  ///   - id: its own part of the addresses.
  init(forReceiverOf panel: PanelDefinition, id: String) {
    (self.panel, self.id, fixed) = (panel, id, [])
    form = .osc
    prefix = "/" + Self.prefix(of: id)
    var addresses: [String] = []
    for message in panel.messages where !addresses.contains(message.address) { addresses.append(message.address) }
    messageAddresses = addresses
    let told = panel.osc?.told ?? NetworkDefinition()
    let values = told.isEmpty ? [] : Self.values(told, of: panel)
    subjects = values + Self.events(told, of: panel) + addresses.indices.map { .message($0) }
  }

  /// Before each topic of a panel, and before each that it hears.
  static func prefix(of id: String) -> String { "panel/\(id)/" }

  /// What Home Assistant calls a panel: it takes letters, digits, `-` and `_` in a topic.
  static func device(_ id: String) -> String { "panel_\(id.split(separator: ".").joined(separator: "-"))" }

  /// What is told of a panel as it is.
  private static func values(_ told: NetworkDefinition, of panel: PanelDefinition) -> [Subject] {
    let seen = told.inputs.filter { !panel.inputs[$0].device.positions.isEmpty }
    var subjects: [Subject] = told.regions.map { .state($0) }
    subjects += told.values.map { .value($0) }
    subjects += seen.map { .input($0) }
    subjects += told.outputs.map { .output($0) }
    subjects += told.sounds.map { .sound($0) }
    return subjects + [.trouble]
  }

  /// What is told of what happens on a panel.
  private static func events(_ told: NetworkDefinition, of panel: PanelDefinition) -> [Subject] {
    told.inputs.filter { !panel.inputs[$0].device.events.isEmpty }.map { .event($0) }
  }

  /// The place of a topic; nil for one that isn't told.
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

  /// What a client sends on.
  var plan: Telegraph.Plan {
    let topics = subjects.map { subject in
      let isRetained =
        switch subject {
        case .event, .stats, .refused, .message: false
        default: true
        }
      return BrokerTopic(
        name(of: subject), isRetained: isRetained, isAcknowledged: subject != .stats,
        payload: fixed.first { $0.subject == subject }?.payload)
    }
    return Telegraph.Plan(
      topics: topics, availability: place(of: .availability).map { .init(topic: $0) },
      repeated: place(of: .stats).map { .init(topic: $0, each: Self.statsInterval) },
      held: isDiscovered ? [place(of: .discovery)].compactMap { $0 } : [],
      pause: form == .mqtt ? Self.pause : .zero)
  }

  /// What happens within this time is sent to a broker together. A cue of a show is sent at once.
  static let pause = Duration.milliseconds(1)

  /// Whether Home Assistant is told what there is. In each connection that waits until it is known what it was told before.
  private var isDiscovered: Bool { panel.mqtt?.discovery == .homeassistant }

  /// The topics of others that the panel hears.
  var subscriptions: [String] {
    var filters = ["\(prefix)set/+", "\(prefix)press/+", "\(prefix)turn/+", "\(prefix)do/+", "\(prefix)get"]
    if isDiscovered { filters.append(Self.homeAssistant) }
    return filters
  }

  /// Where the broker may keep something that the panel has told as an earlier file said.
  var kept: BrokerGreeting.Kept {
    let filters = ["state", "value", "input", "output", "sound", "availability"].map { "\(prefix)\($0)/+" }
    let discovery = name(of: .discovery)
    // What `none` takes back is taken back anyway.
    return .init(
      filters: panel.mqtt?.discovery == NetworkDefinition.Discovery.none ? filters : filters + [discovery],
      read: isDiscovered ? discovery : nil)
  }
}
