import CycleCore
import PanelEngine
import PanelLanguage

/// A path as a scenario file. The scenario performs the actions of the path, and fails while the panel can take it.
struct ScenarioText {
  private let model: ProofModel
  private let way: Proof.Path
  private let moments: [Int]
  /// The scenario's name.
  private let name: String
  private let expectation: Expectation

  /// The expectation at the end, on a panel that does not take the path.
  enum Expectation {
    /// This condition doesn't hold.
    case not(String)
    /// The panel still works.
    case works
  }

  /// Whether a file of this name does not exist, or was written by a proof of the same property. Such a file has the
  /// same name line and only the two or three lines that a proof writes.
  static func canReplace(_ path: String, by text: String) -> Bool {
    guard TextFile.isThere(path) else { return true }
    guard let bytes = try? TextFile.read(path: path, what: "a scenario file") else { return false }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard (2...3).contains(lines.count), lines[0] == text.prefix(while: { $0 != "\n" }),
      lines[lines.count - 1].hasPrefix("steps: [ { ")
    else {
      return false
    }
    return lines.count == 2 || lines[1].hasPrefix("start: { ")
  }

  /// Nil for a path that no hand is quick enough for.
  init?(_ way: Proof.Path, in model: ProofModel, named name: String, expecting expectation: Expectation) {
    guard let moments = way.moments else { return nil }
    (self.model, self.way, self.moments) = (model, way, moments)
    (self.name, self.expectation) = (name, expectation)
  }

  var text: String {
    var lines = ["scenario: \(Self.quoted(name))"]
    let positions =
      way.trace.moved.map { input, position in
        "\(model.panel.inputs[input].name): \(model.panel.inputs[input].device.word(ofPosition: position))"
      } + way.trace.unknown.map { "\(model.panel.inputs[$0].name): unknown" }
      + way.trace.kept.map { "\($0.name): \($0.text)" }
    if !positions.isEmpty {
      lines.append("start: { \(positions.joined(separator: ", ")) }")
    }
    lines.append("steps: [ \(steps.map { "{ \($0) }" }.joined(separator: ", ")) ]")
    return lines.joined(separator: "\n") + "\n"
  }

  /// An action at a moment, and its length; both in nanoseconds.
  private struct Action {
    var moment: Int
    var step: String
    var span = 0
  }

  private var steps: [String] {
    var steps: [String] = []
    let draws = drawn
    if !draws.isEmpty { steps.append("draw: [ \(draws.joined(separator: ", ")) ]") }
    var now = 0
    func wait(until moment: Int) {
      guard moment > now else { return }
      steps.append("wait: \(Quantity.text(.nanoseconds(moment - now)))")
      now = moment
    }
    let end = moments.last ?? 0
    let actions = way.trace.events.indices.flatMap { done(for: $0) }.enumerated()
      .sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }.map(\.element)
    for action in actions where action.moment <= end {
      wait(until: action.moment)
      steps.append(action.step)
      now += action.span
    }
    wait(until: end + lateness)
    switch expectation {
    case .not(let condition): steps.append("expect: \(Self.quotedIfNeeded("not (\(condition))"))")
    case .works: steps.append("expect: { ended: 0 }")
    }
    return steps
  }

  /// The greatest delay of a polled contact compared with the proof, in nanoseconds.
  private var lateness: Int {
    let inputs = way.trace.events.compactMap(\.hand).map(\.input).filter { $0 >= 0 }.map {
      model.panel.inputs[$0].device
    }
    return inputs.map { Int(($0.longestDebounce - $0.debounce).wholeNanoseconds) }.max() ?? 0
  }

  private func done(for event: Int) -> [Action] {
    guard let hand = way.trace.events[event].hand else { return [] }
    let start = moments[event] - hand.lead * model.tick
    let millisecond = 1_000_000
    let input = hand.input < 0 ? nil : model.panel.inputs[hand.input]
    let name = input?.name ?? ""
    switch hand.action {
    case .press: return [Action(moment: start, step: "press: \(name)")]
    case .release: return [Action(moment: start, step: "release: \(name)")]
    case .gesture(let presses):
      return presses.map { moment, isPress in
        Action(moment: moments[event] + moment * model.tick, step: "\(isPress ? "press" : "release"): \(name)")
      }
    case .switch(let position):
      return [Action(moment: start, step: "switch: { \(name): \(input?.device.positions[position] ?? "") }")]
    case .turn(let detents):
      return [Action(moment: start, step: "turn: { \(name): \(detents) }", span: 4 * millisecond)]
    case .sense(let number):
      let text = Quantity.text(number, decimals: input?.device.scale?.decimals ?? 0)
      return [Action(moment: start, step: "sense: { \(name): \(text) }")]
    case .event(let place, let number):
      let carried = number.map { " " + Quantity.text($0, decimals: input?.device.scale?.decimals ?? 0) } ?? ""
      return [Action(moment: start, step: "event: { \(name): \(input?.device.events[place] ?? "")\(carried) }")]
    case .unplugSensor: return [Action(moment: start, step: "unplug: \(name)")]
    case .unplug(let hardware): return [Action(moment: start, step: "unplug: \(model.panel.name(of: hardware))")]
    case .plug(let hardware): return [Action(moment: start, step: "plug: \(model.panel.name(of: hardware))")]
    case .set(let value, let number):
      let definition = model.panel.values[value]
      // A sign would change the value.
      let text = number < 0 ? "\"= \(definition.text(of: number))\"" : definition.text(of: number)
      return [Action(moment: start, step: "remote: { \(definition.name): \(text) }")]
    case .ask(let event):
      return [Action(moment: start, step: "remote: { \(model.panel.accept.events[event]): do }")]
    }
  }

  /// The random results: numbers and waiting times, in the order in which they are drawn.
  private var drawn: [String] {
    way.trace.events.indices.flatMap { event in
      zip(way.trace.events[event].chances, way.trace.events[event].draws).map { chance, result in
        switch chance {
        case .number: "\(result)"
        case .wait(let range, let wait): Quantity.text(.milliseconds(span(of: wait, range, from: event)))
        }
      }
    }
  }

  /// The waiting time of a deadline that begins with an event, in milliseconds: until it occurs, or the greatest of its
  /// range.
  private func span(of wait: Int, _ range: ClosedRange<Int>, from event: Int) -> Int {
    for later in way.trace.events.indices.dropFirst(event + 1) {
      if way.trace.events[later].endedWait == wait {
        return (moments[later] - moments[event]) / 1_000_000
      }
      if way.trace.events[later].chances.contains(where: { $0.isWait(wait) }) { break }
    }
    return range.upperBound
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }.map(String.init).joined())\""
  }

  /// The text, quoted if it would have another meaning inside braces.
  private static func quotedIfNeeded(_ text: String) -> String {
    text.contains { ",[]{}#:'\"&*!|>%@`".contains($0) } ? quoted(text) : text
  }
}
