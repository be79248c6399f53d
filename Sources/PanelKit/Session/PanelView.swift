import CycleCore

/// What can be seen and heard of a panel at work, as text.
final class PanelView {
  private unowned let session: PanelSession
  /// Where the elements of each value are; nil for a value that is no list. Kept here because it is read for each of thousands of values
  /// at each step.
  private let lists: [ListPlace?]
  /// Everything that can be seen or heard: states, outputs, values and what is playing, each in the order of the file.
  let subjects: [Subject]

  init(of session: PanelSession) {
    self.session = session
    let panel = session.panel
    lists = panel.values.map(\.list)
    subjects =
      session.application.show.toldRegions.map { .state(region: $0) } + panel.outputs.indices.map { .output($0) }
      + panel.values.indices.map { .value($0) } + (panel.sounds.isEmpty ? [] : [.playing])
      + (panel.messages.isEmpty ? [] : [.sent])
  }

  private var panel: PanelDefinition { session.panel }
  private var show: PanelShow { session.application.show }

  /// What an item of the view is about. Names from the file and this program's own words are separate cases, because an
  /// output in the file may have any name.
  enum Subject: Hashable {
    case state(region: Int)
    case output(Int)
    case value(Int)
    case playing
    /// The messages of Open Sound Control.
    case sent
    case hardware(PluggableHardware)

    /// Whether somebody in front of the panel sees or hears it.
    var isShown: Bool {
      switch self {
      case .output, .playing, .sent: true
      case .state, .value, .hardware: false
      }
    }
  }

  /// How a subject looks or sounds. It is converted to text only to be printed: of thousands of values a step changes a
  /// few.
  enum Shown: Equatable {
    case state(Int)
    case look(ObservedOutput)
    case value(Int)
    case elements([Int])
    case playing([Int])
    case sent(SentMessages)
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
    case .hardware: preconditionFailure("hardware is listed when it is lost")
    }
  }

  func text(_ shown: Shown, of subject: Subject) -> String {
    switch (shown, subject) {
    case (.state(let state), .state(let region)): show.path(of: state, in: region)
    case (.look(let look), _): "\(look)"
    case (.value(let number), .value(let value)): panel.values[value].text(of: number)
    case (.elements(let elements), _): "[\(elements.map(String.init).joined(separator: ","))]"
    case (.playing(let sounds), _): text(of: sounds)
    case (.sent(let messages), _): text(of: messages, since: messages.count - 1)
    case (.state, _), (.value, _): preconditionFailure("a region is in a state, and a value has a number")
    }
  }

  /// The messages that are new since so many had been sent, as an expectation lists them; `nothing` if none are.
  func text(of messages: SentMessages, since count: Int) -> String {
    let sent = messages.since(max(0, count)).sent
    return sent.isEmpty
      ? "nothing" : sent.map { panel.messages[$0.message].words(with: $0.results) }.joined(separator: ", ")
  }

  /// Sounds as an expectation lists them.
  func text(of sounds: [Int]) -> String {
    sounds.isEmpty ? "nothing" : sounds.map { panel.sounds[$0].name }.joined(separator: ", ")
  }

  /// All subjects with their texts, then the hardware that is lost.
  var all: [(subject: Subject, text: String)] {
    let frame = session.frame
    return subjects.map { ($0, text(shown($0, in: frame), of: $0)) } + frame.missing.map { (.hardware($0), "lost") }
  }

  /// The inputs that have a position or give a number, with that.
  var inputs: [(name: String, text: String)] {
    panel.inputs.indices.compactMap { input in text(ofInput: input).map { (panel.inputs[input].name, $0) } }
  }

  /// The position of an input, or the number that a sensor has read; nil for an input that has neither.
  func text(ofInput input: Int) -> String? {
    let (device, frame) = (panel.inputs[input].device, session.frame)
    guard !device.positions.isEmpty else { return nil }
    guard frame[position: input] != PanelFrame.unknownPosition else { return "unknown" }
    let position = device.positions[frame[position: input]]
    guard let scale = device.scale, frame[position: input] == SensorKind.isThere else { return position }
    return scale.text(of: frame[reading: input])
  }

  /// All that there is to see and hear, as ``line(_:)``, and the inputs.
  var wholeLine: String {
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
    case .hardware(let hardware): panel.name(of: hardware)
    }
  }

  /// An event with those of inputs that follow from it: `right.pressed, both.pressed`.
  func text(of entry: PanelJournal.Entry) -> String {
    ([entry.text] + entry.consequences.events.map { panel.name(of: $0) }).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Changes of states by one event: `fan: running -> after-run`, of a region without a name `idle -> ringing`.
  func text(of changes: [PanelRecord.StateChange]) -> String {
    changes.map { change in
      let name = panel.regions[change.region].name.map { "\($0): " } ?? ""
      return "\(name)\(show.path(of: change.from, in: change.region)) -> \(show.path(of: change.to, in: change.region))"
    }.joined(separator: ", ")
  }

  /// The time since the start and the subjects with their texts, as in an `expect`: `1.005s  lamp=on`.
  func line(_ view: [(subject: Subject, text: String)]) -> String {
    let words = view.map { "\(name(of: $0.subject))=\($0.text)" }
    return "\(session.seconds(at: session.now))  " + words.joined(separator: "  ")
  }
}
