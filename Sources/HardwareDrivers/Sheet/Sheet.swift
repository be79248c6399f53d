import CycleCore

/// The protocol of a chip as data: how to measure, how its numbers and contacts result from the bytes, and how to set
/// its outputs. A sheet is usually read from a page of YAML, which contains the facts of the chip's data sheet.
///
/// A ``SheetChip`` reads the numbers and sets the outputs. ``SheetContacts`` reads the contacts.
public struct Sheet: Equatable, Sendable {
  /// The chip's place on a bus.
  public enum Bus: Equatable, Sendable {
    /// The addresses that the chip can have.
    case i2c([I2CAddress])
    case spi(SPISettings)
    case serial(SerialSettings)
  }

  /// A choice that the user of the sheet makes, such as the channel of a converter.
  public struct Setting: Equatable, Sendable {
    public enum Values: Equatable, Sendable {
      /// The words that can be chosen, in the order of the sheet, each with the numbers that it sets.
      case choices([(word: String, numbers: [Int])], usual: String)
      /// A number.
      case number(ClosedRange<Double>, unit: String, usual: Double)

      public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.choices(let first, let usual), .choices(let second, let other)):
          usual == other && first.elementsEqual(second) { $0.word == $1.word && $0.numbers == $1.numbers }
        case (.number(let first, let unit, let usual), .number(let second, let other, let number)):
          first == second && unit == other && usual == number
        default: false
        }
      }
    }

    public var name: String
    public var values: Values
    /// The places of the numbers that the setting gives a value.
    var slots: [Int]

    package init(name: String, values: Values, slots: [Int]) {
      (self.name, self.values, self.slots) = (name, values, slots)
    }
  }

  /// A part of an answer.
  public struct Field: Equatable, Sendable {
    /// The number of bits, 1 to 64.
    public var bits: Int
    public var isSigned: Bool
    /// Whether the least significant byte comes first.
    public var isLittleEndian: Bool
    /// The number of bits without meaning after it.
    package var padding: Int
    /// The place of its number; nil if it isn't wanted.
    package var slot: Int?

    package init(bits: Int, isSigned: Bool, isLittleEndian: Bool, padding: Int) {
      (self.bits, self.isSigned, self.isLittleEndian, self.padding) = (bits, isSigned, isLittleEndian, padding)
    }
  }

  /// A checksum of 8 bits after each group of bytes.
  public struct Checksum: Equatable, Sendable {
    public var polynomial: UInt8
    public var start: UInt8
    /// The number of bytes in a group.
    public var after: Int

    package init(polynomial: UInt8, start: UInt8, after: Int) {
      (self.polynomial, self.start, self.after) = (polynomial, start, after)
    }
  }

  /// The register that a step reads: the bytes that select it. Empty to read without selecting one.
  public typealias Register = [UInt8]

  public enum Step: Equatable, Sendable {
    /// Writes bytes, each the last 8 bits of a formula.
    case write([SheetExpression])
    /// Reads bytes, and takes numbers from them.
    case read(Register, [Field], Checksum?)
    /// Writes and reads bytes at the same time, on SPI.
    case transfer([SheetExpression], [Field])
    /// Waits for a frame of a serial device, and takes numbers from it.
    case receive(SerialFrame, [Field], within: Duration)
    /// Waits without using the bus.
    case wait(Duration)
    /// Reads a byte until its bits under the mask have this value. Fails after the time.
    case until(Register, mask: UInt8, equals: UInt8, within: Duration)
    /// Reads a byte that differs between chips. Fails if it is none of these.
    case expect(Register, [UInt8])
  }

  /// A number that results from the others.
  public struct Number: Equatable, Sendable {
    public var name: String
    var slot: Int
    var formula: SheetExpression
    /// Nil for a number that is only used in other formulas.
    public var reading: Reading?

    package init(name: String, slot: Int, formula: SheetExpression, reading: Reading?) {
      (self.name, self.slot, self.formula, self.reading) = (name, slot, formula, reading)
    }
  }

  /// The number that a sensor reads.
  public struct Reading: Equatable, Sendable {
    /// The factor from the whole number to the reading.
    var scale: SheetExpression
    public var unit: String
    /// The readings that the chip can give. A number beyond them counts as the end of the range.
    public var range: ClosedRange<Double>

    package init(scale: SheetExpression, unit: String, range: ClosedRange<Double>) {
      (self.scale, self.unit, self.range) = (scale, unit, range)
    }
  }

  /// A fault that the chip reports, such as a broken wire of its thermocouple.
  public struct Fault: Equatable, Sendable {
    /// The fault as the reason of an error: `the thermocouple is open`.
    public var text: String
    /// The chip has the fault while the result is not 0.
    var formula: SheetExpression

    package init(text: String, formula: SheetExpression) { (self.text, self.formula) = (text, formula) }
  }

  /// A contact of the chip, such as a pad of a touch sensor.
  public struct Contact: Equatable, Sendable {
    public var name: String
    /// The contact is closed while the result is not 0.
    var formula: SheetExpression

    package init(name: String, formula: SheetExpression) { (self.name, self.formula) = (name, formula) }
  }

  /// An output of the chip with a level of 0 to 1, such as that of a digital-to-analog converter.
  public struct Output: Equatable, Sendable {
    public var name: String
    var slot: Int
    /// The numbers of the chip for the levels 0 and 1.
    public var range: ClosedRange<Int>
    /// The bytes of a write. Each is the last 8 bits of a formula, which can use the output's number.
    var write: [SheetExpression]

    package init(name: String, slot: Int, range: ClosedRange<Int>, write: [SheetExpression]) {
      (self.name, self.slot, self.range, self.write) = (name, slot, range, write)
    }

    /// The chip's number that is nearest to a level of 0 to 1.
    func number(of level: Double) -> Int {
      range.lowerBound + Int((min(1, max(0, level)) * Double(range.upperBound - range.lowerBound)).rounded())
    }

    /// The level of a number of the chip.
    package func level(of number: Int) -> Double {
      Double(number - range.lowerBound) / Double(range.upperBound - range.lowerBound)
    }
  }

  /// The name of the sheet: `bme280`.
  public var name: String
  /// A description of the chip, in one line.
  public var about: String
  /// The data sheet, with the sections.
  public var source: String
  public var bus: Bus
  public var settings: [Setting]
  /// The steps that check which chip it is, at each start.
  var identify: [Step]
  /// The steps at each start and after a loss.
  var once: [Step]
  /// The reads of settings that the chip has lost if a byte differs. Only for contacts: a chip without power would have
  /// open contacts for ever.
  var check: [Step]
  /// The steps of a measurement.
  var measure: [Step]
  /// The faults that the chip reports with a measurement. The first one that is present is the reason of the error.
  public var faults: [Fault]
  public var numbers: [Number]
  public var contacts: [Contact]
  public var outputs: [Output]
  /// The number of values: those of settings, answers and formulas.
  var valueCount: Int
  /// A measurement with a known result.
  public var example: SheetExample

  package init(
    name: String, about: String, source: String, bus: Bus, settings: [Setting] = [], identify: [Step] = [],
    once: [Step] = [], check: [Step] = [], measure: [Step] = [], faults: [Fault] = [], numbers: [Number] = [],
    contacts: [Contact] = [],
    outputs: [Output] = [], valueCount: Int, example: SheetExample
  ) {
    (self.name, self.about, self.source, self.bus, self.settings) = (name, about, source, bus, settings)
    (self.identify, self.once, self.check, self.measure) = (identify, once, check, measure)
    (self.faults, self.numbers, self.contacts, self.outputs) = (faults, numbers, contacts, outputs)
    (self.valueCount, self.example) = (valueCount, example)
  }

  /// The numbers that a sensor can read, by their names.
  public var readings: [(name: String, reading: Reading)] {
    numbers.compactMap { number in number.reading.map { (number.name, $0) } }
  }

  /// The first byte of each different write, mostly the register or the command, as `0xF4`; `…` for one that depends on
  /// settings. Nil for a chip that is only read.
  public var writtenBytes: [String]? {
    var bytes: [String] = []
    let steps = (identify + once + measure).compactMap { step in
      switch step {
      case .write(let bytes), .transfer(let bytes, _): bytes
      case .read, .receive, .wait, .until, .expect: nil as [SheetExpression]?
      }
    }
    for formulas in steps + outputs.map(\.write) {
      guard let first = formulas.first else { continue }
      let text =
        if case .whole(let byte) = first.node { "0x" + UInt8(truncatingIfNeeded: byte).hexadecimal } else { "…" }
      if !bytes.contains(text) { bytes.append(text) }
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// The limits of a sheet.
  public static let writesAtMost = 64
  public static let bytesAtMost = 256
  public static let stepsAtMost = 64
  public static let contactsAtMost = 64
  public static let outputsAtMost = 64
  public static let faultsAtMost = 16
  public static let longestWait = Duration.seconds(10)
}

/// A measurement with a known result, and writes with known bytes, which show that a sheet is right.
public struct SheetExample: Equatable, Sendable {
  /// The content of the chip, or its answers.
  public enum Answers: Equatable, Sendable {
    /// The bytes from each register on.
    case registers([(register: Int, bytes: [UInt8])])
    /// The answers to the reads, one after the other. After the last they begin again.
    case inTurn([[UInt8]])

    public static func == (one: Self, other: Self) -> Bool {
      switch (one, other) {
      case (.registers(let first), .registers(let second)):
        first.elementsEqual(second) { $0.register == $1.register && $0.bytes == $1.bytes }
      case (.inTurn(let first), .inTurn(let second)): first == second
      default: false
      }
    }
  }

  public var settings: SheetSettings
  public var answers: Answers
  /// The bytes of each write, or of each transfer; nil if the example doesn't state them.
  public var written: [[UInt8]]?
  /// The readings that result, each with the number of decimals of the text.
  public var gives: [(name: String, number: Double)]
  /// The names of the contacts that are closed.
  public var closed: [String]
  /// The levels of outputs that are set after the measurement.
  public var levels: [(name: String, level: Double)]

  package init(
    settings: SheetSettings = SheetSettings(), answers: Answers = .inTurn([]), written: [[UInt8]]? = nil,
    gives: [(name: String, number: Double)] = [], closed: [String] = [], levels: [(name: String, level: Double)] = []
  ) {
    (self.settings, self.answers, self.written, self.gives) = (settings, answers, written, gives)
    (self.closed, self.levels) = (closed, levels)
  }

  public static func == (one: SheetExample, other: SheetExample) -> Bool {
    one.settings == other.settings && one.answers == other.answers && one.written == other.written
      && one.gives.elementsEqual(other.gives) { $0.name == $1.name && $0.number == $1.number }
      && one.closed == other.closed
      && one.levels.elementsEqual(other.levels) { $0.name == $1.name && $0.level == $1.level }
  }
}

/// The settings of a sheet that a user has chosen.
public struct SheetSettings: Hashable, Sendable {
  /// The chosen words, by the names of the settings.
  public var words: [String: String]
  /// The chosen numbers, by the names of the settings.
  public var numbers: [String: Double]

  public init(words: [String: String] = [:], numbers: [String: Double] = [:]) {
    self.words = words
    self.numbers = numbers
  }
}
