import CycleCore
import PanelLanguage
import Terminal

/// A remote command to a panel, from its control socket, by MQTT or by OSC.
package enum RemoteCommand: Equatable, Sendable {
  case press(Int)
  case release(Int)
  /// A press, with a release as soon as the press counts.
  case click(Int)
  /// A press, with a release after a duration.
  case hold(Int, for: Duration)
  /// A release that is ignored if the sender doesn't hold the button: a controller sends it when its button is
  /// released.
  case letGo(Int)
  /// An event of the file, by its place in ``AcceptedCommands/events``.
  case ask(event: Int)
  /// The zero that a controller sends for an event when its button is released. It is accepted and does nothing.
  case skip(event: Int)
  /// A turn by a number of detents; counterclockwise if the number is negative.
  case turn(Int, by: Int)
  case set(value: Int, to: Int)
  /// Adds to a value, like `+1` in a panel file. The result is limited to the range of the value.
  case change(value: Int, by: Int)

  /// The words that can start a command.
  package static let words = ["press", "release", "click", "hold", "turn", "set", "do"]
  /// The maximum number of detents of one command.
  static let mostDetents = 100

  /// Reads a command: `press bell`, `hold bell 2s`, `turn knob -3`, `set level 9`, `set level = -4`, `do light`,
  /// `do light 0`.
  ///
  /// - Parameters:
  ///   - words: the words of the command.
  ///   - panel: the panel whose file accepts commands.
  /// - Throws: ``RemoteRefusal`` if the command is wrong or not accepted.
  package init(_ words: [String], for panel: PanelDefinition) throws(RemoteRefusal) {
    let word = words.first ?? ""
    switch (word, words.count) {
    case ("press", 2): self = .press(try panel.acceptedInput(words[1], .button))
    case ("press", 3...): self = try panel.press(words[1], Array(words[2...]))
    case ("release", 2): self = .release(try panel.acceptedInput(words[1], .button))
    case ("click", 2): self = .click(try panel.acceptedInput(words[1], .button))
    case ("hold", 3):
      let input = try panel.acceptedInput(words[1], .button)
      let longest = RemoteCommandInput.longestPress
      guard let span = try? Quantity.duration(words[2]), (.milliseconds(1)...longest).contains(span) else {
        throw RemoteRefusal(.wrongContent, "\(words[1]) is held for 1ms to \(Quantity.text(longest))")
      }
      self = .hold(input, for: span)
    case ("do", 2): self = .ask(event: try panel.acceptedEvent(words[1]))
    case ("do", 3...):
      let event = try panel.acceptedEvent(words[1])
      self = Self.isZero(words[2...].joined(separator: " ")) ? .skip(event: event) : .ask(event: event)
    case ("turn", 3):
      let input = try panel.acceptedInput(words[1], .knob)
      let most = Self.mostDetents
      guard let detents = WrittenNumber(words[2])?.rounded(decimals: 0), (-most...most).contains(detents), detents != 0
      else { throw RemoteRefusal(.wrongContent, "\(words[1]) turns by 1 to \(most) detents, or by -1 to -\(most)") }
      self = .turn(input, by: detents)
    case ("set", 3...): self = try panel.change(of: words[1], to: words[2...].joined(separator: " "))
    case ("press", _), ("release", _), ("click", _), ("do", _): throw RemoteRefusal(.wrongUsage, "write \(word) NAME")
    case ("hold", _): throw RemoteRefusal(.wrongUsage, "write hold NAME DURATION")
    case ("turn", _): throw RemoteRefusal(.wrongUsage, "write turn NAME N")
    case ("set", _): throw RemoteRefusal(.wrongUsage, "write set NAME VALUE")
    default: throw RemoteRefusal(.wrongUsage, "there is no command \(quoted(word)); \(listed(Self.words)) are")
    }
  }

  /// The words that a button accepts besides numbers and on/off texts, for messages.
  package static let pressWords = "press, release, click or hold 2s"

  /// Whether a text is one that programs send when a button is released: `0`, `0.0`, `OFF`, `false`, `F`, `N`.
  static func isZero(_ text: String) -> Bool {
    if let number = WrittenNumber(text) { return number.isZero }
    return ["off", "false"].contains(text.lowercased()) || ["F", "N"].contains(text)
  }

  /// Whether a text is a number, or a word for on or off. For a button, these mean pressed or not pressed.
  package static func isSwitched(_ text: String) -> Bool {
    WrittenNumber(text) != nil || isZero(text) || ["on", "true"].contains(text.lowercased())
  }
}

