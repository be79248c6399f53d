import CycleCore
import HardwareDrivers
import PanelWiring
import Terminal

/// The users of GPIO lines.
package final class LineUsers {
  /// For each line, the name of the device that uses it, and the position in the file.
  private var users: [String: (name: String, position: Position)] = [:]
  /// For each line of a bus, the name of the bus.
  private var buses: [String: String] = [:]
  /// The chips that the file declares.
  private var chips: [String: Chip]

  /// For each SPI bus, the devices on it.
  private var spiDevices: [Int: [(name: String, position: Position, hasSelect: Bool)]] = [:]

  /// The settings of the serial lines, which several sensors share, and the positions that have them first.
  private var serialLines: [String: (settings: SerialSettings, purpose: String, position: Position)] = [:]

  /// The places of chips that several devices read.
  private var sharedChips: Set<String> = []

  /// The number of lines that were asked for whose chip has a problem.
  private(set) var linesOfWrongChips = 0

  private enum Chip {
    /// The chip comes later in the file.
    case unread
    /// The chip was read; nil if something is wrong with it.
    case read((any ChipKind)?)
  }

  private let isOnHeader: Bool

  /// - Parameters:
  ///   - chips: the names of all chips that the file declares.
  ///   - isOnHeader: whether lines of the panel's own chip may be on a Raspberry Pi's header.
  init(chips: [String], isOnHeader: Bool = false) {
    self.isOnHeader = isOnHeader
    self.chips = Dictionary(chips.map { ($0, .unread) }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds a chip that was read. The devices after it can use its lines.
  func define(_ name: String, _ kind: (any ChipKind)?) { chips[name] = .read(kind) }

  /// The chip of `chips` for a line in its canonical spelling; nil for a line of the panel's own chip.
  func chip(of line: String) -> (name: String, kind: any ChipKind)? {
    guard let name = Self.chipName(of: line), case .read(let kind?)? = chips[String(name)] else { return nil }
    return (String(name), kind)
  }

  /// The parts of a line before and after the first dot; nil without a dot. The first part is a chip's name if the file
  /// declares such a chip.
  package static func parts(of line: String) -> (chip: Substring, line: Substring)? {
    // Bytes, because the search for a character costs a hundred times as much, and a reload asks for each line.
    line.utf8.firstIndex(of: UInt8(ascii: ".")).map { (line[..<$0], line[line.utf8.index(after: $0)...]) }
  }

  static func chipName(of line: String) -> Substring? { parts(of: line)?.chip }

  /// The position in the file where a line is used.
  func position(of line: String) -> Position? { users[line]?.position }

  /// The canonical spelling of a line. Adds a problem and returns nil if the text is not a line or if another device
  /// uses it.
  func line(_ text: String, of name: String, at position: Position, _ problems: ProblemList) -> String? {
    let parts = Self.parts(of: text)
    let chipName = parts.map { String($0.chip) } ?? text
    if let chip = chips[chipName] {
      return line(parts.map { String($0.line) }, of: chip, chipName, of: name, at: position, problems)
    }
    // The kernel may use such names, too (`PCC.01`). It is a typing error only if a chip with a similar name has such a
    // line.
    if let parts, let meant = nearest(to: chipName, among: chips.keys.sorted()), case .read(let kind?)? = chips[meant],
      kind.line(String(parts.line)) != nil
    {
      problems.add(position, "there is no chip \(quoted(chipName)); did you mean \(quoted("\(meant).\(parts.line)"))?")
      return nil
    }
    guard let line = Self.canonical(text) else {
      problems.add(position, "\(quoted(text)) is not a GPIO line; write a name such as GPIO17, or gpiochip0:17")
      return nil
    }
    if isOnHeader, let fault = BoardHeader.fault(ofLine: line) { problems.note(position, fault) }
    return take(line, called: "line \(line)", of: name, at: position, problems) ? line : nil
  }

  /// Returns a line of a chip that the file declares.
  ///
  /// - Parameter text: the text after the chip's name and a dot; nil without a dot.
  private func line(
    _ text: String?, of chip: Chip, _ chipName: String, of name: String, at position: Position, _ problems: ProblemList
  ) -> String? {
    guard case .read(let kind) = chip else {
      problems.add(
        position, "the chip \(quoted(chipName)) is defined later in the file; move it before \(quoted(name))")
      return nil
    }
    guard let kind else {
      linesOfWrongChips += 1
      return nil
    }
    guard let text, let own = kind.line(text) else {
      let what =
        text.map { "\(quoted($0)) is not a line of \(chipName)" } ?? "\(quoted(chipName)) is a chip, not a line"
      problems.add(position, "\(what); write \(chipName). and \(kind.choices)")
      return nil
    }
    let line = "\(chipName).\(own)"
    let identity = kind.identity(of: own, on: chipName)
    guard take(identity, called: "line \(line)", of: name, at: position, problems) else { return nil }
    users[line] = (name, position)
    return line
  }

  /// Adds lines of a bus, which several devices share. Adds a note for each device that uses one of them alone.
  ///
  /// - Parameter bus: the name of the bus: `I²C bus 1`.
  func share(_ lines: [String], _ bus: String, at position: Position, _ problems: ProblemList) {
    for line in lines where buses.updateValue(bus, forKey: line) == nil {
      guard let user = users[line] else { continue }
      noteShared(line, bus, by: user.name, at: position, problems)
    }
  }

  private func noteShared(
    _ line: String, _ bus: String, by name: String, at position: Position, _ problems: ProblemList
  ) {
    problems.note(
      position, "\(line), which \(quoted(name)) uses, is a line of \(bus) on a Raspberry Pi's header; choose another")
  }

  /// Reserves something other than a line. Adds a problem and returns false if another device uses it.
  func take(_ what: String, of name: String, at position: Position, _ problems: ProblemList) -> Bool {
    take(what, called: what, of: name, at: position, problems)
  }

  /// Reserves something for a chip that several devices read. Adds a problem and returns false if another chip or device
  /// uses it.
  func take(_ what: String, forChip chip: String, at position: Position, _ problems: ProblemList) -> Bool {
    if let user = users[what], user.name == chip, sharedChips.contains(what) { return true }
    guard take(what, called: what, of: chip, at: position, problems) else { return false }
    sharedChips.insert(what)
    return true
  }

  /// Reserves a place on an SPI bus, and the bus's lines on a Raspberry Pi's header. Adds a problem and returns false if
  /// another device uses it, or if a device without a chip select would not be alone on the bus.
  ///
  /// - Parameter chip: the chip, if several devices can read it.
  func takeSPI(
    _ bus: Int, _ chipSelect: Int, hasSelect: Bool, of name: String, chip: String?, at position: Position,
    _ problems: ProblemList
  ) -> Bool {
    let others = spiDevices[bus, default: []]
    if let other = others.first(where: { !$0.hasSelect || !hasSelect }) {
      let alone = hasSelect ? other.name : name
      problems.add(
        position,
        "\(quoted(alone)) has no chip select, so it must be alone on SPI bus \(bus), which "
          + "\(quoted(hasSelect ? name : other.name)) uses, too; choose another bus")
      return false
    }
    spiDevices[bus] = others + [(name, position, hasSelect)]
    if bus == 0 {
      share(["GPIO7", "GPIO8", "GPIO9", "GPIO10", "GPIO11"], "SPI bus 0", at: position, problems)
    }
    let place = "chip select \(chipSelect) of SPI bus \(bus)"
    if let chip { return take(place, forChip: chip, at: position, problems) }
    return take(place, of: name, at: position, problems)
  }

  /// Reserves a serial line, which several sensors can share, and its lines on a Raspberry Pi's header. Adds a problem and
  /// returns false if another sensor has given it other settings, or needs it for another purpose.
  func takeSerial(
    _ path: String, _ settings: SerialSettings, for purpose: String, at position: Position, _ problems: ProblemList
  ) -> Bool {
    if let known = serialLines[path], known.purpose != purpose {
      problems.add(
        position,
        "\(path) has \(purpose) here, and \(known.purpose) on line \(known.position.line); give one another line")
      return false
    }
    if let known = serialLines[path], known.settings != settings {
      problems.add(
        position,
        "\(path) has \(settings.text) here, but \(known.settings.text) on line \(known.position.line); "
          + "give both the same settings")
      return false
    }
    let others = SerialPort.headerPaths.filter { $0 != path && serialLines[$0] != nil }
    if serialLines[path] == nil, SerialPort.headerPaths.contains(path), let other = others.first {
      problems.note(position, "\(path) and \(other) can be the same line; write the same path for one line")
    }
    if serialLines[path] == nil { serialLines[path] = (settings, purpose, position) }
    if SerialPort.headerPaths.contains(path) {
      share(["GPIO14", "GPIO15"], "the serial line", at: position, problems)
    } else if let prefix = ["/dev/ttyUSB", "/dev/ttyACM"].first(where: path.hasPrefix) {
      problems.note(
        position,
        "\(prefix) with a number can be another adapter after a restart; write its path in /dev/serial/by-id")
    }
    return true
  }

  private func take(
    _ what: String, called words: String, of name: String, at position: Position, _ problems: ProblemList
  ) -> Bool {
    if let user = users[what] {
      let whom = user.name == name ? "\(quoted(name)) itself" : quoted(user.name)
      problems.add(
        position, "\(words) of \(quoted(name)) is already used by \(whom) on line \(user.position.line); choose another"
      )
      return false
    }
    users[what] = (name, position)
    if let bus = buses[what] { noteShared(what, bus, by: name, at: position, problems) }
    return true
  }

  /// The line's canonical spelling: `gpiochip0:17` without leading zeros. Nil if the text is not a line.
  package static func canonical(_ text: String) -> String? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      return isName(text) ? text : nil
    }
    guard parts[0].hasPrefix("gpiochip"), let chip = number(parts[0].dropFirst("gpiochip".count)),
      let offset = number(parts[1])
    else { return nil }
    return "gpiochip\(chip):\(offset)"
  }

  /// Whether the text can be the kernel's name of a line: a letter first, at most 31 characters.
  package static func isName(_ text: String) -> Bool {
    text.utf8.count <= 31 && text.first.map { $0.isASCII && $0.isLetter } ?? false
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./+#".contains($0)) }
  }

  private static func number(_ digits: Substring) -> Int? {
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }
}
