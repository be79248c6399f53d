import CycleCore
import HardwareDrivers

/// What has happened on a panel, in the words of its file.
struct PanelJournal {
  struct Entry: Equatable {
    var moment: Moment
    var text: String
    /// Hardware that failed, went away or lost something.
    var isTrouble = false
  }

  private let panel: PanelDefinition
  private let inputs: [String: [Int]]
  /// The newest last; at most ``capacity``.
  private(set) var entries: [Entry] = []

  static let capacity = 256

  init(of panel: PanelDefinition) {
    self.panel = panel
    var inputs: [String: [Int]] = ["button": [], "switch": [], "encoder": []]
    for (index, input) in panel.inputs.enumerated() {
      switch input.device {
      case .button: inputs["button"]!.append(index)
      case .switch: inputs["switch"]!.append(index)
      case .encoder: inputs["encoder"]!.append(index)
      }
    }
    self.inputs = inputs
  }

  /// Writes an event down: what was written, nil for an event that says nothing.
  @discardableResult
  mutating func note(_ event: Any, at moment: Moment) -> Entry? {
    guard let text = text(of: event) else { return nil }
    if entries.count == Self.capacity { entries.removeFirst() }
    let entry = Entry(moment: moment, text: text, isTrouble: Self.isTrouble(event))
    entries.append(entry)
    return entry
  }

  private static func isTrouble(_ event: Any) -> Bool {
    switch event {
    case Each<Button>.Event.trouble, Each<Switch>.Event.trouble, Each<RotaryEncoder>.Event.trouble,
      Each<LED>.Event.trouble, Each<LEDBar>.Event.trouble, Each<Relay>.Event.trouble, AudioPlayer.Event.trouble,
      AudioPlayer.Event.underrun:
      true
    default: false
    }
  }

  /// What happened from `moment` on.
  func entries(since moment: Moment) -> ArraySlice<Entry> {
    entries.drop { $0.moment < moment }
  }

  private func text(of event: Any) -> String? {
    switch event {
    case let event as Each<Button>.Event: text(ofDevice: event, "button") { InputEvent($0)?.rawValue }
    case let event as Each<Switch>.Event: text(ofDevice: event, "switch") { InputEvent($0)?.rawValue }
    case let event as Each<RotaryEncoder>.Event: text(ofDevice: event, "encoder") { InputEvent($0)?.rawValue }
    case let event as Each<LED>.Event: text(ofDevice: event, "led") { _ in nil }
    case let event as Each<LEDBar>.Event: text(ofDevice: event, "bar") { _ in nil }
    case let event as Each<Relay>.Event: text(ofDevice: event, "relay") { _ in nil }
    case let event as Timer<PanelDeadline>.Event: text(ofTimer: event)
    case let event as AudioPlayer.Event: text(ofPlayer: event)
    default: nil
    }
  }

  private func text<Element>(
    ofDevice event: Each<Element>.Event, _ kind: String, _ word: (Element.Event) -> String?
  ) -> String {
    switch event {
    case .device(let number, let event):
      guard let word = word(event), let input = inputs[kind]?[number] else { return "\(kind) \(number): \(event)" }
      return "\(panel.inputs[input].name) \(word)"
    case .trouble(let trouble): return text(ofTrouble: trouble, "gpio (\(kind)s)")
    }
  }

  private func text(ofTimer event: Timer<PanelDeadline>.Event) -> String? {
    guard case .due(let deadline) = event else { return nil }
    let name = panel.regions[deadline.region].name.map { "region \($0)" } ?? "the state"
    return "time is up in \(name)"
  }

  private func text(ofPlayer event: AudioPlayer.Event) -> String {
    switch event {
    case .started(let key): "\(key) started"
    case .finished(let key, let reason): "\(key) finished (\(reason))"
    case .underrun: "audio underrun"
    case .trouble(let trouble): text(ofTrouble: trouble, "audio")
    }
  }

  private func text(ofTrouble trouble: Trouble, _ who: String) -> String {
    switch trouble {
    case .lost(let error): "\(who) lost: \(error)"
    case .restored: "\(who) restored"
    case .failed(let error): "\(who) failed: \(error)"
    case .eventsLost(let count): "\(who) lost \(count) events"
    }
  }
}
