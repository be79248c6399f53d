import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelLanguage
import Terminal

extension Sheet.Step {
  /// Whether the step reads a byte that must be one of several.
  fileprivate var isExpectation: Bool { if case .expect = self { true } else { false } }
}

/// Reads a sheet: the protocol of a chip as a page of YAML. A sheet whose example fails is not taken.
package struct SheetReader {
  private let problems: ProblemList
  /// The place of each number, by its name.
  private var slots: [String: Int] = [:]
  private var slotCount = 0

  private init(_ problems: ProblemList) { self.problems = problems }

  private static let what = "a sheet"

  /// The sheet in these bytes. Throws all its problems.
  ///
  /// - Parameter file: the name for messages.
  package static func read(_ bytes: [UInt8], file: String) throws(Problems) -> Sheet {
    let problems = ProblemList()
    guard let text = TextFile.text(bytes, what: what, problems: problems),
      let root = YAMLTree.read(text, what: what, problems: problems)
    else {
      if problems.count == 0 { problems.add(.start, "the file is empty; write \(what) here") }
      throw problems.problems(of: file)
    }
    var reader = SheetReader(problems)
    guard let sheet = reader.sheet(root), problems.count == 0 else { throw problems.problems(of: file) }
    for fault in sheet.exampleFaults() {
      let place =
        if case .map(let entries) = root.content { entries.first { $0.key == "example" } } else {
          nil as YAMLNode.Entry?
        }
      problems.add(place?.position ?? .start, "the example fails: \(fault); correct the sheet or the example")
    }
    if problems.count > 0 { throw problems.problems(of: file) }
    return sheet
  }

  // MARK: - Whole sheet

  static let names = 1...32
  private static let grammar = FieldSet(
    name: "a sheet",
    keys: [
      Key(name: "sheet", takes: "the name of the sheet: bme280", isRequired: true, shape: .text),
      Key(name: "about", takes: "what the chip is, in one line", isRequired: true, shape: .text),
      Key(name: "source", takes: "the data sheet, with its sections", isRequired: true, shape: .text),
      Key(
        name: "bus", takes: "{ i2c: [0x76, 0x77] }, { spi: { mode: 0, hertz: 1MHz } } or { serial: { baud: 9600 } }",
        isRequired: true,
        shape: .fields(busGrammar)),
      Key(name: "settings", takes: "a map of the choices that a panel has", shape: .any),
      Key(name: "identify", takes: "a list of steps that check which chip it is", shape: .any),
      Key(name: "once", takes: "a list of steps at the start", shape: .any),
      Key(
        name: "check", takes: "a list of steps that read settings back: [{ read: 0x5E, expect: [0x8C] }]", shape: .any),
      Key(name: "measure", takes: "a list of steps that measure", shape: .any),
      Key(
        name: "faults", takes: "a map of texts with formulas: { the thermocouple is open: OC }", shape: .any),
      Key(name: "numbers", takes: "a map of formulas", shape: .any),
      Key(name: "contacts", takes: "a map of contacts with formulas: { 0: touched mod 2 }", shape: .any),
      Key(
        name: "levels",
        takes: "a map of outputs: { out: { range: 0..4095, write: [0x40, out / 16, out mod 16 * 16] } }",
        shape: .any),
      Key(name: "example", takes: "a measurement with its result", isRequired: true, shape: .fields(exampleGrammar)),
    ])
  private static let busGrammar = FieldSet(
    name: "a bus",
    keys: [
      Key(name: "i2c", takes: "a list of addresses: [0x76, 0x77]", shape: .list(of: .text, count: 1...16)),
      Key(name: "spi", takes: "{ mode: 0, hertz: 1MHz }", shape: .fields(spiGrammar)),
      Key(name: "serial", takes: "{ baud: 9600 }", shape: .fields(serialGrammar)),
      Key(name: "hertz", takes: "the maximum frequency of the clock: 400kHz", shape: .frequency),
    ])
  private static let serialGrammar = FieldSet(
    name: "a serial line",
    keys: [
      Key(
        name: "baud", takes: "a speed in bits per second: 9600", isRequired: true, shape: .whole(SerialSettings.speeds)),
      Key(name: "parity", takes: "none, even or odd", shape: .words(SerialSettings.Parity.allCases.map(\.rawValue))),
    ])
  private static let spiGrammar = FieldSet(
    name: "an SPI bus",
    keys: [
      Key(name: "mode", takes: "the mode, 0...3", shape: .whole(0...3)),
      Key(name: "hertz", takes: "the maximum frequency of the clock: 1MHz", isRequired: true, shape: .frequency),
      Key(name: "most-significant-first", takes: "true or false", shape: .flag),
    ])
  private static let exampleGrammar = FieldSet(
    name: "an example",
    keys: [
      Key(name: "settings", takes: "a map of settings: { channel: A1 }", shape: .any),
      Key(name: "registers", takes: "a map of registers with their bytes: { 0x00: [0x40, 0x00] }", shape: .any),
      Key(name: "answers", takes: "a list of answers, each a list of bytes", shape: .any),
      Key(name: "written", takes: "a list of writes, each a list of bytes", shape: .any),
      Key(name: "sent", takes: "a list of transfers, each a list of bytes", shape: .any),
      Key(name: "gives", takes: "a map of readings: { temperature: 25.08 }", shape: .any),
      Key(name: "closed", takes: "a list of the contacts that are closed: [0, 3]", shape: .any),
      Key(name: "levels", takes: "a map of levels that are set: { out: 0.5 }", shape: .any),
    ])

  private mutating func sheet(_ root: YAMLNode) -> Sheet? {
    guard let fields = problems.fields(root, Self.grammar, at: .start) else { return nil }
    let name = problems.text(fields["sheet"])
    let about = problems.text(fields["about"])
    let source = problems.text(fields["source"])
    if let name, let field = fields["sheet"], !Self.isName(name) {
      problems.add(field.node.position, "\(quoted(name)) is not a name; write small letters, digits and -")
      return nil
    }
    let bus = bus(fields)
    guard let bus else { return nil }
    let identify = steps(fields["identify"], on: bus)
    // Sensors and outputs with different settings share `once`, so it can't use settings. Contacts have one user.
    let hasOneUser = fields["contacts"] != nil && fields["numbers"] == nil && fields["levels"] == nil
    var settings: [Sheet.Setting] = []
    if hasOneUser { settings = self.settings(fields["settings"]) }
    let once = steps(fields["once"], on: bus)
    if !hasOneUser { settings = self.settings(fields["settings"]) }
    let outputs = outputs(fields["levels"])
    let measure = steps(fields["measure"], on: bus)
    let faults = faults(fields["faults"])
    let numbers = numbers(fields["numbers"])
    let contacts = contacts(fields["contacts"])
    let check = steps(fields["check"], on: bus)
    guard let name, let about, let source, problems.count == 0 else { return nil }
    guard numbers.contains(where: { $0.reading != nil }) || !contacts.isEmpty || !outputs.isEmpty else {
      problems.add(
        fields["numbers"]?.position ?? .start,
        "the sheet has no reading, no contacts and no levels; write numbers: { temperature: { is: raw, scale: 0.01, unit: °C, "
          + "min: -40, max: 85 } }, contacts or levels")
      return nil
    }
    if fields["measure"] == nil, let field = fields["numbers"] ?? fields["contacts"] {
      problems.add(field.position, "\(quoted(field.key.name)) needs a measurement; write measure: [...]")
      return nil
    }
    if let field = fields["check"], contacts.isEmpty || !check.allSatisfy(\.isExpectation) {
      problems.add(
        field.position, "check belongs to contacts and has reads of settings; write [{ read: 0x5E, expect: [0x8C] }]")
      return nil
    }
    guard let example = example(fields["example"], settings, numbers, contacts, outputs, hasReads: !measure.isEmpty)
    else { return nil }
    let sheet = Sheet(
      name: name, about: about, source: source, bus: bus, settings: settings, identify: identify, once: once,
      check: check, measure: measure, faults: faults, numbers: numbers, contacts: contacts, outputs: outputs,
      valueCount: slotCount,
      example: example)
    return checkedContacts(of: sheet, at: fields["contacts"]) ? sheet : nil
  }

  /// Whether a simulated chip can close each contact alone. Adds a problem if not.
  private func checkedContacts(of sheet: Sheet, at field: Field?) -> Bool {
    guard let field else { return true }
    guard case .i2c = sheet.bus else {
      problems.add(field.position, "contacts are for chips on I²C; leave them out")
      return false
    }
    guard case .registers = sheet.example.answers else {
      problems.add(
        field.position, "the example of a sheet with contacts has registers; write registers: { 0x00: [0x01] }")
      return false
    }
    if let place = sheet.contactBits().firstIndex(of: nil) {
      problems.add(
        field.position,
        "the contact \(sheet.contacts[place].name) is not one bit of an answer; each contact is a bit of its own")
      return false
    }
    return true
  }

  /// Whether a text can be the name of a sheet, and so of its file.
  static func isName(_ text: String) -> Bool {
    names.contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-")
      }
  }

  // MARK: - Bus

  private func bus(_ fields: Fields) -> Sheet.Bus? {
    guard let field = fields["bus"], let bus = problems.fields(field.node, Self.busGrammar, at: field.position) else {
      return nil
    }
    if bus.all.count(where: { $0.key.name != "hertz" }) > 1 {
      problems.add(field.position, "a sheet has one bus; write i2c, spi or serial")
      return nil
    }
    if let serial = bus["serial"] {
      guard let inner = problems.fields(serial.node, Self.serialGrammar, at: serial.position),
        let baud = problems.whole(inner["baud"], in: SerialSettings.speeds)
      else { return nil }
      guard let field = inner["parity"] else { return .serial(SerialSettings(baud: baud)) }
      guard let parity = problems.text(field).flatMap({ SerialSettings.Parity(rawValue: $0) }) else {
        problems.addWrong(field)
        return nil
      }
      return .serial(SerialSettings(baud: baud, parity: parity))
    }
    if let spi = bus["spi"] {
      guard let inner = problems.fields(spi.node, Self.spiGrammar, at: spi.position) else { return nil }
      let mode = problems.whole(inner["mode"], in: 0...3) ?? 0
      guard let hertz = problems.frequency(inner["hertz"], in: 1...100_000_000) else { return nil }
      let isMostSignificantFirst = problems.flag(inner["most-significant-first"]) ?? true
      return .spi(SPISettings(hertz: Int(hertz), mode: mode, isLeastSignificantFirst: !isMostSignificantFirst))
    }
    guard let items = problems.items(bus["i2c"]) else {
      if bus["i2c"] == nil { problems.add(field.position, "a sheet needs a bus; write { i2c: [0x76] }") }
      return nil
    }
    var addresses: [I2CAddress] = []
    for item in items {
      guard let address = byte(item).flatMap({ I2CAddress(Int($0)) }) else {
        let text = scalar(item).map { "\(quoted($0)) is not an address" } ?? "an address can't be \(item.kind)"
        problems.add(item.position, "\(text); write one of 0x08...0x77, as in { i2c: [0x76, 0x77] }")
        return nil
      }
      addresses.append(address)
    }
    guard !addresses.isEmpty else {
      problems.add(field.position, "a sheet needs an address; write { i2c: [0x76] }")
      return nil
    }
    return .i2c(addresses)
  }

  // MARK: - Names

  private mutating func slot(_ name: String, at position: Position) -> Int? {
    guard name.first?.isLetter == true || name.first == "_",
      name.utf8.allSatisfy({
        $0 == UInt8(ascii: "_") || Character(UnicodeScalar($0)).isLetter || (0x30...0x39).contains($0)
      }),
      !["mod", "min", "max", "abs", "if"].contains(name)
    else {
      problems.add(position, "\(quoted(name)) is not a name of a number; write letters, digits and _")
      return nil
    }
    guard slots[name] == nil else {
      problems.add(position, "there is already a number \(quoted(name)); choose another name")
      return nil
    }
    slots[name] = slotCount
    slotCount += 1
    return slotCount - 1
  }

  /// - Parameter isReal: whether it can have numbers with decimals.
  private mutating func formula(_ node: YAMLNode, isReal: Bool = false) -> SheetExpression? {
    guard case .scalar(let text) = node.content else {
      problems.add(node.position, "a formula can't be \(node.kind); write a text")
      return nil
    }
    do throws(SheetExpression.Mistake) {
      let formula = try SheetExpression(text, names: slots)
      if isReal || !formula.hasDecimals { return formula }
      problems.add(node.position, "a formula has whole numbers; write the decimals of \(quoted(text)) in scale")
      return nil
    } catch {
      problems.add(node.position, "\(error.text); the formula is \(quoted(text))")
      return nil
    }
  }

  // MARK: - Settings

  private static let settingGrammar = FieldSet(
    name: "a setting",
    keys: [
      Key(name: "choices", takes: "a map of words and numbers: { A0: 4, A1: 5 }", shape: .any),
      Key(name: "sets", takes: "a map of other numbers, each with a list for all choices", shape: .any),
      Key(name: "number", takes: "a range of numbers: 0.5..6", shape: .numbers(-1_000_000...1_000_000)),
      Key(name: "unit", takes: "a unit: V", shape: .text),
      Key(name: "default", takes: "a choice or a number: A0", isRequired: true, shape: .text),
    ])

  private mutating func settings(_ field: Field?) -> [Sheet.Setting] {
    var settings: [Sheet.Setting] = []
    for entry in problems.entries(field) {
      guard SheetUse.settingNames.contains(entry.key) else {
        problems.add(
          entry.position,
          "\(quoted(entry.key)) is not a name of a setting; use one of \(listed(SheetUse.settingNames))")
        continue
      }
      guard let fields = problems.fields(entry.value, Self.settingGrammar, at: entry.position),
        let usual = problems.text(fields["default"]), let slot = slot(entry.key, at: entry.position)
      else { continue }
      if let choices = fields["choices"] {
        if let setting = choice(entry.key, slot, choices, sets: fields["sets"], usual: usual) {
          settings.append(setting)
        }
      } else if let field = fields["number"] {
        guard case .scalar(let text) = field.node.content, let range = Self.range(text),
          let number = Quantity.number(usual),
          range.contains(number)
        else {
          problems.addWrong(field)
          continue
        }
        settings.append(
          Sheet.Setting(
            name: entry.key,
            values: .number(range, unit: problems.text(fields["unit"]) ?? "", usual: number), slots: [slot]))
      } else {
        problems.add(entry.position, "a setting needs choices or number; write choices: { A0: 4, A1: 5 }")
      }
    }
    return settings
  }

  private static func range(_ text: String) -> ClosedRange<Double>? {
    let ends = text.parts(between: "..", atMost: 2).compactMap { Quantity.number(String($0)) }
    return ends.count == 2 && ends[0] < ends[1] ? ends[0]...ends[1] : nil
  }

  private mutating func choice(
    _ name: String, _ slot: Int, _ field: Field, sets: Field?, usual: String
  ) -> Sheet.Setting? {
    var slots = [slot]
    var choices: [(word: String, numbers: [Int])] = []
    for entry in problems.entries(field) {
      guard let number = whole(entry.value) else {
        problems.add(entry.value.position, "a choice has a whole number; write A0: 4")
        return nil
      }
      choices.append((entry.key, [number]))
    }
    for entry in problems.entries(sets) {
      guard let own = self.slot(entry.key, at: entry.position), case .list(let items) = entry.value.content else {
        problems.add(entry.position, "\(quoted(entry.key)) takes a list with a number for each choice")
        return nil
      }
      let numbers = items.compactMap { whole($0) }
      guard numbers.count == choices.count, items.count == choices.count else {
        problems.add(
          entry.position,
          "\(quoted(entry.key)) has \(items.count) numbers; write one for each of the \(choices.count) choices")
        return nil
      }
      slots.append(own)
      for place in choices.indices { choices[place].numbers.append(numbers[place]) }
    }
    guard choices.contains(where: { $0.word == usual }) else {
      problems.add(field.position, "the default \(quoted(usual)) of \(quoted(name)) is not one of its choices")
      return nil
    }
    return Sheet.Setting(name: name, values: .choices(choices, usual: usual), slots: slots)
  }

  // MARK: - Steps

  private static let readGrammar = FieldSet(
    name: "a read",
    keys: [
      Key(name: "at", takes: "a register: 0x88", shape: .text),
      Key(name: "as", takes: "a map of fields: { raw: u16be }", isRequired: true, shape: .any),
      Key(name: "crc", takes: "{ polynomial: 0x31, start: 0xFF, after: 2 }", shape: .any),
    ])
  private static let crcGrammar = FieldSet(
    name: "a checksum",
    keys: [
      Key(name: "polynomial", takes: "a byte: 0x31", isRequired: true, shape: .text),
      Key(name: "start", takes: "a byte: 0xFF", isRequired: true, shape: .text),
      Key(name: "after", takes: "the number of bytes before each checksum: 2", isRequired: true, shape: .whole(1...64)),
    ])
  private static let transferGrammar = FieldSet(
    name: "a transfer",
    keys: [
      Key(name: "send", takes: "a list of bytes", isRequired: true, shape: .any),
      Key(name: "as", takes: "a map of fields: { _: u14, raw: u10 }", isRequired: true, shape: .any),
    ])
  private static let receiveGrammar = FieldSet(
    name: "a frame",
    keys: [
      Key(name: "start", takes: "a list of bytes: [0x42, 0x4D]", isRequired: true, shape: .any),
      Key(
        name: "length", takes: "the number of bytes of the frame: 32", isRequired: true,
        shape: .whole(2...SerialFrame.longest)),
      Key(name: "sum", takes: "the bytes of the sum at the end, 1 or 2, or { from: 2, to: 7, at: 8 }", shape: .any),
      Key(
        name: "as", takes: "a map of fields from the first byte on: { _: u32, raw: u16be }", isRequired: true,
        shape: .any),
      Key(name: "within", takes: "a duration: 2s", shape: .span(.milliseconds(10)...Sheet.longestWait)),
    ])
  private static let sumGrammar = FieldSet(
    name: "a sum",
    keys: [
      Key(
        name: "from", takes: "the place of the first added byte, from 0: 2", isRequired: true, shape: .whole(0...255)),
      Key(name: "to", takes: "the place of the last added byte: 7", isRequired: true, shape: .whole(0...255)),
      Key(name: "at", takes: "the place of the sum: 8", isRequired: true, shape: .whole(0...255)),
      Key(name: "bytes", takes: "the number of bytes of the sum, 1 or 2", shape: .whole(1...2)),
      Key(name: "negated", takes: "true or false", shape: .flag),
    ])
  private static let untilGrammar = FieldSet(
    name: "a condition",
    keys: [
      Key(name: "read", takes: "a register: 0xF3", isRequired: true, shape: .text),
      Key(name: "mask", takes: "a byte: 0x08", isRequired: true, shape: .text),
      Key(name: "equals", takes: "a byte: 0", isRequired: true, shape: .text),
      Key(name: "within", takes: "a duration: 10ms", isRequired: true, shape: .span(.zero...Sheet.longestWait)),
    ])
  private static let stepGrammar = FieldSet(
    name: "a step",
    keys: [
      Key(name: "write", takes: "a list of bytes: [0xF4, 0x25]", shape: .any),
      Key(name: "read", takes: "{ at: 0xF7, as: { raw: u16be } }", shape: .any),
      Key(name: "expect", takes: "a list of bytes: [0x60]", shape: .any),
      Key(name: "transfer", takes: "{ send: [0x01, 0x80, 0x00], as: { _: u14, raw: u10 } }", shape: .any),
      Key(name: "receive", takes: "{ start: [0x42], length: 32, sum: 2, as: { _: u32, raw: u16be } }", shape: .any),
      Key(name: "wait", takes: "a duration: 9ms", shape: .span(.zero...Sheet.longestWait)),
      Key(name: "until", takes: "{ read: 0xF3, mask: 0x08, equals: 0, within: 10ms }", shape: .any),
    ])

  private mutating func steps(_ field: Field?, on bus: Sheet.Bus) -> [Sheet.Step] {
    guard let field else { return [] }
    guard let items = problems.items(field) else { return [] }
    guard items.count <= Sheet.stepsAtMost else {
      problems.add(field.position, "\(quoted(field.key.name)) has more than \(Sheet.stepsAtMost) steps")
      return []
    }
    return items.compactMap { item in
      guard let step = problems.fields(item, Self.stepGrammar, at: item.position) else { return nil }
      return self.step(step, at: item.position, on: bus)
    }
  }

  private mutating func step(_ step: Fields, at position: Position, on bus: Sheet.Bus) -> Sheet.Step? {
    let isSPI = if case .spi = bus { true } else { false }
    let isSerial = if case .serial = bus { true } else { false }
    if let field = step["receive"] {
      guard isSerial, step.all.count == 1 else {
        problems.add(position, "only a serial device has frames; write receive in a step of its own")
        return nil
      }
      return frame(field)
    }
    if isSerial, step["write"] == nil, step["wait"] == nil {
      problems.add(position, "a serial device has no registers; use write, receive and wait")
      return nil
    }
    switch step.all.map(\.key.name).sorted() {
    case ["write"]: return step["write"].flatMap { bytes($0, Sheet.writesAtMost) }.map { .write($0) }
    case ["wait"]: return problems.duration(step["wait"], in: .zero...Sheet.longestWait).map { .wait($0) }
    case ["expect", "read"]:
      guard let field = step["read"], let register = register(field), let wanted = step["expect"].flatMap(list),
        !wanted.isEmpty
      else {
        if problems.count == 0 { problems.add(position, "a chip has one of several bytes; write expect: [0x60]") }
        return nil
      }
      return .expect(register, wanted)
    case ["read"]:
      guard let field = step["read"], let inner = problems.fields(field.node, Self.readGrammar, at: field.position)
      else { return nil }
      var register: Sheet.Register = []
      if let at = inner["at"] {
        guard let read = self.register(at) else { return nil }
        register = read
      }
      guard let fields = inner["as"].flatMap({ answer($0) }) else { return nil }
      guard let crc = inner["crc"] else { return .read(register, fields, nil) }
      guard let checksum = checksum(crc) else { return nil }
      guard Sheet.byteCount(fields, nil) % checksum.after == 0 else {
        problems.add(
          crc.position, "\(Sheet.byteCount(fields, nil)) bytes are no groups of \(checksum.after); correct after or as")
        return nil
      }
      return .read(register, fields, checksum)
    case ["transfer"]:
      guard isSPI else {
        problems.add(position, "I²C has no transfers; use write and read")
        return nil
      }
      guard let field = step["transfer"],
        let inner = problems.fields(field.node, Self.transferGrammar, at: field.position),
        let sent = inner["send"].flatMap({ bytes($0, Sheet.bytesAtMost) }),
        let fields = inner["as"].flatMap({ answer($0) })
      else { return nil }
      guard Sheet.byteCount(fields, nil) == sent.count else {
        problems.add(
          field.position,
          "a transfer of \(sent.count) bytes gives as many, and the fields have \(Sheet.byteCount(fields, nil))")
        return nil
      }
      return .transfer(sent, fields)
    case ["until"]:
      guard let field = step["until"], let inner = problems.fields(field.node, Self.untilGrammar, at: field.position),
        let register = inner["read"].flatMap(register), let mask = inner["mask"].flatMap({ byte($0.node) }),
        let wanted = inner["equals"].flatMap({ byte($0.node) }),
        let time = problems.duration(inner["within"], in: .zero...Sheet.longestWait)
      else {
        if problems.count == 0 { problems.add(position, "mask and equals are bytes; write mask: 0x08, equals: 0") }
        return nil
      }
      return .until(register, mask: mask, equals: wanted, within: time)
    default:
      if problems.count == 0 {
        problems.add(position, "a step has one of write, read, transfer, wait and until; write - write: [0xF4, 0x25]")
      }
      return nil
    }
  }

  private mutating func frame(_ field: Field) -> Sheet.Step? {
    guard let inner = problems.fields(field.node, Self.receiveGrammar, at: field.position),
      let start = inner["start"].flatMap({ list($0) }),
      let length = problems.whole(inner["length"], in: 2...SerialFrame.longest),
      let fields = inner["as"].flatMap({ answer($0) })
    else { return nil }
    guard (1...length).contains(start.count), Sheet.byteCount(fields, nil) <= length else {
      problems.add(
        field.position,
        "a frame of \(length) bytes contains its start, and the fields have \(Sheet.byteCount(fields, nil)) bytes")
      return nil
    }
    var sum: SerialFrame.Sum?
    if let key = inner["sum"] {
      guard let read = self.sum(key, length) else { return nil }
      sum = read
    }
    let time = problems.duration(inner["within"], in: .milliseconds(10)...Sheet.longestWait) ?? .seconds(2)
    return .receive(SerialFrame(start: start, length: length, sum: sum), fields, within: time)
  }

  /// A number of bytes at the end, which add all bytes before them, or a map.
  private func sum(_ field: Field, _ length: Int) -> SerialFrame.Sum? {
    if let width = whole(field.node), (1...2).contains(width), width < length {
      return SerialFrame.Sum(of: 0..<length - width, at: length - width, width: width)
    }
    guard case .map = field.node.content,
      let inner = problems.fields(field.node, Self.sumGrammar, at: field.position),
      let from = problems.whole(inner["from"], in: 0...255), let to = problems.whole(inner["to"], in: 0...255),
      let place = problems.whole(inner["at"], in: 0...255)
    else {
      if problems.count == 0 { problems.addWrong(field) }
      return nil
    }
    let width = problems.whole(inner["bytes"], in: 1...2) ?? 1
    guard from <= to, to < length, place + width <= length else {
      problems.add(field.position, "the sum is outside of the \(length) bytes of the frame; correct from, to and at")
      return nil
    }
    return SerialFrame.Sum(
      of: from..<to + 1, at: place, width: width, isNegated: problems.flag(inner["negated"]) ?? false)
  }

  private mutating func bytes(_ field: Field, _ most: Int) -> [SheetExpression]? {
    guard let items = problems.items(field) else { return nil }
    guard (1...most).contains(items.count) else {
      problems.add(field.position, "\(quoted(field.key.name)) has \(items.count) bytes; it takes 1...\(most)")
      return nil
    }
    var formulas: [SheetExpression] = []
    for item in items {
      guard let formula = formula(item) else { return nil }
      if let number = formula.constant, !(0...0xFF).contains(number) {
        problems.add(item.position, "\(quoted(scalar(item) ?? "")) is not a byte; write 0...255, or 0x00...0xFF")
        return nil
      }
      formulas.append(formula)
    }
    return formulas
  }

  private func list(_ field: Field) -> [UInt8]? {
    guard let items = problems.items(field) else { return nil }
    let bytes = items.compactMap { byte($0) }
    guard bytes.count == items.count, bytes.count <= Sheet.bytesAtMost else {
      problems.addWrong(field)
      return nil
    }
    return bytes
  }

  private func register(_ field: Field) -> Sheet.Register? {
    guard case .scalar(let text) = field.node.content, let number = whole(field.node), (0...0xFFFF).contains(number)
    else {
      problems.addWrong(field)
      return nil
    }
    // 0x0100 has two bytes, 0x10 has one.
    return text.utf8.count > 4 || number > 0xFF ? [UInt8(number >> 8), UInt8(number & 0xFF)] : [UInt8(number)]
  }

  private mutating func answer(_ field: Field) -> [Sheet.Field]? {
    var fields: [Sheet.Field] = []
    var bits = 0
    for entry in problems.entries(field) {
      guard case .scalar(let text) = entry.value.content, var read = Self.field(text) else {
        problems.add(entry.value.position, "a field is u8, s16be, u24le or the like; write raw: u16be")
        return nil
      }
      if read.isLittleEndian, read.bits % 8 != 0 || bits % 8 != 0 {
        problems.add(entry.value.position, "a field with its low byte first has whole bytes; write u16le")
        return nil
      }
      if entry.key.first != "_" {
        guard let slot = slot(entry.key, at: entry.position) else { return nil }
        read.slot = slot
      }
      bits += read.bits + read.padding
      fields.append(read)
    }
    guard problems.count == 0 else { return nil }
    guard bits > 0, bits % 8 == 0, bits / 8 <= Sheet.bytesAtMost else {
      problems.add(field.position, "the fields have \(bits) bits; they are whole bytes, 1...\(Sheet.bytesAtMost)")
      return nil
    }
    return fields
  }

  /// `u16be`. `u20be` fills three bytes: chips put such a number at their high end.
  private static func field(_ text: String) -> Sheet.Field? {
    guard let sign = text.first, sign == "u" || sign == "s" else { return nil }
    var digits = text.dropFirst()
    let isLittle = digits.hasSuffix("le")
    let hasOrder = isLittle || digits.hasSuffix("be")
    if hasOrder { digits = digits.dropLast(2) }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(digits), (1...64).contains(bits) else {
      return nil
    }
    return Sheet.Field(
      bits: bits, isSigned: sign == "s", isLittleEndian: isLittle, padding: hasOrder && bits == 20 ? 4 : 0)
  }

  private func checksum(_ field: Field) -> Sheet.Checksum? {
    guard let inner = problems.fields(field.node, Self.crcGrammar, at: field.position) else { return nil }
    guard let polynomial = inner["polynomial"].flatMap({ byte($0.node) }),
      let start = inner["start"].flatMap({ byte($0.node) }), let after = problems.whole(inner["after"], in: 1...64)
    else {
      if problems.count == 0 { problems.addWrong(field) }
      return nil
    }
    return Sheet.Checksum(polynomial: polynomial, start: start, after: after)
  }

  // MARK: - Numbers

  private static let numberGrammar = FieldSet(
    name: "a reading",
    keys: [
      Key(name: "is", takes: "a formula of whole numbers", isRequired: true, shape: .text),
      Key(name: "scale", takes: "a factor: 0.01, or 1 / 1024", shape: .text),
      Key(name: "unit", takes: "a unit: °C", shape: .text),
      Key(name: "min", takes: "the least reading", isRequired: true, shape: .number(-1e12...1e12)),
      Key(name: "max", takes: "the greatest reading", isRequired: true, shape: .number(-1e12...1e12)),
    ])

  private mutating func numbers(_ field: Field?) -> [Sheet.Number] {
    var numbers: [Sheet.Number] = []
    for entry in problems.entries(field) {
      if case .map = entry.value.content {
        guard let fields = problems.fields(entry.value, Self.numberGrammar, at: entry.position),
          let formula = fields["is"].flatMap({ formula($0.node) })
        else { continue }
        var scale = SheetExpression(1)
        if let field = fields["scale"] {
          guard let read = self.formula(field.node, isReal: true) else { continue }
          scale = read
        }
        guard let low = problems.number(fields["min"], in: -1e12...1e12),
          let high = problems.number(fields["max"], in: -1e12...1e12)
        else { continue }
        guard low < high else {
          problems.add(entry.position, "min of \(quoted(entry.key)) is not below max; swap them")
          continue
        }
        guard let slot = slot(entry.key, at: entry.position) else { continue }
        numbers.append(
          Sheet.Number(
            name: entry.key, slot: slot, formula: formula,
            reading: Sheet.Reading(scale: scale, unit: problems.text(fields["unit"]) ?? "", range: low...high)))
      } else if let formula = formula(entry.value), let slot = slot(entry.key, at: entry.position) {
        numbers.append(Sheet.Number(name: entry.key, slot: slot, formula: formula, reading: nil))
      }
    }
    return numbers
  }

  // MARK: - Faults

  private mutating func faults(_ field: Field?) -> [Sheet.Fault] {
    let entries = problems.entries(field)
    guard entries.count <= Sheet.faultsAtMost else {
      problems.add(
        field?.position ?? .start, "faults has \(entries.count) faults; it takes \(Sheet.faultsAtMost) at most")
      return []
    }
    return entries.compactMap { entry in
      guard (1...100).contains(entry.key.utf8.count) else {
        problems.add(entry.position, "the text of a fault has 1...100 bytes; write the thermocouple is open")
        return nil
      }
      return formula(entry.value).map { Sheet.Fault(text: entry.key, formula: $0) }
    }
  }

  // MARK: - Contacts and levels

  private static func isContact(_ name: String) -> Bool {
    (1...16).contains(name.utf8.count) && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private mutating func contacts(_ field: Field?) -> [Sheet.Contact] {
    let entries = problems.entries(field)
    if let field, !(1...Sheet.contactsAtMost).contains(entries.count) {
      problems.add(field.position, "contacts has \(entries.count) contacts; it takes 1...\(Sheet.contactsAtMost)")
      return []
    }
    return entries.compactMap { entry in
      guard Self.isContact(entry.key) else {
        problems.add(entry.position, "\(quoted(entry.key)) is not a name of a contact; write letters, digits and _")
        return nil
      }
      return formula(entry.value).map { Sheet.Contact(name: entry.key, formula: $0) }
    }
  }

  private static let levelGrammar = FieldSet(
    name: "a level",
    keys: [
      Key(
        name: "range", takes: "the chip's whole numbers for the levels 0 and 1, in 0...65535: 0..4095",
        isRequired: true,
        shape: .text),
      Key(name: "write", takes: "a list of bytes: [0x40, out / 16, out mod 16 * 16]", isRequired: true, shape: .any),
    ])

  private mutating func outputs(_ field: Field?) -> [Sheet.Output] {
    let entries = problems.entries(field)
    if let field, !(1...Sheet.outputsAtMost).contains(entries.count) {
      problems.add(field.position, "levels has \(entries.count) outputs; it takes 1...\(Sheet.outputsAtMost)")
      return []
    }
    var outputs: [Sheet.Output] = []
    for entry in entries {
      guard let fields = problems.fields(entry.value, Self.levelGrammar, at: entry.position),
        let field = fields["range"]
      else { continue }
      let ends = (scalar(field.node) ?? "").parts(between: "..", atMost: 2).compactMap { Self.whole(String($0)) }
      guard ends.count == 2, 0 <= ends[0], ends[0] < ends[1], ends[1] <= 65_535 else {
        problems.addWrong(field)
        continue
      }
      guard let slot = slot(entry.key, at: entry.position),
        let write = fields["write"].flatMap({ bytes($0, Sheet.writesAtMost) })
      else { continue }
      outputs.append(Sheet.Output(name: entry.key, slot: slot, range: ends[0]...ends[1], write: write))
    }
    // Only its own write can use the number of an output.
    for output in outputs { slots[output.name] = nil }
    return outputs
  }

  // MARK: - Example

  private func example(
    _ field: Field?, _ settings: [Sheet.Setting], _ numbers: [Sheet.Number], _ contacts: [Sheet.Contact],
    _ outputs: [Sheet.Output], hasReads: Bool
  ) -> SheetExample? {
    guard let field, let fields = problems.fields(field.node, Self.exampleGrammar, at: field.position) else {
      return nil
    }
    var chosen = SheetSettings()
    for entry in problems.entries(fields["settings"]) {
      guard let text = scalar(entry.value),
        let setting = settings.first(where: { $0.name == entry.key }),
        Self.choose(text, for: setting, in: &chosen)
      else {
        problems.add(entry.position, "the sheet has no such setting; write one of its settings and choices")
        return nil
      }
    }
    var gives: [(name: String, number: Double)] = []
    for entry in problems.entries(fields["gives"]) {
      guard let number = scalar(entry.value).flatMap({ Quantity.number($0) }),
        numbers.contains(where: { $0.name == entry.key && $0.reading != nil })
      else {
        problems.add(entry.position, "\(quoted(entry.key)) is not a reading of this sheet with a number")
        return nil
      }
      gives.append((entry.key, number))
    }
    if let missing = numbers.first(where: { number in
      number.reading != nil && !gives.contains { $0.name == number.name }
    }) {
      problems.add(
        field.position, "the example gives no \(quoted(missing.name)); write gives: { \(missing.name): 25.08 }")
      return nil
    }
    guard let closed = closed(fields, contacts, at: field), let levels = levels(fields, outputs, at: field) else {
      return nil
    }
    for (one, other) in [("registers", "answers"), ("written", "sent")] {
      guard fields[one] != nil, let field = fields[other] else { continue }
      problems.add(field.position, "\(other) can't be beside \(one); write one of them")
      return nil
    }
    let answers: SheetExample.Answers
    if let list = fields["registers"] {
      var registers: [(register: Int, bytes: [UInt8])] = []
      for entry in problems.entries(list) {
        guard let register = Self.whole(entry.key), (0...0xFFFF).contains(register),
          case .list(let items) = entry.value.content
        else {
          problems.add(entry.position, "a register has a list of bytes; write 0x00: [0x40, 0x00]")
          return nil
        }
        registers.append((register, items.compactMap { byte($0) }))
        if registers.last?.bytes.count != items.count { return wrongBytes(entry.position) }
      }
      answers = .registers(registers)
    } else if let list = lists(fields["answers"]) {
      answers = .inTurn(list)
    } else if !hasReads {
      answers = .inTurn([])
    } else {
      if problems.count == 0 {
        problems.add(field.position, "an example has registers or answers; write registers: { 0x00: [0x40, 0x00] }")
      }
      return nil
    }
    let written = fields["written"] ?? fields["sent"]
    let writes = lists(written)
    if written != nil, writes == nil { return nil }
    return SheetExample(
      settings: chosen, answers: answers, written: writes, gives: gives, closed: closed, levels: levels)
  }

  private func closed(_ fields: Fields, _ contacts: [Sheet.Contact], at place: Field) -> [String]? {
    guard let field = fields["closed"] else {
      if contacts.isEmpty { return [] }
      problems.add(place.position, "the example of a sheet with contacts has the closed ones; write closed: [0, 3]")
      return nil
    }
    guard let items = problems.items(field) else { return nil }
    var closed: [String] = []
    for item in items {
      guard let name = scalar(item), contacts.contains(where: { $0.name == name }) else {
        problems.add(item.position, "this is not a contact of the sheet; write closed: [0, 3]")
        return nil
      }
      closed.append(name)
    }
    guard !closed.isEmpty else {
      problems.add(field.position, "an example closes a contact at least; write closed: [0, 3]")
      return nil
    }
    return closed
  }

  private func levels(
    _ fields: Fields, _ outputs: [Sheet.Output], at place: Field
  ) -> [(name: String, level: Double)]? {
    var levels: [(name: String, level: Double)] = []
    for entry in problems.entries(fields["levels"]) {
      guard let level = scalar(entry.value).flatMap({ Quantity.number($0) }), (0...1).contains(level),
        outputs.contains(where: { $0.name == entry.key })
      else {
        problems.add(entry.position, "\(quoted(entry.key)) is not an output of this sheet with a level 0...1")
        return nil
      }
      levels.append((entry.key, level))
    }
    if let missing = outputs.first(where: { output in !levels.contains { $0.name == output.name } }) {
      problems.add(place.position, "an example sets each output; write levels: { \(missing.name): 0.5 }")
      return nil
    }
    if !outputs.isEmpty, fields["written"] == nil, fields["sent"] == nil {
      problems.add(place.position, "an example with levels has the bytes of all writes; write written: [[0x40, 0x80]]")
      return nil
    }
    return levels
  }

  /// Adds the choice of a setting. Returns false if the setting has no such choice.
  static func choose(_ text: String, for setting: Sheet.Setting, in chosen: inout SheetSettings) -> Bool {
    switch setting.values {
    case .choices(let choices, _):
      guard choices.contains(where: { $0.word == text }) else { return false }
      chosen.words[setting.name] = text
    case .number(let range, _, _):
      guard let number = Quantity.number(text), range.contains(number) else { return false }
      chosen.numbers[setting.name] = number
    }
    return true
  }

  private func lists(_ field: Field?) -> [[UInt8]]? {
    guard let field, let items = problems.items(field) else { return nil }
    var lists: [[UInt8]] = []
    for item in items {
      guard case .list(let bytes) = item.content else { return wrongBytes(item.position) }
      lists.append(bytes.compactMap { byte($0) })
      if lists.last?.count != bytes.count { return wrongBytes(item.position) }
    }
    return lists
  }

  private func wrongBytes<Result>(_ position: Position) -> Result? {
    problems.add(position, "this is no list of bytes; write [0x40, 0x00]")
    return nil
  }

  // MARK: - Values

  private func scalar(_ node: YAMLNode) -> String? {
    if case .scalar(let text) = node.content { text } else { nil }
  }

  private func byte(_ node: YAMLNode) -> UInt8? { whole(node).flatMap { UInt8(exactly: $0) } }

  private func whole(_ node: YAMLNode) -> Int? { scalar(node).flatMap { Self.whole($0) } }

  /// A number in decimal or hexadecimal digits.
  private static func whole(_ text: String) -> Int? {
    if text.hasPrefix("0x") { return text.utf8.count <= 10 ? Int(text.dropFirst(2), radix: 16) : nil }
    return text.utf8.count <= 10 ? Int(text) : nil
  }
}
