import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// The last events of a panel. They are converted to text, with the names of its file, only when they are read.
struct PanelJournal {
  struct Entry: Equatable {
    var moment: Moment
    var text: String
  }

  /// Converts the events of one type to text.
  private struct Reader {
    let type: ObjectIdentifier
    let text: (Any) -> String?
    /// Whether the event is trouble, which ``PanelSession/logTroubles(isLast:)`` logs.
    let isTrouble: (Any) -> Bool

    init<Event>(
      _ type: Event.Type, isTrouble: @escaping (Event) -> Bool = { _ in false }, text: @escaping (Event) -> String?
    ) {
      self.type = ObjectIdentifier(type)
      // The casts never fail: `reader(of:)` selects the reader by the event's type.
      self.text = { text($0 as! Event) }
      self.isTrouble = { isTrouble($0 as! Event) }
    }
  }

  private let readers: [Reader]
  /// The newest last; between ``capacity`` and twice as many are kept.
  private var events: [(moment: Moment, event: Any)] = []

  static let capacity = 256

  init(of panel: PanelDefinition) {
    let words = PanelWords(panel)
    readers = [
      words.reader(Button.self, inputs: panel.inputs.filter(\.isButton)),
      words.reader(Switch.self, inputs: panel.inputs.filter(\.isSwitch)),
      words.reader(RotaryEncoder.self, inputs: panel.inputs.filter(\.isEncoder)),
      Reader(PanelTrouble.self, isTrouble: { _ in true }, text: \.text),
      Reader(Timer<PanelDeadline>.Event.self, text: words.text(ofTimer:)),
      Reader(AudioPlayer.Event.self, isTrouble: { $0 == .underrun }, text: PanelWords.text(ofPlayer:)),
    ]
  }

  /// Keeps an event. It is converted to text when it is read: on most panels nobody does.
  mutating func note(_ event: Any, at moment: Moment) {
    if events.count == 2 * Self.capacity { events.removeFirst(Self.capacity) }
    events.append((moment, event))
  }

  /// The text of an event; nil for an event that has none.
  func text(of event: Any) -> String? { reader(of: event)?.text(event) }

  /// The text of an event; nil also for trouble, which ``PanelSession/logTroubles(isLast:)`` logs.
  func textBesidesTrouble(of event: Any) -> String? {
    guard let reader = reader(of: event), !reader.isTrouble(event) else { return nil }
    return reader.text(event)
  }

  /// The last entries, at most `count` and at most ``capacity``, the oldest first.
  func last(_ count: Int) -> [Entry] {
    var entries: [Entry] = []
    for (moment, event) in events.reversed() {
      guard entries.count < min(count, Self.capacity) else { break }
      if let text = text(of: event) { entries.append(Entry(moment: moment, text: text)) }
    }
    return entries.reversed()
  }

  /// What happened from `moment` on.
  func entries(since moment: Moment) -> [Entry] { last(Self.capacity).filter { $0.moment >= moment } }

  private func reader(of event: Any) -> Reader? {
    let type = ObjectIdentifier(Swift.type(of: event))
    return readers.first { $0.type == type }
  }

  /// The words of one panel.
  private struct PanelWords {
    private let regions: [PanelDefinition.Region]

    init(_ panel: PanelDefinition) {
      regions = panel.regions
    }

    /// - Parameter inputs: the names of the devices, in the order of their numbers.
    func reader<Device: PanelInput>(_ device: Device.Type, inputs: [PanelDefinition.Input]) -> Reader {
      Reader(
        Each<Device>.Event.self,
        isTrouble: { event in
          if case .device(_, let event) = event { Device.lostEdges(in: event) != nil } else { false }
        },
        text: { event in
          guard case .device(let number, let event) = event, inputs.indices.contains(number) else { return nil }
          let name = inputs[number].name
          if let word = Device.word(for: event) { return "\(name) \(word.rawValue)" }
          return Device.lostEdges(in: event).map { "\(name): \(LossLog.text(of: $0))" }
        })
    }

    func text(ofTimer event: Timer<PanelDeadline>.Event) -> String? {
      guard case .due(let deadline) = event else { return nil }
      return "time is up in \(regions[deadline.region].name.map { "region \($0)" } ?? "the state")"
    }

    static func text(ofPlayer event: AudioPlayer.Event) -> String? {
      switch event {
      case .started(let key): "\(key) started"
      case .finished(let key, let reason): "\(key) finished (\(reason))"
      case .underrun: PanelTrouble.underrun.text
      }
    }
  }
}

extension PanelTrouble {
  var text: String {
    switch self {
    case .underrun: "audio underrun"
    case .trouble(let trouble, .audio): Self.text(of: trouble, "audio")
    case .trouble(let trouble, let part): Self.text(of: trouble, "gpio (\(part.word))")
    }
  }

  fileprivate static func text(of trouble: Trouble, _ who: String) -> String {
    switch trouble {
    case .lost(let error): "\(who) lost: \(error)"
    case .restored: "\(who) restored"
    case .failed(let error): "\(who) failed: \(error)"
    case .eventsLost(let count): "\(who) lost \(count) events"
    }
  }
}

extension PanelFrame.DeviceKinds {
  /// The name of the lens that has the devices of this kind.
  var word: String {
    switch self {
    case .buttons: "buttons"
    case .switches: "switches"
    case .encoders: "encoders"
    case .leds: "leds"
    case .bars: "bars"
    case .relays: "relays"
    default: "audio"
    }
  }

  /// The kind whose lens has this name.
  static func named(_ word: String) -> PanelFrame.DeviceKinds {
    [.buttons, .switches, .encoders, .leds, .bars, .relays].first { $0.word == word } ?? .audio
  }
}

extension PanelDefinition.Input {
  fileprivate var isButton: Bool { if case .button = device { true } else { false } }
  fileprivate var isSwitch: Bool { if case .switch = device { true } else { false } }
  fileprivate var isEncoder: Bool { if case .encoder = device { true } else { false } }
}
