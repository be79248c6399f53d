import CycleCore
import HardwareDrivers
import Terminal

/// The settings of one device, or of its appearance, as a kind reads them. Each reader returns nil if the key is
/// missing or its value is wrong. A wrong value adds a problem with the values that the key takes. Problems for unknown
/// and missing keys were added before.
public struct DeviceFields {
  /// The device's name.
  public let name: String
  package let problems: ProblemList
  /// The kinds that the file can name.
  package let kinds: KindList
  private let fields: Fields
  private let users: LineUsers

  init(of name: String, _ fields: Fields, _ users: LineUsers, _ problems: ProblemList, in kinds: KindList) {
    self.name = name
    self.kinds = kinds
    self.fields = fields
    self.users = users
    self.problems = problems
  }

  package subscript(key: String) -> Field? { fields[key] }

  /// Whether the key is missing and no misspelt key is close to it.
  package func isMissing(_ key: String) -> Bool { fields.isMissing(key) }

  /// The fields in the file, in their order.
  package var all: [Field] { fields.all }

  /// Whether the file has the key.
  public func has(_ key: String) -> Bool { fields[key] != nil }

  /// A word, a number or a text, as written in the file.
  public func text(_ key: String) -> String? { problems.text(fields[key]) }

  /// A number in the range of the key's shape, which must be ``Shape/number(_:)``.
  public func number(_ key: String) -> Double? {
    guard let field = fields[key] else { return nil }
    guard case .number(let range) = field.key.shape else { preconditionFailure("\(key) has no range of numbers") }
    return problems.number(field, in: range)
  }

  /// A number in the range of the key's shape, which must be ``Shape/whole(_:)``.
  public func whole(_ key: String) -> Int? {
    guard let field = fields[key] else { return nil }
    guard case .whole(let range) = field.key.shape else { preconditionFailure("\(key) has no range of whole numbers") }
    return problems.whole(field, in: range)
  }

  /// A duration in the range of the key's shape, which must be ``Shape/span(_:)``.
  public func duration(_ key: String) -> Duration? {
    guard let field = fields[key] else { return nil }
    guard case .span(let range) = field.key.shape else { preconditionFailure("\(key) has no range of durations") }
    return problems.duration(field, in: range)
  }

  /// Two durations in the range of the key's shape, which must be ``Shape/spans(_:)``.
  public func durations(_ key: String) -> ClosedRange<Duration>? {
    guard let field = fields[key] else { return nil }
    guard case .spans(let range) = field.key.shape else { preconditionFailure("\(key) has no range of durations") }
    return problems.durations(field, in: range)
  }

  /// Two numbers in the range of the key's shape, which must be ``Shape/numbers(_:)``.
  public func numbers(_ key: String) -> ClosedRange<Double>? {
    guard let field = fields[key] else { return nil }
    guard case .numbers(let range) = field.key.shape else { preconditionFailure("\(key) has no range of numbers") }
    return problems.numbers(field, in: range)
  }

  /// A duration in a range that depends on other keys.
  package func duration(_ key: String, in range: ClosedRange<Duration>) -> Duration? {
    problems.duration(fields[key], in: range)
  }

  /// True or false, for a key whose shape is ``Shape/flag``.
  public func flag(_ key: String) -> Bool? { problems.flag(fields[key]) }

  /// One of the words of a type.
  public func choice<Choice: RawRepresentable<String>>(_ key: String) -> Choice? { problems.choice(fields[key]) }

  /// A GPIO line. Reserves it for the device; adds a problem if another device already uses it.
  public func line(_ key: String) -> String? {
    guard let field = fields[key], let text = problems.text(field) else { return nil }
    return users.line(text, of: name, at: field.node.position, problems)
  }

  /// The chip of a line under `chips`; nil for a line of the panel's own chip.
  func chip(of line: String) -> (name: String, kind: any ChipKind)? { users.chip(of: line) }

  /// A list of GPIO lines, as ``line(_:)`` reads each.
  public func lines(_ key: String) -> [String]? {
    guard let elements = elements(key) else { return nil }
    let lines = elements.compactMap { $0.line(key) }
    return lines.count == elements.count ? lines : nil
  }

  /// The elements of a list. Their number must match the key's shape, which must be ``Shape/list(of:count:)``, or have
  /// it as an alternative. Each element is read by the same key: `fields.elements("cards")?.compactMap { $0.whole("cards") }`.
  public func elements(_ key: String) -> [DeviceFields]? {
    guard let field = fields[key], let nodes = problems.items(field) else { return nil }
    let shapes = if case .oneOf(let shapes) = field.key.shape { shapes } else { [field.key.shape] }
    let lists = shapes.compactMap { if case .list(let shape, let count) = $0 { (shape, count) } else { nil } }
    guard let (shape, count) = lists.first else { preconditionFailure("\(key) is not a list") }
    guard hasRoom(for: nodes.count, in: count, field, "list") else { return nil }
    return nodes.map { element($0, of: field, shape) }
  }

