import CycleCore
import Testing

@testable import HardwareDrivers
@testable import PanelKinds
@testable import PanelLanguage

@Suite("SheetReader")
struct SheetReaderTests {
  private static let text = """
    sheet: part
    about: A part
    source: Its data sheet, section 1
    bus: { i2c: [0x48], hertz: 400kHz }
    settings:
      channel: { choices: { A0: 4, A1: 5 }, default: A0, sets: { full: [6, 7] } }
    identify:
      - { read: 0x0F, expect: [0x33] }
    once:
      - wait: 5ms
    measure:
      - write: [0x01, channel * 16, full]
      - until: { read: 0x02, mask: 0x01, equals: 1, within: 10ms }
      - read: { at: 0x10, as: { raw: s16be, other: u12, _: u4 } }
    numbers:
      half: raw / 2
      temperature: { is: half + other, scale: 0.5, unit: °C, min: -40, max: 85 }
    example:
      registers: { 0x0F: [0x33], 0x02: [1], 0x10: [0xFF, 0xFC, 0x01, 0x40] }
      written: [[0x01, 0x40, 0x06]]
      gives: { temperature: 9 }

    """

  private func problems(_ changes: (String, String)...) -> [String] {
    var text = Self.text
    for (old, new) in changes {
      #expect(text.contains(old))
      text = text.parts(between: old).joined(separator: new)
    }
    return Fixture.problems { () throws(Problems) in
      _ = try SheetReader.read(Array(text.utf8), file: "x")
    }
  }

