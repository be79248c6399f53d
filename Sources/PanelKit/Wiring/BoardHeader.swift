/// The 40-pin header of a Raspberry Pi. It is the same on every model since the Model B+ of 2014.
///
/// Pin numbers are the physical ones, 1 to 40, with odd pins in one column and even pins in the other. Line numbers are
/// those in their names: GPIO17 is 17.
///
/// **Source**: "GPIO and the 40-pin header" in the documentation of Raspberry Pi; for the resistors at GPIO2 and GPIO3
/// the reduced schematics (R23 and R24 of the Zero W, 1.8 kΩ).
package enum BoardHeader {
  /// The connection of a pin of the header.
  package enum Contact: Equatable, Sendable {
    case line(Int)
    case supply(SupplyNet)

    /// The name of the line, or the words for the supply.
    var name: String {
      switch self {
      case .line(let number): "GPIO\(number)"
      case .supply(let net): net.words
      }
    }
  }

  /// A use of lines by the board, its firmware or a kernel driver, other than plain inputs and outputs.
  package enum Function: CaseIterable, Hashable, Sendable {
    case i2c
    case spi
    case serialConsole
    case oneWire
    case i2sSound
    /// Analogue sound, on boards without a jack for it.
    case pwmSound
    /// The memory chip of a HAT, which the firmware reads at boot.
    case hatMemory
  }

  static let pinCount = 40

  /// The contact of each pin; pin 1 is at index 0.
  static let contacts: [Contact] = [
    .supply(.volts3), .supply(.volts5),
    .line(2), .supply(.volts5),
    .line(3), .supply(.ground),
    .line(4), .line(14),
    .supply(.ground), .line(15),
    .line(17), .line(18),
    .line(27), .supply(.ground),
    .line(22), .line(23),
    .supply(.volts3), .line(24),
    .line(10), .supply(.ground),
    .line(9), .line(25),
    .line(11), .line(8),
    .supply(.ground), .line(7),
    .line(0), .line(1),
    .line(5), .supply(.ground),
    .line(6), .line(12),
    .line(13), .supply(.ground),
    .line(19), .line(16),
    .line(26), .line(20),
    .supply(.ground), .line(21),
  ]

  /// The pin of a line, by the line's number; nil if the header doesn't have the line.
  static func pin(ofLine number: Int) -> Int? {
    contacts.firstIndex(of: .line(number)).map { $0 + 1 }
  }

  /// The number of a line that a panel can use on the header, by its name, `GPIO2` to `GPIO27`; nil for any other name.
  ///
  /// GPIO0 and GPIO1 belong to the memory chip of a HAT.
  static func line(named name: String) -> Int? {
    guard name.hasPrefix("GPIO"), let number = Int(name.dropFirst(4)), 2...27 ~= number else { return nil }
    return name == "GPIO\(number)" ? number : nil
  }

  /// The pin of a line that a panel can use, by the line's name.
  package static func pin(ofLineNamed name: String) -> Int? {
    line(named: name).flatMap { pin(ofLine: $0) }
  }

  /// The error in a name that probably means a line of the header: `GPIO99`, `BCM17`, `pin11`. nil for any other name,
  /// because other boards have other names.
  package static func fault(ofLine name: String) -> String? {
    let end = name.utf8.lastIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let digits = end.map { name[name.utf8.index(after: $0)...] } ?? name[...]
    guard let number = Int(digits), digits.count <= 3 else { return nil }
    let word = name.dropLast(digits.count).lowercased().filter { $0 != "_" && $0 != "-" }
    switch word {
    case "gpio" where name == "GPIO\(number)":
      return number <= 27 ? nil : "\(name) is not on a Raspberry Pi's header; use GPIO2 to GPIO27"
    case "gpio", "bcm", "d", "io":
      return 2...27 ~= number ? "a Raspberry Pi has no line \(name); write GPIO\(number)" : nil
    case "pin":
      guard 1...pinCount ~= number else { return nil }
      let contact = contacts[number - 1]
      let remedy =
        if case .line = contact { "write \(contact.name), which is pin \(number) of its header" } else {
          "pin \(number) of its header is \(contact.name)"
        }
      return "a Raspberry Pi has no line \(name); \(remedy)"
    default: return nil
    }
  }

  /// The numbers of the lines that a function uses when it is enabled.
  static func lines(of function: Function) -> [Int] {
    switch function {
    case .i2c: [2, 3]
    case .spi: [7, 8, 9, 10, 11]
    case .serialConsole: [14, 15]
    case .oneWire: [4]
    case .i2sSound: [18, 19, 20, 21]
    case .pwmSound: [12, 13, 18, 19]
    case .hatMemory: [0, 1]
    }
  }

  /// The bias of a line from power-on until a program requests the line.
  static func powerOnPull(ofLine number: Int) -> Pull { number <= 8 ? .up : .down }

  /// The resistance in ohms of a fixed resistor to 3.3 V on the board, which no setting removes. nil for all lines
  /// except 2 and 3.
  static func fixedPullUpOhms(ofLine number: Int) -> Int? { number == 2 || number == 3 ? 1800 : nil }

  /// The total current that all lines together can supply, in milliamperes.
  static let maximumMilliamps = 50
}
