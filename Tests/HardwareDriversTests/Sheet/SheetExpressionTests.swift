import Testing

@testable import HardwareDrivers

@Suite("SheetExpression")
struct SheetExpressionTests {
  private func whole(_ text: String, _ values: [String: Int128] = [:]) throws -> Int128 {
    let names = values.keys.sorted()
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    return try SheetExpression(text, names: places).value(names.map { values[$0]! })
  }

  @Test(
    "whole numbers",
    arguments: [
      ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("0xFF - 0x0f", 240), ("10 - 2 - 3", 5), ("100 / 10 / 2", 5),
      ("7 / 2", 3), ("-7 / 2", -4), ("7 / -2", -4), ("-7 mod 3", 2), ("7 mod -3", -2), ("-8 / 2", -4), ("--5", 5),
      ("min(3, -2)", -2), ("max(3, -2)", 3), ("abs(-9)", 9), ("if(2 > 1, 10, 20)", 10), ("if(1 == 2, 10, 20)", 20),
      ("1 != 2", 1), ("2 <= 2", 1), ("3 >= 4", 0), ("a * b", 42), ("5 mod -1", 0),
    ] as [(String, Int128)])
  func values(text: String, wanted: Int128) throws {
    #expect(try whole(text, ["a": 6, "b": 7]) == wanted)
  }

  @Test("a result beyond 128 bits stays at the end")
  func saturates() throws {
    let big = Int128.max
    #expect(try whole("a * 2", ["a": big]) == .max)
    #expect(try whole("a * -2", ["a": big]) == .min)
    #expect(try whole("a + a", ["a": big]) == .max)
    #expect(try whole("-a - a", ["a": big]) == .min)
    #expect(try whole("-a", ["a": .min]) == .max)
    #expect(try whole("abs(a)", ["a": .min]) == .max)
    #expect(try whole("a / -1", ["a": .min]) == .max)
    #expect(try whole("a mod -1", ["a": .min]) == 0)
    #expect(try whole("a * a * a", ["a": 4_000_000_000_000]) == 64_000_000_000_000_000_000_000_000_000_000_000_000)
  }

  @Test("a division by zero is an error, and not for the branch that is not taken")
  func divisionByZero() throws {
    for text in ["1 / 0", "1 mod 0", "2 * (3 / (1 - 1))"] {
      #expect(throws: SheetExpression.DivisionByZero.self) { try whole(text) }
    }
    #expect(try whole("if(a == 0, 5, 1 / a)", ["a": 0]) == 5)
  }

  @Test("a scale is a real number")
  func reals() throws {
    let scale = try SheetExpression("reference / 1024", names: ["reference": 0])
    #expect(scale.real { _ in 3.3 } == 3.3 / 1024)
    #expect(try SheetExpression("1 / 65535", names: [:]).real { _ in 0 } == 1.0 / 65_535)
    #expect(try SheetExpression("0.00001 / 0.1", names: [:]).real { _ in 0 } == 0.00001 / 0.1)
    #expect(try SheetExpression("7 mod 4", names: [:]).real { _ in 0 } == 3)
  }

  @Test(
    "each mistake has a text",
    arguments: [
      ("", "a formula is empty"), ("1 +", "a number is missing at the end"), ("(1", "\")\" is missing at the end"),
      ("1 2", "\"2\" is left over"), ("1 & 2", "\"&\" has no meaning in a formula; write T mod 16 for T & 0x0F"),
      ("Q1", "\"Q1\" is not a number of this sheet that comes before"), ("0xZZ", "\"0xZZ\" is not a number"),
      ("* 2", "a number is missing before \"*\""), ("min(1)", "\",\" is missing before \")\""),
      (String(repeating: "(", count: 40) + "1", "more than 32 parentheses are inside each other"),
      (String(repeating: "1+", count: 600) + "1", "a formula has more than 1024 characters"),
    ])
  func mistakes(text: String, wanted: String) {
    do throws(SheetExpression.Mistake) {
      _ = try SheetExpression(text, names: [:])
      Issue.record("\(text) is accepted")
    } catch {
      #expect(error.text == wanted)
    }
  }
}
