import CycleCore
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

/// Random expressions of times of day and durations, compared with plain arithmetic.
@Suite("Arithmetic with times of day")
struct TimeArithmeticTests {
  private static let seeds: Range<UInt64> = 0..<20
  private static let count = 20
  private static let times = ["u": 390, "v": 1439]
  private static let durations = ["d": 90_000, "e": 172_800_000]

  /// A text of the language and its result: minutes since midnight, or milliseconds.
  private struct Draw {
    var random: SeededGenerator

    mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func name(in values: [String: Int]) -> (text: String, result: Int) {
      let values = values.sorted { $0.key < $1.key }
      let (name, number) = values[pick(0...values.count - 1)]
      return (name, number)
    }

    mutating func duration(_ depth: Int) -> (text: String, result: Int) {
      switch pick(0...(depth > 0 ? 5 : 2)) {
      case 0:
        let (unit, milliseconds, most) = [("ms", 1, 5000), ("s", 1000, 600), ("m", 60_000, 600), ("h", 3_600_000, 10)][
          pick(0...3)]
        let number = pick(0...most)
        return ("\(number)\(unit)", number * milliseconds)
      case 1, 2: return name(in: TimeArithmeticTests.durations)
      case 3, 4:
        let (a, b, isSum) = (duration(depth - 1), duration(depth - 1), pick(0...1) == 1)
        return ("(\(a.text) \(isSum ? "+" : "-") \(b.text))", isSum ? a.result + b.result : a.result - b.result)
      default:
        let (a, factor) = (duration(depth - 1), pick(0...3))
        return ("(\(a.text) * \(factor))", a.result * factor)
      }
    }

    mutating func time(_ depth: Int) -> (text: String, result: Int) {
      switch pick(0...(depth > 0 ? 6 : 2)) {
      case 0:
        let minutes = pick(0...1439)
        return (ClockReader.text(ofMinutes: minutes), minutes)
      case 1, 2: return name(in: TimeArithmeticTests.times)
      case 3, 4, 5:
        let (a, b, isSum) = (time(depth - 1), duration(2), pick(0...1) == 1)
        // A part of a minute does not count, and the time goes round at midnight.
        let minutes = floor(b.result, 60_000)
        let sum = isSum ? a.result + minutes : a.result - minutes
        return ("(\(a.text) \(isSum ? "+" : "-") \(b.text))", sum - 1440 * floor(sum, 1440))
      default:
        let (a, b, isMinimum) = (time(depth - 1), time(depth - 1), pick(0...1) == 1)
        let result = isMinimum ? min(a.result, b.result) : max(a.result, b.result)
        return ("\(isMinimum ? "min" : "max")(\(a.text), \(b.text))", result)
      }
    }

    /// A quotient, rounded down.
    private func floor(_ number: Int, _ divisor: Int) -> Int {
      number / divisor - (number % divisor < 0 ? 1 : 0)
    }
  }

  @Test("random times with durations added and subtracted are as plain arithmetic says", arguments: seeds)
  func random(seed: UInt64) throws {
    var draw = Draw(random: SeededGenerator(seed: seed))
    let expressions = (0..<Self.count).map { _ in draw.time(3) }
    let values = expressions.indices.map { "  w\($0): { initial: \"00:00\" }\n" }.joined()
    let changes = expressions.enumerated().map { "        w\($0): \"\($1.text)\"\n" }.joined()
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { a: { button: GPIO17 } }
        values:
          u: { initial: "06:30" }
          v: { initial: "23:59" }
          d: { initial: 90s, min: 0s, max: 48h }
          e: { initial: 48h, min: 0s, max: 48h }

        """ + values + "on:\n  a.pressed:\n      set:\n" + changes + "initial: x\nstates: { x: }\n")
    #expect(try stage.take("click a") == [])
    for (place, expression) in expressions.enumerated() {
      #expect(stage.value("w\(place)") == expression.result, "seed \(seed): \(expression.text)")
    }
  }
}
