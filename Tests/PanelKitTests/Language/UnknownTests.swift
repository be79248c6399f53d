import CycleCore
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage

@Suite("What is unknown")
struct UnknownTests {
  private static let panel = """
    panel: P
    inputs:
      a: { switch: GPIO5 }
      b: { switch: GPIO6 }
      s: { sensor: { w1: any }, min: 0, max: 3 }
    values: { l: { list: 3, min: 0, max: 3 }, n: { initial: 2, min: 0, max: 3 } }
    initial: x
    states: { x: {} }

    """

  private struct Draw {
    var random: SeededGenerator

    mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func number(_ depth: Int) -> Number {
      switch depth > 0 ? pick(0...10) : pick(0...2) {
      case 0: .constant(pick(-2...4))
      case 1: .value(1)
      case 2: .reading(2)
      case 3: .sum(number(depth - 1), number(depth - 1))
      case 4: .difference(number(depth - 1), number(depth - 1))
      case 5: .product(number(depth - 1), number(depth - 1))
      case 6: .negative(number(depth - 1))
      case 7: .magnitude(number(depth - 1))
      case 8: .minimum(number(depth - 1), number(depth - 1))
      case 9: .maximum(number(depth - 1), number(depth - 1))
      default: .element(ListSlots(value: 0, first: 0, capacity: 3), at: number(depth - 1))
      }
    }

    mutating func condition(_ depth: Int) -> Condition {
      switch depth > 0 ? pick(0...6) : pick(0...1) {
      case 0: .position(input: pick(0...2), pick(0...1))
      case 1: .comparison(number(2), Relation.allCases[pick(0...5)], number(2))
      case 2, 3: .not(condition(depth - 1))
      case 4: .all((0...pick(0...2)).map { _ in condition(depth - 1) })
      default: .any((0...pick(0...2)).map { _ in condition(depth - 1) })
      }
    }
  }

  @Test("a condition that is true or false stays so, whatever the unknown inputs turn out to be", arguments: 0..<10)
  func replaced(seed: UInt64) throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    var draw = Draw(random: SeededGenerator(seed: seed))
    var decided = 0
    for _ in 0..<1000 {
      let condition = draw.condition(4)
      var frame = PanelRules(panel: panel).blank(withChance: 0)
      frame.setElements(
        of: ListSlots(value: 0, first: 0, capacity: 3), to: (0..<draw.pick(0...3)).map { _ in draw.pick(0...3) })
      for input in 0...1 { frame[position: input] = draw.pick(PanelFrame.unknownPosition...1) }
      let isRead = draw.pick(0...1) == 1
      if isRead { (frame[position: 2], frame[reading: 2]) = (draw.pick(0...1), draw.pick(0...3)) }
      let truth = condition.truth(in: frame)
      #expect(condition.holds(in: frame) == (truth == true), "seed \(seed): \(condition)")
      guard let truth else { continue }
      decided += 1
      for a in frame[position: 0] < 0 ? 0...1 : frame[position: 0]...frame[position: 0] {
        for b in frame[position: 1] < 0 ? 0...1 : frame[position: 1]...frame[position: 1] {
          for (position, reading) in isRead
            ? [(frame[position: 2], frame[reading: 2])] : (0...7).map({ ($0 % 2, $0 / 2) })
          {
            var known = frame
            (known[position: 0], known[position: 1], known[position: 2]) = (a, b, position)
            known[reading: 2] = reading
            #expect(condition.truth(in: known) == truth, "seed \(seed): \(condition)")
          }
        }
      }
    }
    // Some are unknown, and not all.
    #expect((300...990).contains(decided), "seed \(seed): \(decided)")
  }

  @Test("a comparison with a number that has not been read is unknown, whatever is computed from it")
  func number() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let frame = PanelRules(panel: panel).blank(withChance: 0)
    let list = ListSlots(value: 0, first: 0, capacity: 3)
    for number in [
      Number.reading(2), .product(.constant(0), .reading(2)), .maximum(.constant(9), .reading(2)),
      .minimum(.constant(-9), .reading(2)), .element(list, at: .reading(2)), .negative(.reading(2)),
    ] {
      #expect(number.result(in: frame) == .unknown)
      for relation in Relation.allCases {
        #expect(Condition.comparison(number, relation, .constant(0)).truth(in: frame) == nil)
      }
    }
  }
}