  /// The entries of a map whose keys the file chooses, in the order of the file. Their number must match the key's
  /// shape, which must be ``Shape/map(keys:to:count:)``, or have it as an alternative. Each value is read by the same key:
  /// `fields.entries("days")?.map { ($0.name, $0.value.whole("days")) }`.
  public func entries(_ key: String) -> [(name: String, value: DeviceFields)]? {
    guard let field = fields[key] else { return nil }
    let shapes = if case .oneOf(let shapes) = field.key.shape { shapes } else { [field.key.shape] }
    let maps = shapes.compactMap { if case .map(_, let shape, let count) = $0 { (shape, count) } else { nil } }
    guard let (shape, count) = maps.first else { preconditionFailure("\(key) is not a map") }
    guard case .map(let entries) = field.node.content else {
      problems.addWrong(field)
      return nil
    }
    guard hasRoom(for: entries.count, in: count, field, "map") else { return nil }
    return entries.map { ($0.key, element($0.value, of: field, shape)) }
  }

  /// The lines of a group's members: a list of lines, or a map of names and lines, which the members then have.
  package func memberLines(_ key: String) -> [String]? {
    guard isMap(key) else { return lines(key) }
    guard let entries = entries(key) else { return nil }
    let lines = entries.compactMap { name, value -> String? in
      let position = value[key]?.node.position ?? .start
      return Names.isGood(name, at: position, problems) ? value.line(key) : nil
    }
    return lines.count == entries.count ? lines : nil
  }

  private func hasRoom(for number: Int, in range: ClosedRange<Int>, _ field: Field, _ noun: String) -> Bool {
    if range.contains(number) { return true }
    problems.add(
      field.node.position, "\(quoted(field.key.name)) is a \(noun) of \(number); it takes \(field.key.takes)")
    return false
  }

  private func element(_ node: YAMLNode, of field: Field, _ shape: Shape) -> DeviceFields {
    DeviceFields(of: name, Fields(element: node, of: field, shape: shape), users, problems, in: kinds)
  }
}

extension DeviceFields {
  /// The brightness at a key of an appearance: a number 0...1, or the name of a value that the brightness follows. Nil
  /// if the file does not have the key. Adds a problem and returns nil for anything else.
  public func level(_ key: String, of show: ShowField) -> OutputAppearance? { fields[key].flatMap { show.level($0) } }

  /// The index of the value that a key of an appearance names, for ``CustomAppearance/followedValues``. Nil if the file
  /// does not have the key. Adds a problem and returns nil for anything else.
  public func value(_ key: String, of show: ShowField) -> Int? { fields[key].flatMap { show.value(of: $0) } }

  /// Whether the file has a map at the key.
  public func isMap(_ key: String) -> Bool { if case .map? = fields[key]?.node.content { true } else { false } }

  /// Adds a problem at the value of a key, or at the device if the key is missing. The text names the mistake and then
  /// what is right.
  public func addProblem(at key: String, _ text: String) {
    problems.add(fields[key]?.node.position ?? fields.position, text)
  }

  /// The fields of a map at one of the keys.
  public func inside(_ key: String, _ place: FieldSet) -> DeviceFields? {
    guard let field = fields[key], let inner = problems.fields(field.node, place, at: field.position) else {
      return nil
    }
    return DeviceFields(of: name, inner, users, problems, in: kinds)
  }

  /// Reserves something other than a line for the device or chip. Adds a problem if it is already in use.
  ///
  /// - Parameters:
  ///   - what: the name of the resource in the problem: `0x27 of I²C bus 1`.
  ///   - key: the key that names it; the problem is reported there.
  /// - Returns: whether it was free.
  public func take(_ what: String, at key: String) -> Bool {
    users.take(what, of: name, at: fields[key]?.node.position ?? fields.position, problems)
  }

  /// The address of a device on an I²C bus, such as `0x27`, in a key whose shape is ``Shape/text``. Reserves the
  /// address and the bus's lines for the device; adds a problem if another device uses the address.
  ///
  /// - Parameters:
  ///   - key: the key with the address.
  ///   - range: the addresses that the part can have.
  ///   - bus: the number of the bus; 1 is on the header of a Raspberry Pi, and only its lines are known.
  public func i2cAddress(
    _ key: String, in range: ClosedRange<I2CAddress> = 0x08...0x77, bus: Int = 1
  ) -> I2CAddress? {
    readI2CAddress(key, in: range, bus: bus).flatMap { address in
      take("\(address) of I²C bus \(bus)", at: key) ? address : nil
    }
  }