extension RemoteCommand {
  /// The name of the input, event or value that the command is for.
  package func name(in panel: PanelDefinition) -> String {
    switch self {
    case .press(let input), .release(let input), .click(let input), .hold(let input, _), .turn(let input, _),
      .letGo(let input):
      panel.inputs[input].name
    case .ask(let event), .skip(let event): panel.accept.events[event]
    case .set(let value, _), .change(let value, _): panel.values[value].name
    }
  }

  /// The argument of the command in the form of a step: `press`, `-3`, `+1`, `= -4`, `250ms`.
  package func value(in panel: PanelDefinition) -> String {
    switch self {
    case .press: "press"
    case .release: "release"
    case .click: "click"
    case .hold(_, let span): "hold \(Quantity.text(span))"
    case .ask: "do"
    case .letGo, .skip: "0"
    case .turn(_, let detents): "\(detents)"
    case .set(let value, let number): "\(number < 0 ? "= " : "")\(panel.values[value].text(of: number))"
    case .change(let value, let difference): panel.values[value].changeText(of: difference)
    }
  }

  /// Whether this command can emit an event, for which another command is given: a click emits a press and a release.
  package func canTell(_ event: RemoteCommand) -> Bool {
    switch (self, event) {
    case (.click(let input), .press(let other)), (.click(let input), .release(let other)),
      (.hold(let input, _), .press(let other)), (.hold(let input, _), .release(let other)),
      (.press(let input), .release(let other)), (.letGo(let input), .release(let other)):
      input == other
    case (.turn(let input, let detents), .turn(let other, let detent)):
      input == other && detents.signum() == detent.signum()
    default: self == event
    }
  }
}

/// The reason why a remote command was not performed.
package struct RemoteRefusal: Error, Equatable {
  package enum Kind: Equatable, Sendable {
    /// The text is not a command.
    case wrongUsage
    /// The panel doesn't have this name, or a number is out of range.
    case wrongContent
    /// The panel file doesn't accept it.
    case notAccepted
    /// The panel can't perform the command now: the input is pressed already, or its lines are missing.
    case busy
    /// The panel has stopped.
    case stopped
  }

  var kind: Kind
  package var text: String

  package init(_ kind: Kind, _ text: String) {
    (self.kind, self.text) = (kind, text)
  }

  /// The exit status of a command that ends with this refusal.
  package var status: Int32 {
    switch kind {
    case .wrongUsage: ExitStatus.wrongUsage
    case .wrongContent: ExitStatus.wrongContent
    case .notAccepted: ExitStatus.notPermitted
    case .busy: ExitStatus.unavailable
    case .stopped: ExitStatus.propertyViolated
    }
  }
}

extension PanelDefinition {
  /// Returns an input that accepts this kind of remote command.
  fileprivate func acceptedInput(_ name: String, _ control: InputControl) throws(RemoteRefusal) -> Int {
    let (key, accepted) = control == .button ? ("press", accept.presses) : ("turn", accept.turns)
    guard let input = inputs.firstIndex(where: { $0.name == name }) else {
      throw unknown(name, "input", among: accepted.map { inputs[$0].name })
    }
    if accepted.contains(input) { return input }
    guard type(of: inputs[input].device).control == control else {
      throw RemoteRefusal(
        .wrongContent, "\(name) is \(type(of: inputs[input].device).phrase), which \(key) is not for")
    }
    let noun = control == .button ? "button" : "encoder"
    throw RemoteRefusal(
      .notAccepted,
      "refused: the panel file does not allow the \(noun) \(quoted(name)); add accept: { \(key): [\(name)] }")
  }

  /// Returns an event that the file accepts.
  fileprivate func acceptedEvent(_ name: String) throws(RemoteRefusal) -> Int {
    if let event = accept.events.firstIndex(of: name) { return event }
    let near = nearest(to: name, among: accept.events).map { "did you mean \(quoted($0))?" }
    throw RemoteRefusal(
      .notAccepted,
      "refused: the panel file does not allow the event \"\(shownName(name))\"; \(near ?? "add accept: { event: [\(shownName(name))] }")"
    )
  }

  /// A name that another program has sent, shortened for a message.
  private func shownName(_ name: String) -> String { visible(name.shortened(to: 64)) }