  @Test("a sheet is read, and its example is run")
  func right() {
    #expect(problems() == [])
    #expect(
      problems(("temperature: 9", "temperature: 10"))
        == ["18:1: the example fails: temperature is 9.0, and the example gives 10.0; correct the sheet or the example"]
    )
    #expect(
      problems(("0x40, 0x06", "0x40, 0x07")).first?.contains(
        "it writes [[0x01, 0x40, 0x06]], and the example has [[0x01, 0x40, 0x07]]") == true)
    #expect(problems(("0x0F: [0x33]", "0x0F: [0x34]")).first?.contains("register 0x0f contains 0x34, not 0x33") == true)
    #expect(problems(("0x02: [1]", "0x02: [0]")).first?.contains("it is not ready in time") == true)
    #expect(
      problems((", 0x02: [1]", "")).first?.contains("the sheet reads 0x02, and the example has no such register")
        == true)
    #expect(
      problems(("[0xFF, 0xFC, 0x01, 0x40]", "[0xFF, 0xFC]")).first?.contains("the sheet reads 0x12, 0x13, and") == true)
    #expect(
      problems(
        (
          "  registers: { 0x0F: [0x33], 0x02: [1], 0x10: [0xFF, 0xFC, 0x01, 0x40] }",
          "  answers: [[0x33], [1], [0xFF, 0xFC, 0x01, 0x40], [2]]"
        )
      ).first?.contains("the example has 1 answers more than the sheet reads") == true)
  }

  @Test(
    "each mistake is told with its place and what to write",
    arguments: [
      ("sheet: part", "sheet: Part 1", "1:8: \"Part 1\" is not a name; write small letters, digits and -"),
      ("source: Its data sheet, section 1\n", "", "missing key \"source\" of a sheet"),
      ("i2c: [0x48]", "i2c: [0x78]", "\"0x78\" is not an address; write one of 0x08...0x77"),
      ("i2c: [0x48], ", "", "a sheet needs a bus"),
      ("  channel: {", "  colour: {", "\"colour\" is not a name of a setting"),
      ("i2c: [0x48]", "i2c: [[0x48]]", "an address can't be a list; write one of 0x08...0x77"),
      ("i2c: [0x48]", "i2c: []", "a sheet needs an address; write { i2c: [0x76] }"),
      ("write: [0x01,", "write: [0x101,", "12:13: \"0x101\" is not a byte; write 0...255, or 0x00...0xFF"),
      ("write: [0x01,", "write: [-1,", "\"-1\" is not a byte"),
      ("half: raw / 2", "half: raw >> 1", "\">>\" has no meaning in a formula; write T / 4 for T >> 2"),
      ("half: raw / 2", "half: raw & 7", "\"&\" has no meaning in a formula; write T mod 16 for T & 0x0F"),
      ("half: raw / 2", "half: raw % 7", "\"%\" has no meaning in a formula; write mod"),
      ("half: raw / 2", "half-way: raw / 2", "\"half-way\" is not a name of a number; write letters, digits and _"),
      (
        "  half: raw / 2\n", "  half: { is: raw / 2, min: 0, max: 1 }\n",
        "18:1: the example gives no \"half\"; write gives: { half: 25.08 }"
      ),
      ("default: A0", "default: A9", "the default \"A9\" of \"channel\" is not one of its choices"),
      ("full: [6, 7]", "full: [6]", "\"full\" has 1 numbers; write one for each of the 2 choices"),
      ("channel * 16", "chanel * 16", "\"chanel\" is not a number of this sheet that comes before"),
      ("write: [0x01,", "write: [raw,", "\"raw\" is not a number of this sheet that comes before"),
      ("- wait: 5ms", "- write: [channel]", "\"channel\" is not a number of this sheet that comes before"),
      ("expect: [0x33]", "expect: []", "a chip has one of several bytes; write expect: [0x60]"),
      ("half: raw / 2", "half: raw * 0.5", "a formula has whole numbers; write the decimals of \"raw * 0.5\" in scale"),
      ("  registers:", "  answers: [[1]]\n  registers:", "answers can't be beside registers"),
      ("wait: 5ms", "wait: 11s", "\"wait\" is 11s; it takes 0s...10s"),
      ("wait: 5ms", "pause: 5ms", "unknown key \"pause\""),
      ("other: u12, _: u4", "other: u12", "the fields have 28 bits"),
      ("raw: s16be", "raw: x16", "a field is u8, s16be"),
      ("other: u12, _: u4", "other: u12le, _: u4", "a field with its low byte first has whole bytes"),
      ("half: raw / 2", "half: raw /", "a number is missing at the end"),
      ("min: -40, max: 85", "min: 85, max: -40", "min of \"temperature\" is not below max"),
      ("gives: { temperature: 9 }", "gives: { pressure: 9 }", "\"pressure\" is not a reading of this sheet"),
      (
        "  registers: { 0x0F: [0x33], 0x02: [1], 0x10: [0xFF, 0xFC, 0x01, 0x40] }\n", "",
        "an example has registers or answers"
      ),
      ("0x02: [1]", "0x02: [300]", "this is no list of bytes"),
      ("- wait: 5ms", "- transfer: { send: [1], as: { a: u8 } }", "I²C has no transfers"),
      ("half: raw / 2", "raw: other / 2", "there is already a number \"raw\""),
      ("half: raw / 2", "if: raw / 2", "\"if\" is not a name of a number"),
    ])
  func mistakes(old: String, new: String, message: String) {
    let problems = problems((old, new))
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  private static let padsAndLevels = """
    sheet: part
    about: A part
    source: Its data sheet, section 1
    bus: { i2c: [0x48] }
    once:
      - write: [0x05, 0x80]
    levels:
      out: { range: 0..1023, write: [0x40, out / 256, out] }
    check:
      - { read: 0x05, expect: [0x80] }
    measure:
      - read: { at: 0x10, as: { pads: u8 } }
    contacts:
      A: pads mod 2
      B: 1 - pads / 2 mod 2
    example:
      registers: { 0x05: [0x80], 0x10: [0x03] }
      closed: [A]
      levels: { out: 1 }
      written: [[0x05, 0x80], [0x05, 0x80], [0x40, 0x03, 0xFF]]

    """

  @Test("contacts and levels are read, and their example is run")
  func contactsAndLevels() throws {
    let sheet = try SheetReader.read(Array(Self.padsAndLevels.utf8), file: "x")
    #expect(sheet.contacts.map(\.name) == ["A", "B"] && sheet.outputs.map(\.name) == ["out"])
    #expect(sheet.writtenBytes == ["0x05", "0x40"])
    #expect(
      sheet.contactBits() == [
        .init(register: 0x10, mask: 1, isClosedIfSet: true), .init(register: 0x10, mask: 2, isClosedIfSet: false),
      ])
  }

  @Test(
    "each mistake in contacts and levels is told with what to write",
    arguments: [
      ("closed: [A]", "closed: [A, B]", "the closed contacts are [A], and the example has [A, B]"),
      ("closed: [A]", "closed: [C]", "this is not a contact of the sheet; write closed: [0, 3]"),
      ("closed: [A]\n", "closed: []\n", "an example closes a contact at least"),
      ("  closed: [A]\n", "", "the example of a sheet with contacts has the closed ones"),
      ("out: 1 }", "out: 0.5 }", "it writes [[0x05, 0x80], [0x05, 0x80], [0x40, 0x02, 0x00]]"),
      ("out: 1 }", "out: 2 }", "\"out\" is not an output of this sheet with a level 0...1"),
      ("  levels: { out: 1 }\n", "", "an example sets each output; write levels: { out: 0.5 }"),
      ("  written: [[0x05, 0x80], [0x05, 0x80], [0x40, 0x03, 0xFF]]\n", "", "has the bytes of all writes"),
      ("range: 0..1023", "range: 5..5", "\"range\" is \"5..5\"; it takes the chip's whole numbers"),
      ("range: 0..1023", "range: 0..70000", "\"range\" is \"0..70000\""),
      ("B: 1 - pads / 2 mod 2", "B: pads mod 2", "the contact A is not one bit of an answer"),
      ("B: 1 - pads / 2 mod 2", "B: pads / 0", "the contact A is not one bit of an answer"),
      ("B: 1 - pads / 2 mod 2", "B-1: pads", "\"B-1\" is not a name of a contact"),
      ("A: pads mod 2", "A: out", "\"out\" is not a number of this sheet that comes before"),
      ("- { read: 0x05, expect: [0x80] }", "- wait: 1ms", "check belongs to contacts and has reads of settings"),
      ("measure:\n  - read: { at: 0x10, as: { pads: u8 } }\n", "", "\"pads\" is not a number of this sheet"),
      ("registers: { 0x05: [0x80], 0x10: [0x03] }", "answers: [[3]]", "has registers; write registers"),
      ("0x05: [0x80], 0x10", "0x05: [0x81], 0x10", "the check fails with the registers of the example"),
    ])
  func contactMistakes(old: String, new: String, message: String) {
    #expect(Self.padsAndLevels.contains(old))
    let text = Self.padsAndLevels.parts(between: old).joined(separator: new)
    let problems = Fixture.problems { () throws(Problems) in
      _ = try SheetReader.read(Array(text.utf8), file: "x")
    }
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test("fields are read bit by bit, and u20be fills three bytes")
  func fields() {
    func read(_ fields: [Sheet.Field], _ bytes: [UInt8]) -> [Int128] {
      var values = [Int128](repeating: 0, count: fields.count)
      let placed = fields.enumerated().map { place, field in
        var field = field
        field.slot = place
        return field
      }
      Sheet.take(placed, from: bytes, into: &values)
      return values
    }
    func field(_ bits: Int, signed: Bool = false, little: Bool = false, padding: Int = 0) -> Sheet.Field {
      Sheet.Field(bits: bits, isSigned: signed, isLittleEndian: little, padding: padding)
    }
    #expect(read([field(16), field(16, little: true)], [1, 2, 3, 4]) == [0x0102, 0x0403])
    #expect(read([field(8, signed: true), field(16, signed: true, little: true)], [0xFF, 0xFE, 0xFF]) == [-1, -2])
    #expect(read([field(20, padding: 4), field(8)], [0x12, 0x34, 0x5F, 0x77]) == [0x12345, 0x77])
    #expect(read([field(4), field(20)], [0x12, 0x34, 0x56]) == [1, 0x23456])
    #expect(read([field(64, signed: true)], [0x80, 0, 0, 0, 0, 0, 0, 0]) == [Int128(Int64.min)])
    #expect(read([field(64)], [UInt8](repeating: 0xFF, count: 8)) == [Int128(UInt64.max)])
  }

  private func below(_ limit: Int, _ numbers: inout SeededGenerator) -> Int {
    Int.random(in: 0..<limit, using: &numbers)
  }

  @Test("damaged sheets give problems, and never a trap", arguments: 0..<300)
  func damaged(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    var bytes = Array(Self.text.utf8)
    for _ in 0..<(1 + below(8, &numbers)) {
      let place = below(bytes.count, &numbers)
      switch below(3, &numbers) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = UInt8(32 + below(95, &numbers))
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(40, &numbers))], at: place)
      }
    }
    _ = Fixture.problems { () throws(Problems) in _ = try SheetReader.read(bytes, file: "x") }
  }
}
