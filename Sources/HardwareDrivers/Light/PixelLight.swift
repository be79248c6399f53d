import CycleCore

/// The light of a row of pixels over time: the model of an ``LEDStrip``.
///
///     let model = PixelLight(.bar(share: 0.5, of: .init("green")!), over: .milliseconds(300))
///
/// A light is a value, and its pixels are a function of time.
public struct PixelLight: Equatable, Sendable, Codable {
  /// The colours of the pixels from the moment at which the light begins.
  public enum Pattern: Equatable, Sendable, Codable {
    /// All pixels have one colour, which can blink, fade or pulse.
    case fill(Light<Colour>)
    /// Each pixel has a colour of its own. Pixels after the last colour are dark.
    case pixels([Colour])
    /// The first pixels have the colour, up to the share of the length, 0 to 1; the next one has a part of its light, and
    /// those after it have `rest`.
    case bar(share: Double, of: Colour, rest: Colour = .dark)
    /// One pixel has the colour, at the share of the length: 0 is the first one, 1 the last one. The `tail` pixels on
    /// both sides fade to `rest`.
    case dot(share: Double, of: Colour, rest: Colour = .dark, tail: Int = 0)
    /// Each pixel of three has the colour. All move by one pixel after each `every`.
    case chase(Colour, every: Duration)
    /// All colours of the rainbow along the row. They move by its length in `round`.
    case rainbow(round: Duration)
  }

  public var pattern: Pattern
  /// The time in which the pixels blend from what they show to the pattern; zero for a jump.
  public var over: Duration

  public init(_ pattern: Pattern, over: Duration = .zero) {
    self.pattern = pattern
    self.over = over
  }

  /// The colours of pixels with a pattern, at its beginning.
  ///
  /// - Parameters:
  ///   - pattern: the pattern.
  ///   - count: the number of pixels.
  package static func pixels(of pattern: Pattern, count: Int) -> [Colour] {
    var state = PixelLightState(count: count)
    var pixels = Array(repeating: Colour.dark, count: count)
    state.begin(PixelLight(pattern), at: .zero)
    _ = state.show(at: .zero, in: &pixels)
    return pixels
  }

  /// All pixels dark.
  public static var off: PixelLight { PixelLight(.fill(.off)) }
}
