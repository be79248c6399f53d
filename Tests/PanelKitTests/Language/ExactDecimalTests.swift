import CycleCore
import Foundation
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage

/// Random expressions with decimals, compared with exact fractions. `DECIMAL_EXPRESSIONS=1000000` checks more of them.
@Suite("Arithmetic with decimals is exact")
struct ExactDecimalTests {
  private static let count =
    ProcessInfo.processInfo.environment["DECIMAL_EXPRESSIONS"].flatMap { Int($0) } ?? 20_000
  private static let seeds: Range<UInt64> = 0..<10

  private static let panel = """
    panel: P
    values:
      a: { initial: 0, min: -999999999, max: 999999999 }
      b: { initial: 0, min: -999999999, max: 999999999, decimals: 1 }
      c: { initial: 0, min: -9999, max: 9999, decimals: 2 }
      d: { initial: 0, min: -99, max: 99, decimals: 3 }
      e: { initial: 1, min: 0.5, max: 999999999, decimals: 1 }
      f: { initial: -1, min: -40, max: -0.25, decimals: 2 }
    initial: x
    states: { x: {} }

    """

  /// A fraction in its lowest terms, or nothing if 128 bits are not enough.
  private struct Fraction: Equatable {
    var over: Int128
    var under: Int128

    init?(_ over: Int128?, _ under: Int128 = 1) {
      guard let over, over != .min, under > 0 else { return nil }
      var (a, b) = (over < 0 ? -over : over, under)
      while b != 0 { (a, b) = (b, a % b) }
      let divisor = max(a, 1)
      (self.over, self.under) = (over / divisor, under / divisor)
    }

    private static func product(_ a: Int128, _ b: Int128) -> Int128? {
      let (product, overflow) = a.multipliedReportingOverflow(by: b)
      return overflow ? nil : product
    }

    func plus(_ other: Fraction, times sign: Int128 = 1) -> Fraction? {
      guard let a = Self.product(over, other.under), let b = Self.product(sign * other.over, under),
        let under = Self.product(under, other.under)
      else { return nil }
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? nil : Fraction(sum, under)
    }

    func times(_ other: Fraction) -> Fraction? {
      guard let under = Self.product(under, other.under) else { return nil }
      return Fraction(Self.product(over, other.over), under)
    }

    func divided(by other: Fraction) -> Fraction? {
      let flipped = other.over < 0 ? Fraction(-other.under, -other.over) : Fraction(other.under, other.over)
      return flipped.flatMap { times($0) }
    }

    /// The whole multiple of 10 ^ -`decimals` that is not greater.
    func roundedDown(to decimals: Int) -> Fraction? {
      scaled(decimals).flatMap { Fraction(Self.floor($0), Int128(Quantity.powerOfTen(decimals))) }
    }

    /// The nearest whole multiple of 10 ^ -`decimals`, halves away from zero, times 10 ^ `decimals`.
    func rounded(to decimals: Int) -> Int128? {
      guard let scaled = scaled(decimals), let twice = Fraction(2).flatMap({ scaled.times($0) }) else { return nil }
      let isNegative = scaled.over < 0
      guard let size = Fraction(isNegative ? -twice.over : twice.over, twice.under)?.plus(Fraction(1)!) else {
        return nil
      }
      let half = Fraction(size.over, 2 * size.under).map { Self.floor($0) }
      return half.map { isNegative ? -$0 : $0 }
    }

    func scaled(_ decimals: Int) -> Fraction? { times(Fraction(Int128(Quantity.powerOfTen(decimals)))!) }

    static func floor(_ one: Fraction) -> Int128 {
      one.over / one.under - (one.over % one.under != 0 && one.over < 0 ? 1 : 0)
    }

    func isLess(than other: Fraction) -> Bool? { plus(other, times: -1).map { $0.over < 0 } }
  }

  /// A text of the language, its exact result, and its number of decimals.
  private struct Draw {
    var random: SeededGenerator
    let values: [Int]

