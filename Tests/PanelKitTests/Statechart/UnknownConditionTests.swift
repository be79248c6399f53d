import CycleCore
import Testing

@testable import PanelEngine
@testable import PanelLanguage

/// Conditions of inputs that have not been read, and transitions that would leave one state.
@Suite("What is unknown, and what is in conflict")
struct UnknownConditionTests {
  private static let rules = {
    let text = """
      panel: P
      inputs: { mute: { switch: GPIO3 } }
      initial: a
      states: { a: { initial: b, states: { b: { on: { mute.on: c } }, c: { on: { mute.off: b } } } } }

      """
    // swift-format-ignore: NeverUseForceTry
    return PanelRules(panel: try! PanelFile.read(Array(text.utf8), file: "p"))
  }()

  @Test("an unknown part decides nothing, but the other parts may")
  func unknown() {
    let frame = Self.rules.blank(withChance: 0)
    let unknown = Condition.position(input: 0, 1)
    let (holds, fails) = (Condition.isUnknown(input: 0), Condition.not(.isUnknown(input: 0)))
    let expected: [(Condition, Bool?)] = [
      (unknown, nil), (.not(unknown), nil),
      (.any([unknown, fails]), nil), (.any([fails, unknown]), nil), (.any([unknown, holds]), true),
      (.any([fails, fails]), false),
      (.all([unknown, holds]), nil), (.all([holds, unknown]), nil), (.all([unknown, fails]), false),
      (.all([holds, holds]), true),
      (.not(.any([unknown, fails])), nil), (.not(.all([unknown, holds])), nil),
    ]
    for (condition, truth) in expected { #expect(condition.truth(in: frame) == truth, "\(condition)") }
  }

  @Test("states that were entered without a moment get that of the beginning; the others keep theirs")
  func beginning() {
    let rules = Self.rules
    var frame = rules.first(withChance: 0)
    let begin = PanelDeadline(owner: .begin, entry: 0)
    (frame[entered: 0], frame[entered: 1]) = (0, -1)
    rules.react(to: begin, at: Moment.zero + .seconds(5), in: &frame)
    #expect(frame[entered: 0] == 0 && frame[entered: 1] == 5_000_000_000)
  }

  @Test("of two transitions that would leave one state the one of the inner source is taken, else the first one")
  func conflicts() {
    typealias Leaving = StateTree.Leaving
    let tree = Self.rules.tree
    // State 1 is a; 2 and 3 are inside it.
    #expect(tree.withoutConflicts([Leaving(source: 1, state: 1), Leaving(source: 1, state: 1)]) == [0])
    #expect(tree.withoutConflicts([Leaving(source: 1, state: 1), Leaving(source: 2, state: 2)]) == [1])
    #expect(tree.withoutConflicts([Leaving(source: 2, state: 2), Leaving(source: 1, state: 1)]) == [0])
    #expect(tree.withoutConflicts([Leaving(source: 2, state: 2), Leaving(source: 3, state: -1)]) == [0, 1])
  }

  @Test("an input can be asked whether it is unknown; where that is a word of its own, it asks for the position")
  func asked() throws {
    func stage(_ words: String) throws -> Stage {
      try Stage(
        panel: """
          panel: P
          inputs: { mute: { switch: GPIO3\(words) }, key: { button: GPIO2 } }
          initial: a
          states: { a: { on: { key.pressed: { go: b, if: mute == unknown } } }, b: {} }

          """)
    }
    #expect(
      try stage("").take("wait 1s; click key; expect state=a; switch mute=on; wait 1s; click key; expect state=a") == []
    )
    let named = ", words: { on: unknown, off: known }"
    #expect(
      try stage(named).take(
        "wait 1s; click key; expect state=a; switch mute=unknown; wait 1s; click key; expect state=b") == [])
  }
}
