/// The LEDs on the lines of a panel, and the resistor of each.
///
/// A red, yellow or green LED has 1.8 V. So 1.5 V of the line's 3.3 V remain for the resistor: 4.5 mA with 330 Ω, 1.5
/// mA with 1 kΩ. The calculation assumes that all LEDs are lit at the same time.
///
/// **Source**: raspberrypi/documentation, `power-supplies.adoc`: 16 mA per line, 50 mA for all lines together.
package struct SeriesResistor: Equatable, Sendable {
  /// The LEDs on a separate chip, each with 330 Ω. The limit of that chip is in its data sheet.
  static let ofChip = SeriesResistor(count: 0)

  /// The number of LEDs.
  let count: Int

  /// The resistor of each LED, in ohms: 330 if all lines together stay within their current, else 1000.
  var ohms: Int { milliamps(ohms: 330) <= Double(BoardHeader.maximumMilliamps) ? 330 : 1000 }

  /// The words for the resistor.
  var resistance: String { ohms == 330 ? "330 Ω" : "1 kΩ" }

  /// The total current of all LEDs, rounded, in milliamperes.
  var milliamps: Int { Int(milliamps(ohms: ohms).rounded()) }

  /// The note about the current of the LEDs; nil for a panel without LEDs.
  var note: WiringNote? {
    guard count > 0 else { return nil }
    let maximum = BoardHeader.maximumMilliamps
    let limit = "All lines of a Pi together can give \(maximum) mA."
    if ohms == 330 {
      return WiringNote("\(count == 1 ? "The LED takes" : "The LEDs take") \(milliamps) mA from the lines. \(limit)")
    }
    if milliamps <= maximum {
      return WiringNote(
        "With 330 Ω, \(count) LEDs would take more than \(maximum) mA. With 1 kΩ, they take \(milliamps) mA. \(limit)")
    }
    return WiringNote("Even with 1 kΩ, \(count) LEDs take \(milliamps) mA. \(limit) Use a driver (ULN2803).")
  }

  private func milliamps(ohms: Int) -> Double { Double(count * 1500) / Double(ohms) }
}
