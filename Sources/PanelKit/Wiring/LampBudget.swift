/// The LEDs that the lines of a panel drive, and the resistor that each of them gets.
///
/// A red, yellow or green LED has 1.8 V, so that 1.5 V of the line's 3.3 V are left for the resistor: 4.5 mA with
/// 330 Ω, 1.5 mA with 1 kΩ. All LEDs are taken to be lit at once.
///
/// **Source**: raspberrypi/documentation, `power-supplies.adoc`: 16 mA a line, 50 mA all lines together.
struct LampBudget: Equatable, Sendable {
  /// The LEDs on a chip of their own, each with 330 Ω: what that chip can give is its data sheet's.
  static let ofChip = LampBudget(count: 0)

  /// How many LEDs there are.
  let count: Int

  /// The resistor before each LED, in ohms: 330 as long as that keeps within the current of all lines, else 1000.
  var ohms: Int { milliamps(ohms: 330) <= Double(BoardHeader.maximumMilliamps) ? 330 : 1000 }

  /// The words for the resistor.
  var resistance: String { ohms == 330 ? "330 Ω" : "1 kΩ" }

  /// The current of all LEDs together, rounded, in milliamperes.
  var milliamps: Int { Int(milliamps(ohms: ohms).rounded()) }

  /// The note for a panel whose LEDs take too much current with 330 Ω; nil if they don't.
  var note: WiringNote? {
    guard ohms != 330 else { return nil }
    let maximum = BoardHeader.maximumMilliamps
    if milliamps <= maximum {
      return WiringNote(
        "\(count) LEDs would take more than \(maximum) mA in all with 330 Ω; with 1 kΩ it is \(milliamps) mA.")
    }
    return WiringNote(
      "\(count) LEDs take \(milliamps) mA even with 1 kΩ; all lines together give \(maximum) mA. Use a driver (ULN2803)."
    )
  }

  private func milliamps(ohms: Int) -> Double { Double(count * 1500) / Double(ohms) }
}
