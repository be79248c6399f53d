import CycleCore
import HardwareLinux
import PanelKit
import Testing

@testable import PanelLanguage

/// `{ tariff: [1.5, 2], days: { monday: 1 }, loud: true, zones: [ { from: 5s } ] }`: a number that follows nothing,
/// with a key for each shape that a kind can read.
private struct TariffSource: NumberSensorSource {
  static let zone = FieldSet(
    name: "a zone",
    keys: [
      Key(name: "from", takes: "a duration: 5s", isRequired: true, shape: .span(.seconds(1) ... .seconds(60))),
      Key(name: "word", takes: "high or low", shape: .words(["high", "low"])),
    ])
  static let grammar = FieldSet(
    name: "a tariff", summary: "what electricity costs", sample: "{ tariff: [1.5, 2] }",
    keys: [
      Key(name: "tariff", takes: "one to three prices: [1.5, 2]", shape: .list(of: .number(0...10), count: 1...3)),
      Key(name: "days", takes: "a map of names and days: { monday: 1 }", shape: .map(keys: .text, to: .whole(1...7))),
      Key(name: "loud", takes: "true or false", shape: .flag),
      Key(name: "zones", takes: "a list of zones: [ { from: 5s } ]", shape: .list(of: .fields(zone))),
    ])
  static var usualInterval: Duration { .seconds(5) }
  static let read = Locked("")

  let place = NumberFile("/run/tariff")

  init?(reading fields: DeviceFields) {
    guard let prices = fields.elements("tariff")?.compactMap({ $0.number("tariff") }) else { return nil }
    let days = fields.entries("days")?.map { "\($0.name) \($0.value.whole("days") ?? 0)" } ?? []
    let zones = fields.elements("zones")?.compactMap { zone in
      zone.inside("zones", Self.zone).map { "\($0.duration("from") ?? .zero) \($0.text("word") ?? "-")" }
    }
    let text = "\(prices) \(days) \(zones ?? []) \(fields.flag("loud") ?? false)"
    Self.read.withLock { $0 = text }
  }
}

@Suite("Readers of a kind's fields", .serialized)
struct FieldReaderTests {
  private static func problem(_ source: String) -> String? {
    Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(
        Array(
          """
          panel: P
          inputs: { price: { sensor: \(source), min: 0, max: 9 } }
          initial: a
          states: { a: {} }

          """.utf8), file: "test", kinds: KindList.standard.adding(sensors: [TariffSource.self]))
    }.first
  }

  @Test("lists, maps, flags and maps in lists are read")
  func readers() {
    let source = """
      { tariff: [1.5, 2], days: { monday: 1, sunday: 7 }, loud: true, zones: [ { from: 5s, word: low }, { from: 7s } ] }
      """
    #expect(Self.problem(source) == nil)
    #expect(
      TariffSource.read.withLock { $0 }
        == #"[1.5, 2.0] ["monday 1", "sunday 7"] ["5.0 seconds low", "7.0 seconds -"] true"#)
  }

  @Test(
    "what is wrong in them is reported at its place",
    arguments: [
      ("{ tariff: [] }", "2:38: \"tariff\" is a list of 0; it takes one to three prices: [1.5, 2]"),
      ("{ tariff: [1, [2]] }", "2:42: \"tariff\" can't contain a list; it takes one to three prices: [1.5, 2]"),
      ("{ tariff: [1, 20] }", "2:42: \"tariff\" can't contain \"20\"; it takes one to three prices: [1.5, 2]"),
      ("{ tariff: 5 }", "2:38: \"tariff\" is \"5\"; it takes one to three prices: [1.5, 2]"),
      (
        "{ tariff: [1], days: { monday: 8 } }",
        "2:59: \"days\" can't contain \"8\"; it takes a map of names and days: { monday: 1 }"
      ),
      ("{ tariff: [1], days: [] }", "2:49: \"days\" is an empty list; it takes a map of names and days: { monday: 1 }"),
      ("{ tariff: [1], loud: 2 }", "2:49: \"loud\" is \"2\"; it takes true or false"),
      ("{ tariff: [1], zones: [ { from: 5m } ] }", "2:60: \"from\" is 5m; it takes 1s...1m"),
      ("{ tariff: [1], zones: [ {} ] }", "2:52: missing key \"from\" of a zone; it takes a duration: 5s"),
    ])
  func wrong(source: String, message: String) { #expect(Self.problem(source) == message) }
}
