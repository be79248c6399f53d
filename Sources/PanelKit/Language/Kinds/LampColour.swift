/// The colour of a lamp for a picture: its parts of red, green and blue, 0 to 1 each.
public struct LampColour: Equatable, Sendable {
  public var red: Double
  public var green: Double
  public var blue: Double

  /// Makes a colour of its parts; a part beyond 0 to 1 counts as the end of that range, and NaN as 0.
  public init(red: Double, green: Double, blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// The colour as HTML writes it: `#ff6600`.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef")
    var text = "#"
    for part in [red, green, blue] {
      let byte = part > 0 ? Int((min(part, 1) * 255).rounded()) : 0
      text.append(digits[byte / 16])
      text.append(digits[byte % 16])
    }
    return text
  }
}
