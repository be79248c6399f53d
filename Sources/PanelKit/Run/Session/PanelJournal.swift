import CycleCore
import HardwareDrivers
import PanelEngine
import PanelKinds
import PanelLanguage
import Terminal

/// The last events of a panel. They are converted to text, with the names of its file, only when they are read.
package struct PanelJournal {
  struct Entry: Equatable {
    var moment: Moment
    var text: String
    var consequences = RuleTrace.Consequences()
    /// Whether an input emitted the event.
    var isInput = false
  }

  private struct Event {
    var moment: Moment
    var event: Any
    /// The number of the lens.
    var lens: Int
    var consequences = RuleTrace.Consequences()
  }

  /// The journals of the lenses, which convert events to text.
  private let lenses: [LensEventFormatter]
  /// The events, the newest last. Between ``capacity`` and twice as many are kept.
  private var events: [Event] = []

  static let capacity = 256

  init(of lenses: [LensEventFormatter]) {
    self.lenses = lenses
  }

  /// Keeps an event. It is converted to text only when it is read, which is rare.
  mutating func note(_ event: Any, of lens: Int, at moment: Moment) {
    if events.count == 2 * Self.capacity { events.removeFirst(Self.capacity) }
    events.append(Event(moment: moment, event: event, lens: lens))
  }

  /// Adds the consequences of the last event.
  mutating func add(_ consequences: RuleTrace.Consequences) {
    guard !events.isEmpty else { return }
    guard !events[events.count - 1].consequences.isEmpty else {
      events[events.count - 1].consequences = consequences
      return
    }
    events[events.count - 1].consequences.events += consequences.events
    events[events.count - 1].consequences.changes += consequences.changes
  }

  /// The text of an event or a trouble of a lens; nil for an event without a text.
  package func text(of event: Any, of lens: Int) -> String? {
    if let trouble = event as? Trouble { return PanelTrouble.trouble(trouble, lenses[lens].source).text }
    return lenses[lens].text(event)
  }

  /// The text of an event; nil also for trouble, which ``PanelSession/logTroubles(isLast:)`` logs.
  func textBesidesTrouble(of event: Any, of lens: Int) -> String? {
    event is Trouble || lenses[lens].isTrouble(event) ? nil : lenses[lens].text(event)
  }

  /// The last entries, at most `count` and at most ``capacity``, the oldest first.
  func last(_ count: Int) -> [Entry] {
    var entries: [Entry] = []
    for event in events.reversed() {
      guard entries.count < min(count, Self.capacity) else { break }
      if let entry = entry(of: event) { entries.append(entry) }
    }
    return entries.reversed()
  }

  /// The entry of the last event; nil if it has no text.
  var newest: Entry? { events.last.flatMap { entry(of: $0) } }

  /// nil for an event without a text and without consequences.
  private func entry(of event: Event) -> Entry? {
    let text = text(of: event.event, of: event.lens)
    guard text != nil || !event.consequences.isEmpty else { return nil }
    return Entry(
      moment: event.moment, text: text ?? "", consequences: event.consequences,
      isInput: lenses[event.lens].isInput && !(event.event is Trouble))
  }

  /// The entries from `moment` on.
  func entries(since moment: Moment) -> [Entry] { last(Self.capacity).filter { $0.moment >= moment } }
}

extension LensEventFormatter {
  /// Creates the journal of the sound player's lens.
  init(ofPlayer source: PanelTrouble.Source) {
    self.init(source: source)
    text = { event in
      switch event as? AudioPlayer.Event {
      case .started(let key): "\(key) started"
      case .finished(let key, .ended): "\(key).finished"
      case .finished(let key, let reason): "\(key) finished (\(reason))"
      case .underrun: PanelTrouble.underrun.text
      case .stalled(let key): PanelTrouble.stalled(key).text
      case .clipping(let count): PanelTrouble.clipping(count).text
      case nil: nil
      }
    }
    isTrouble = { event in
      switch event as? AudioPlayer.Event {
      case .underrun, .stalled, .clipping: true
      case .started, .finished, nil: false
      }
    }
  }

  /// Creates the journal of the lens of kept values.
  init(ofKept source: PanelTrouble.Source) {
    self.init(source: source)
    text = { event in
      guard case .saved(let byteCount)? = event as? KeptValuesDriver<KeptValuesFolder>.Event else { return nil }
      return "values saved in \(counted(byteCount, "byte"))"
    }
  }

  /// Creates the journal of the lens of deadlines.
  init(ofTimer panel: PanelDefinition) {
    self.init(source: PanelTrouble.Source(lens: "timer", hardware: .gpio))
    let tree = StateTree(panel)
    text = { event in
      guard case .due(let deadline)? = event as? Timer<PanelDeadline>.Event, let (state, index) = deadline.ofState
      else {
        return nil
      }
      return Self.text(of: panel.states[state].after[index], in: panel, tree.chain(from: state))
    }
  }

  /// A deadline with its state: `every 10ms in chance/turning`.
  ///
  /// - Parameter chain: that state and the states around it.
  private static func text(of deadline: PanelDefinition.Deadline, in panel: PanelDefinition, _ chain: [Int]) -> String {
    let word =
      switch deadline.recurrence {
      case .once: deadline.isCheck ? "elapsed \(deadline.delay.text(in: panel))" : "after"
      case .again: "every"
      case .untouched: "untouched"
      }
    let delay = deadline.transitions.first?.written.source.map { " \($0.text)" } ?? ""
    let names = chain.dropLast().reversed().flatMap { state in
      [panel.regions[panel.states[state].region].name, panel.states[state].name].compactMap { $0 }
    }
    return "\(word)\(delay)\(names.isEmpty ? "" : " in \(names.joined(separator: "/"))")"
  }
}
