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
  /// The share of the pattern's light, 0 to 1. A pattern that moves continues if only this changes.
  public var brightness: Double
  /// Whether the pattern begins at the last pixel.
  public var isReversed: Bool

  public init(_ pattern: Pattern, over: Duration = .zero, brightness: Double = 1, isReversed: Bool = false) {
    self.pattern = pattern
    self.over = over
    self.brightness = brightness
    self.isReversed = isReversed
  }

  /// The colours of its pixels after its blend, at its beginning.
  ///
  /// - Parameter count: the number of pixels.
  package func pixels(count: Int) -> [Colour] {
    var state = PixelLightState(count: count)
    var pixels = Array(repeating: Colour.dark, count: count)
    var light = self
    light.over = .zero
    state.begin(light, at: .zero)
    _ = state.show(at: .zero, in: &pixels)
    return pixels
  }

  /// All pixels dark.
  public static var off: PixelLight { PixelLight(.fill(.off)) }
}
