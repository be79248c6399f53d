import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage

/// The visible and audible state of a running panel, as text.
package final class PanelView {
  private unowned let session: PanelSession
  /// The places of the elements of each list; nil for a value that isn't a list. Stored because each step reads it for
  /// thousands of values.
  private let lists: [ListSlots?]
  /// The states, outputs, values and playing sounds, each in the order of the file.
  let subjects: [Subject]

  init(of session: PanelSession) {
    self.session = session
    let panel = session.panel
    lists = panel.values.map(\.list)
    subjects =
      session.application.show.toldRegions.map { .state(region: $0) } + panel.outputs.indices.map { .output($0) }
      + panel.values.indices.map { .value($0) } + (panel.sounds.isEmpty ? [] : [.playing])
      + (panel.messages.isEmpty ? [] : [.sent]) + (panel.asksForPower ? [.power] : [])
  }

  private var panel: PanelDefinition { session.panel }
  private var show: PanelRendering { session.application.show }

  /// The subject of an item of the view. Names from the file and this program's own words are separate cases, because
  /// an output in the file may have any name.
  package enum Subject: Hashable {
    case state(region: Int)
    case output(Int)
    case value(Int)
    case playing
    /// The messages of Open Sound Control.
    case sent
    /// The last request for a change of the machine's power.
    case power
    case hardware(PluggableHardware)

    /// Whether the subject is visible or audible at the panel.
    var isShown: Bool {
      switch self {
      case .output, .playing, .sent, .power: true
      case .state, .value, .hardware: false
      }
    }
  }

  /// The look or sound of a subject. It is converted to text only to be printed: a step changes only a few of thousands
  /// of values.
  enum Shown: Equatable {
    case state(Int)
    case look(ObservedOutput)
    case value(Int)
    case elements([Int])
    case playing([Int])
    case sent(SentOSCMessages)
    case power(MachinePowerDriver.Model)
  }

  // Inlined: called for each of thousands of values, most of which have not changed.
  @inline(__always)
  func shown(_ subject: Subject, in frame: PanelFrame) -> Shown {
    switch subject {
    case .state(let region): .state(show.toldState(of: region, in: frame))
    case .output(let output): .look(session.look(of: output))
    case .value(let value):
      if let list = lists[value] {
        .elements(Array(frame.elements(of: list)))
      } else {
        .value(frame[value: value])
      }
    case .playing: .playing(show.audible(in: frame))
    case .sent: .sent(frame.sentMessages)
    case .power: .power(frame.powerRequests)
    case .hardware: preconditionFailure("hardware is listed when it is lost")
    }
  }

  func text(_ shown: Shown, of subject: Subject) -> String {
    switch (shown, subject) {
    case (.state(let state), .state(let region)): show.path(of: state, in: region)
    case (.look(let look), _): "\(look)"
    case (.value(let number), .value(let value)): panel.values[value].text(of: number)
    case (.elements(let elements), .value(let value)): panel.values[value].text(of: elements)
    case (.playing(let sounds), _): text(of: sounds)
    case (.sent(let messages), _): text(of: messages, since: messages.count - 1)
    case (.power(let requests), _): text(of: requests.change)
    case (.state, _), (.value, _), (.elements, _):
      preconditionFailure("a region is in a state, and a value has a number or elements")
    }
  }

  /// The messages after the first `count`, in the form of an expectation; `nothing` if there are none.
  func text(of messages: SentOSCMessages, since count: Int) -> String {
    let sent = messages.since(max(0, count)).sent
    return sent.isEmpty
      ? "nothing" : sent.map { panel.messages[$0.message].words(with: $0.results) }.joined(separator: ", ")
  }

  /// The last request for a change of the machine's power, in the form of an expectation.
  func text(of change: PowerChange?) -> String { change?.rawValue ?? Expectation.noPower }

  /// Sounds in the form of an expectation.
  func text(of sounds: [Int]) -> String {
    sounds.isEmpty ? "nothing" : sounds.map { panel.sounds[$0].name }.joined(separator: ", ")
  }

  /// All subjects with their texts, then the hardware that is lost.
  package var all: [(subject: Subject, text: String)] {
    let frame = session.frame
    return subjects.map { ($0, text(shown($0, in: frame), of: $0)) } + frame.missing.map { (.hardware($0), "lost") }
  }

  /// The inputs that have a position or a number, with its text.
  var inputs: [(name: String, text: String)] {
    panel.inputs.indices.compactMap { input in text(ofInput: input).map { (panel.inputs[input].name, $0) } }
  }

  /// The position of an input, or its number; nil for an input that has neither.
  func text(ofInput input: Int) -> String? {
    let (device, frame) = (panel.inputs[input].device, session.observedFrame)
    if let scale = device.scale, let number = panel.number(of: input, in: frame) { return scale.text(of: number) }
    guard !device.positions.isEmpty else { return device.scale == nil ? nil : "unknown" }
    guard frame[position: input] != PanelFrame.unknownPosition else { return "unknown" }
    return device.positions[frame[position: input]]
  }

  /// The whole view in the form of ``line(_:)``, and the inputs.
  package var wholeLine: String {
    ([line(all)] + inputs.map { "\($0.name)=\($0.text)" }).joined(separator: "  ")
  }

  func name(ofRegion region: Int) -> String { panel.regions[region].name.map { "state.\($0)" } ?? "state" }

  /// The subject's name in an `expect`. `audio` and `gpio` are reserved: nothing else in a file has these names.
  func name(of subject: Subject) -> String {
    switch subject {
    case .state(let region): name(ofRegion: region)
    case .output(let output): panel.outputs[output].name
    case .value(let value): panel.values[value].name
    case .playing: "playing"
    case .sent: "sent"
    case .power: "power"
    case .hardware(let hardware): panel.name(of: hardware)
    }
  }

  /// An event with the events of inputs that follow from it: `right.pressed, both.pressed`.
  func text(of entry: PanelJournal.Entry) -> String {
    ([entry.text] + entry.consequences.events.map { panel.name(of: $0) }).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// State changes by one event: `fan: running -> after-run`, or `idle -> ringing` in a region without a name.
  func text(of changes: [RuleTrace.StateChange]) -> String {
    changes.map { change in
      let name = panel.regions[change.region].name.map { "\($0): " } ?? ""
      return "\(name)\(show.path(of: change.from, in: change.region)) -> \(show.path(of: change.to, in: change.region))"
    }.joined(separator: ", ")
  }

  /// The time since the start and the subjects with their texts, as in an `expect`: `1.005s  lamp=on`.
  package func line(_ view: [(subject: Subject, text: String)]) -> String {
    let words = view.map { "\(name(of: $0.subject))=\($0.text)" }
    return "\(session.seconds(at: session.now))  " + words.joined(separator: "  ")
  }
}
