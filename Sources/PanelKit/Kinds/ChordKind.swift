import PanelLanguage
import Terminal

/// `both: { chord: [left, right], within: 300ms }`: several buttons as one. It is pressed when all of them are down and
/// were pressed within a time. It is released when one of them is released.
package struct ChordKind: DerivedInputKind, DrivenInputKind {
  package static let grammar = FieldSet(
    name: "a chord", summary: "2 to 4 buttons together", sample: "both: { chord: [left, right] }",
    keys: [
      Key(name: "chord", takes: "a list of 2...4 buttons: [left, right]", shape: .list(of: .text, count: 2...4)),
      Key(
        name: "within", takes: "a duration: 300ms", shape: .span(.milliseconds(1) ... .seconds(10)), usual: "`300ms`",
        meaning: "longest time from the first press to the last one"),
    ] + DeviceFields.chordKeys)

  package var events: [String] { Array(ButtonEvent.words[...ButtonEvent.doubleClicked]) }
  package var positions: [String] { ButtonEvent.positions }
  package func position(after event: Int) -> Int? { ButtonEvent.position(after: event) }

  private var chord: ChordRule
  package var rule: Derivation { .chord(chord) }
  package var needsClock: Bool { chord.hold != nil || chord.doubleClick != nil }
  private let items: [YAMLNode]

  package init?(reading fields: DeviceFields) {
    let presses = fields.gestures(after: nil)
    chord = ChordRule(
      within: fields.duration("within") ?? .milliseconds(300), hold: presses.hold, doubleClick: presses.doubleClick)
    guard let field = fields["chord"], let items = fields.problems.items(field) else { return nil }
    guard (2...4).contains(items.count) else {
      fields.problems.add(
        field.node.position, "\"chord\" is a list of \(items.count); it takes \(field.key.takes)")
      return nil
    }
    self.items = items
  }

  package mutating func enable(event: Int) {
    var presses = GestureSettings()
    (presses.hold, presses.doubleClick, presses.emitsClicks) = (chord.hold, chord.doubleClick, chord.emitsClicks)
    presses.enable(event: event)
    (chord.hold, chord.doubleClick, chord.emitsClicks) = (presses.hold, presses.doubleClick, presses.emitsClicks)
  }

  package mutating func resolve(_ name: String, in names: Names, _ problems: ProblemList) {
    for item in items {
      guard case .scalar(let text) = item.content else {
        problems.add(item.position, "\(item.kind) in a chord; write the name of a button")
        continue
      }
      guard let input = names.input(text, at: item.position, problems) else { continue }
      if names.inputDevices[input].map({ type(of: $0).control }) != .button {
        problems.add(item.position, "\(quoted(text)) is not a button; write the name of a button")
      } else if chord.buttons.contains(input) {
        problems.add(item.position, "\(quoted(text)) is in the chord twice; write it once")
      } else {
        chord.buttons.append(input)
      }
    }
  }
}
