/// The look of a lamp at one moment: a brightness, a colour, or the pixels of a strip.
///
/// Two looks blend into each other, so that a lamp can fade between them.
public protocol Blendable: Equatable, Sendable, Codable {
  /// The look of a lamp that gives no light.
  static var dark: Self { get }

  /// Returns the look on the way from this one to another one.
  ///
  /// - Parameters:
  ///   - other: the look at the end of the way.
  ///   - share: how much of the way is done, 0 to 1.
  ///   - scale: the scale on which the way is straight.
  func blended(with other: Self, share: Double, on scale: BrightnessScale) -> Self
}

/// The scale on which brightness changes evenly during a fade.
public enum BrightnessScale: String, Equatable, Sendable, Codable, BitwiseCopyable {
  /// Evenly for the eye, which sees about the square root of the light. A quarter of the light looks half as bright.
  case perceived
  /// Evenly in light, as most libraries for lamps fade.
  case linear

  /// Returns the light on the way from one amount of light to another.
  ///
  /// - Parameters:
  ///   - start: the light at the beginning, 0 to 1.
  ///   - end: the light at the end, 0 to 1.
  ///   - share: how much of the way is done, 0 to 1.
  public func light(from start: Double, to end: Double, share: Double) -> Double {
    // The ends are exact, without rounding.
    if share <= 0 { return start }
    if share >= 1 { return end }
    switch self {
    case .linear: return start + (end - start) * share
    case .perceived:
      let root = start.squareRoot() + (end.squareRoot() - start.squareRoot()) * share
      return root * root
    }
  }
}