    private static let names: [(name: String, decimals: Int)] = [
      ("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 1), ("f", 2),
    ]

    mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func leaf(_ range: ClosedRange<Int>) -> (String, Fraction?, Int) {
      let place = pick(range)
      guard place < Self.names.count else {
        let (whole, decimals) = (pick(0...9999), pick(0...3))
        let text = Quantity.text(whole, decimals: decimals)
        let written = text.drop { $0 != "." }.dropFirst().count
        return (text, Fraction(Int128(whole), Int128(Quantity.powerOfTen(decimals))), written)
      }
      let (name, decimals) = Self.names[place]
      return (name, Fraction(Int128(values[place]), Int128(Quantity.powerOfTen(decimals))), decimals)
    }

    mutating func expression(_ depth: Int) -> (text: String, exact: Fraction?, decimals: Int) {
      guard depth > 0 else { return leaf(0...7) }
      switch pick(0...8) {
      case 0: return leaf(0...7)
      case 1, 2:
        let (a, b, isSum) = (expression(depth - 1), expression(depth - 1), pick(0...1) == 1)
        let exact = a.exact.flatMap { a in b.exact.flatMap { a.plus($0, times: isSum ? 1 : -1) } }
        return ("(\(a.text) \(isSum ? "+" : "-") \(b.text))", exact, max(a.decimals, b.decimals))
      case 3, 4:
        let (a, b) = (expression(depth - 1), expression(depth - 1))
        guard a.decimals + b.decimals <= 6 else { return a }
        return (
          "(\(a.text) * \(b.text))", a.exact.flatMap { a in b.exact.flatMap { a.times($0) } }, a.decimals + b.decimals
        )
      case 5, 6:
        // The values e and f are never 0.
        let (a, b, isQuotient) = (expression(depth - 1), leaf(4...5), pick(0...1) == 1)
        let decimals = max(a.decimals, b.2)
        let quotient = a.exact.flatMap { a in b.1.flatMap { a.divided(by: $0) } }
        guard !isQuotient else { return ("(\(a.text) / \(b.0))", quotient?.roundedDown(to: decimals), decimals) }
        let multiple = quotient?.roundedDown(to: 0).flatMap { down in b.1.flatMap { $0.times(down) } }
        let rest = a.exact.flatMap { a in multiple.flatMap { a.plus($0, times: -1) } }
        return ("(\(a.text) mod \(b.0))", rest, decimals)
      case 7:
        let a = expression(depth - 1)
        return ("(-\(a.text))", a.exact.flatMap { Fraction(-$0.over, $0.under) }, a.decimals)
      default:
        let (a, b, isMinimum) = (expression(depth - 1), expression(depth - 1), pick(0...1) == 1)
        let exact = a.exact.flatMap { a in
          b.exact.flatMap { b in a.isLess(than: b).map { $0 == isMinimum ? a : b } }
        }
        return ("\(isMinimum ? "min" : "max")(\(a.text), \(b.text))", exact, max(a.decimals, b.decimals))
      }
    }
  }

  @Test("random expressions equal exact fractions, and `set` rounds them half away from zero", arguments: seeds)
  func random(seed: UInt64) throws {
    let count = Self.count / Self.seeds.count
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let names = Names(panel)
    let rules = PanelRules(panel: panel)
    var draw = Draw(random: SeededGenerator(seed: seed), values: [])
    var compared = 0
    for round in 0..<count {
      var frame = rules.blank(withChance: 0)
      for (place, value) in panel.values.enumerated() {
        // Small numbers are as likely as large ones.
        let size = Quantity.powerOfTen(draw.pick(0...10))
        frame[value: place] = draw.pick(min(value.max, max(value.min, -size))...max(value.min, min(value.max, size)))
      }
      draw = Draw(random: draw.random, values: panel.values.indices.map { frame[value: $0] })
      let (text, exact, decimals) = draw.expression(3)
      guard let exact, let wanted = exact.scaled(decimals) else { continue }
      let node = YAMLNode(content: .scalar(text), position: .start, textColumn: 1)
      let problems = ProblemList()
      var reader = ExpressionReader(text, of: node, key: "set", names: names, problems: problems)
      guard case .number(let read)? = reader?.shown() else { continue }
      #expect(read.decimals == decimals, "seed \(seed), \(round): \(text)")
      let result = read.number.wide(in: frame)
      // Numbers beyond 128 bits stay at the end; the fractions are exact up to there.
      try #require(Fraction(result) == wanted, "seed \(seed), \(round): \(text) with \(draw.values)")
      #expect(read.range.contains(result), "seed \(seed), \(round): \(text)")
      let places = draw.pick(0...3)
      let set = read.rounded(to: places)
      // The rounded number may be beyond 128 bits.
      guard let rounded = exact.rounded(to: places) else { continue }
      try #require(set.wide(in: frame) == rounded, "seed \(seed), \(round): \(text) to \(places) decimals")
      compared += 1
    }
    // Some have a product with too many decimals, or no exact fraction with 128 bits.
    #expect(compared > count / 2, "seed \(seed): \(compared)")
  }

  @Test(
    "the examples of the reference",
    arguments: [
      ("7 / 2", "3"), ("7.0 / 2", "3.5"), ("-7 / 2", "-4"), ("-7.0 / 2", "-3.5"), ("7.5 mod 2", "1.5"),
      ("-0.5 mod 2", "1.5"), ("0.5 + 0.25", "0.75"), ("1.5 * 1.5", "2.25"), ("10 / 4.0", "2.5"), ("1 / 3.000", "0.333"),
      ("-1 / 3.000", "-0.334"), ("abs(-2.5)", "2.5"), ("min(1.5, 1.25)", "1.25"),
      ("999999999 * 999999999 * 999999999 / 999999999 / 999999999", "999999999"),
    ])
  func examples(text: String, expected: String) throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let node = YAMLNode(content: .scalar(text), position: .start, textColumn: 1)
    var reader = ExpressionReader(text, of: node, key: "set", names: Names(panel), problems: ProblemList())
    guard case .number(let read)? = reader?.shown() else {
      Issue.record("\(text) is not a number")
      return
    }
    let result = read.number.result(in: PanelRules(panel: panel).blank(withChance: 0))
    #expect(Quantity.text(result, decimals: read.decimals) == expected)
  }
}