  /// Reads the words for a button: `release`, `hold 2s`. A number other than zero presses the button, like the words
  /// for on. Zero releases it, like the words for off. Any other word presses it too, except one that resembles
  /// `release`, `click` or `hold`.
  fileprivate func press(_ name: String, _ words: [String]) throws(RemoteRefusal) -> RemoteCommand {
    let input = try acceptedInput(name, .button)
    switch (words[0], words.count) {
    case ("press", 1): return .press(input)
    case ("release", 1): return .release(input)
    case ("click", 1): return .click(input)
    case ("hold", 2): return try RemoteCommand(["hold", name, words[1]], for: self)
    case (let word, _):
      if RemoteCommand.isZero(words.joined(separator: " ")) { return .letGo(input) }
      guard word != "hold", nearest(to: word, among: ["release", "click", "hold"]) == nil else {
        throw RemoteRefusal(.wrongUsage, "use \(RemoteCommand.pressWords)")
      }
      return .press(input)
    }
  }

  /// Reads a text for a value, like `set` in a panel file: `9` and `= -4` set the value, `+1` and `-1` change it.
  fileprivate func change(of name: String, to text: String) throws(RemoteRefusal) -> RemoteCommand {
    guard let place = values.firstIndex(where: { $0.name == name }) else {
      throw unknown(name, "value", among: accept.values.map { values[$0].name })
    }
    guard accept.values.contains(place) else {
      throw RemoteRefusal(
        .notAccepted,
        "refused: the panel file does not allow the value \(quoted(name)); add accept: { set: [\(name)] }")
    }
    let value = values[place]
    if text.hasPrefix("+") || text.hasPrefix("-") {
      return .change(value: place, by: try value.number(in: text[...]))
    }
    let number = try value.number(in: text.hasPrefix("=") ? text.dropFirst().drop { $0 == " " } : text[...])
    guard (value.min...value.max).contains(number) else { throw value.refusal("\(value.given(text)) is outside") }
    return .set(value: place, to: number)
  }

  private func unknown(_ name: String, _ noun: String, among known: [String]) -> RemoteRefusal {
    let remedy =
      nearest(to: name, among: known).map { "did you mean \(quoted($0))?" }
      ?? (known.isEmpty ? "the panel accepts none" : "\(noun)s: \(listed(known))")
    return RemoteRefusal(.wrongContent, "unknown \(noun) \(quoted(name)); \(remedy)")
  }
}

extension PanelDefinition.Value {
  /// A difference in the form that ``RemoteCommand`` reads: `+1`, `-250ms`.
  func changeText(of difference: Int) -> String {
    if isTime { return "\(difference < 0 ? "" : "+")\(difference)m" }
    return "\(difference < 0 ? "" : "+")\(text(of: difference))"
  }

  /// The number in a remote text, with its sign, rounded to the decimals of the value or to whole milliseconds.
  fileprivate func number(in text: Substring) throws(RemoteRefusal) -> Int {
    if isTime, text.hasPrefix("+") || text.hasPrefix("-") {
      if let span = try? Quantity.duration(String(text.dropFirst())), let milliseconds = span.wholeMilliseconds {
        return milliseconds / 60_000 * (text.hasPrefix("-") ? -1 : 1)
      }
      throw refusal("\(quoted(String(text))) is not a duration; write +5m or -5m")
    }
    if isTime {
      if let minutes = ClockReader.minutes(text) { return minutes }
      throw refusal("\(quoted(String(text))) is not a time of day; write 06:30")
    }
    guard isDuration else {
      guard let number = WrittenNumber(text) else {
        throw refusal("\(quoted(String(text))) is not a number; write 9, +1, -1 or = -4")
      }
      guard let rounded = number.rounded(decimals: decimals) else { throw refusal("\(given(String(text))) is outside") }
      return rounded
    }
    let isNegative = text.hasPrefix("-")
    let size = isNegative || text.hasPrefix("+") ? text.dropFirst() : text
    do throws(Quantity.Fault) {
      // A duration can't have a second sign.
      let span = try Quantity.duration(String(size.first == "+" ? text : size))
      return span.roundedMilliseconds * (isNegative ? -1 : 1)
    } catch {
      throw refusal(error.text)
    }
  }

  /// A requested number, shortened for a message.
  fileprivate func given(_ text: String) -> String {
    visible(String((text.hasPrefix("=") ? text.dropFirst().drop { $0 == " " } : text[...]).prefix(40)))
  }

  fileprivate func refusal(_ why: String) -> RemoteRefusal {
    RemoteRefusal(.wrongContent, "\(name) is \(text(of: min)) to \(text(of: max)); \(why)")
  }
}

extension Duration {
  /// The duration in milliseconds, rounded half up. It must not be negative.
  fileprivate var roundedMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
  }
}