  /// The address of a chip that several devices can read, as ``i2cAddress(_:in:bus:)``.
  ///
  /// - Parameters:
  ///   - key: the key with the address.
  ///   - chip: the name of the chip.
  ///   - usual: the address if the file has none.
  ///   - bus: the number of the bus.
  package func i2cAddress(_ key: String, of chip: String, usual: I2CAddress, bus: Int) -> I2CAddress? {
    let position = fields[key]?.node.position ?? fields.position
    if !has(key), bus == 1 { users.share(["GPIO2", "GPIO3"], "I²C bus 1", at: position, problems) }
    guard let address = has(key) ? readI2CAddress(key, in: 0x08...0x77, bus: bus) : usual else { return nil }
    return users.take("\(address) of I²C bus \(bus)", forChip: chip, at: position, problems) ? address : nil
  }

  private func readI2CAddress(_ key: String, in range: ClosedRange<I2CAddress>, bus: Int) -> I2CAddress? {
    guard let field = fields[key], let text = problems.text(field) else { return nil }
    guard text.hasPrefix("0x"), let number = Int(text.dropFirst(2), radix: 16), let address = I2CAddress(number),
      range.contains(address)
    else {
      problems.addWrong(field)
      return nil
    }
    if bus == 1 { users.share(["GPIO2", "GPIO3"], "I²C bus 1", at: field.node.position, problems) }
    return address
  }

  /// The place of a device on an SPI bus in a key whose shape is ``Shape/text``: `0.1` is chip select 1 of bus 0, as in
  /// `/dev/spidev0.1`. Reserves it for the device; adds a problem if another device uses it.
  ///
  /// - Parameters:
  ///   - key: the key with the place.
  ///   - hasSelect: whether the device listens only while its chip select is active. A device without one, such as an LED
  ///     strip, must be alone on its bus.
  ///   - chip: the name of a chip that several devices can read; nil for a device that is the chip itself.
  /// - Returns: the place, and `0.0` if the file does not have the key.
  public func spiDevice(
    _ key: String, hasSelect: Bool = true, of chip: String? = nil
  ) -> (bus: Int, chipSelect: Int)? {
    var (bus, chipSelect) = (0, 0)
    if has(key) {
      guard let field = fields[key], let text = problems.text(field) else { return nil }
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let first = Self.shortNumber(parts[0]), let second = Self.shortNumber(parts[1]) else {
        problems.addWrong(field)
        return nil
      }
      (bus, chipSelect) = (first, second)
    }
    let isFree = users.takeSPI(
      bus, chipSelect, hasSelect: hasSelect, of: name, chip: chip,
      at: fields[key]?.node.position ?? fields.position, problems)
    return isFree ? (bus, chipSelect) : nil
  }

  /// The path of a serial line in a key whose shape is ``Shape/text``: `/dev/serial0`. Several sensors with the same
  /// settings and the same purpose can share it. Adds a problem if another sensor has given it other ones.
  ///
  /// - Parameters:
  ///   - key: the key with the path.
  ///   - settings: the settings of the line.
  ///   - purpose: the protocol on the line, as in messages: `lines of text`.
  public func serialLine(_ key: String, _ settings: SerialSettings, for purpose: String) -> String? {
    guard let path = text(key) else { return nil }
    // A panel file may come from a stranger, so the path must not lead to another folder.
    guard path.hasPrefix("/dev/"), path.utf8.count > 5, !path.contains(text: ".."),
      // One path has one text, so that two entries with one line are found.
      !path.contains(text: "//"), !path.contains(text: "/./"),
      path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else {
      addProblem(at: key, "\(quoted(path)) is not the path of a serial line; write one such as /dev/serial0")
      return nil
    }
    let position = fields[key]?.node.position ?? fields.position
    return users.takeSerial(path, settings, for: purpose, at: position, problems) ? path : nil
  }

  /// A number of one to three digits.
  private static func shortNumber(_ text: Substring) -> Int? {
    (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// Adds a note for `pull: down` if the chip has no resistor that can pull the line low.
  package func notePullDown(at line: String) {
    guard let pull = self["pull"], pull.node.content == .scalar("down") else { return }
    if ["GPIO2", "GPIO3"].contains(line) {
      problems.note(
        pull.node.position,
        "\(line) of a Raspberry Pi's header has a pull-up resistor of 1.8 kΩ, which pull: down can't overcome; use another line"
      )
    } else if let chip = users.chip(of: line), !chip.kind.hasPullDowns {
      problems.note(
        pull.node.position,
        "\(chip.name), which has \(line), has no resistors that pull down; wire the contact to ground and write pull: up, or give \(line) a resistor and write pull: none"
      )
    }
  }
}
