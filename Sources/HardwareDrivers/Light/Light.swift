import CycleCore

/// The light of a lamp over time: one look, or a pattern of looks. It is the model of every lamp, from an ``LED`` to a
/// strip of pixels.
///
///     let model = Light<Brightness>.fade(to: 0.8, over: .seconds(2))
///
/// A light is a value. ``LightState`` has the look at each moment.
public struct Light<Look: Blendable>: Equatable, Sendable {
  /// The course of a light from the moment at which it begins.
  public enum Pattern: Equatable, Sendable, Codable {
    /// One look.
    case steady(Look)
    /// The first look for `on`, then the second one for `off`, repeated `times` times and then the second one; for ever
    /// if `times` is nil.
    case blink(Look, Look, on: Duration, off: Duration, times: Int32?)
    /// From what the lamp shows at that moment to this look. A fade that begins during another one has no jump.
    case fade(to: Look, over: Duration)
    /// From look to look, each at its moment, repeated `times` times and then the last one; for ever if `times` is nil.
    /// The first key applies from the beginning on.
    case keys(Keyframes<Look>, times: Int32?)
    /// From dark to this look and back to dark, repeated `times` times; for ever if `times` is nil.
    case pulse(Look, rise: Duration, fall: Duration, times: Int32?)
  }

  public var pattern: Pattern
  /// The scale on which the brightness changes evenly in a fade, between keys and in a pulse.
  public var scale: BrightnessScale
  /// Whether an endless blink that replaces one with the same looks first completes the current on-time or off-time, so
  /// that a new pace causes no jump. Both lights must have this property.
  public var completesPhase = false

  public init(_ pattern: Pattern, on scale: BrightnessScale = .perceived, completesPhase: Bool = false) {
    self.pattern = pattern
    self.scale = scale
    self.completesPhase = completesPhase
  }
}

// Inlinable, so that the comparison of a new model with the last one is compiled for the look.

extension Light.Pattern {
  @inlinable
  public static func == (one: Self, other: Self) -> Bool {
    // Most lights are steady: they are compared without a copy of the largest pattern.
    if case .steady(let one) = one {
      if case .steady(let other) = other { one == other } else { false }
    } else {
      isSameChange(one, other)
    }
  }

  @inlinable
  @inline(never)
  static func isSameChange(_ one: Self, _ other: Self) -> Bool {
    switch (one, other) {
    case (.steady(let one), .steady(let other)): one == other
    case (
      .blink(let one, let two, let on, let off, let times), .blink(let first, let second, let lit, let dark, let count)
    ):
      one == first && two == second && on == lit && off == dark && times == count
    case (.fade(let one, let span), .fade(let other, let time)): one == other && span == time
    case (.keys(let one, let times), .keys(let other, let count)): times == count && one == other
    case (.pulse(let one, let rise, let fall, let times), .pulse(let other, let risen, let fallen, let count)):
      one == other && rise == risen && fall == fallen && times == count
    case (.steady, _), (.blink, _), (.fade, _), (.keys, _), (.pulse, _): false
    }
  }
}

extension Light {
  @inlinable
  public static func == (one: Self, other: Self) -> Bool {
    one.pattern == other.pattern && one.scale == other.scale && one.completesPhase == other.completesPhase
  }
}

extension Light.Pattern: BitwiseCopyable where Look: BitwiseCopyable {}
extension Light: BitwiseCopyable where Look: BitwiseCopyable {}

extension Light {
  /// A number of repetitions in the small form of a pattern.
  private static func count(_ times: Int?) -> Int32? { times.map { Int32(clamping: $0) } }

  public static func steady(_ look: Look) -> Light { Light(.steady(look)) }

  /// A light that is dark.
  public static var off: Light { .steady(.dark) }

  /// Fades to a look from what the lamp shows at that moment.
  public static func fade(to look: Look, over span: Duration, on scale: BrightnessScale = .perceived) -> Light {
    Light(.fade(to: look, over: span), on: scale)
  }

  /// Goes from look to look, each at its moment.
  ///
  /// - Parameters:
  ///   - keys: 1 to 8 keys, in the order of their times.
  ///   - times: the number of repetitions; nil for ever.
  ///   - scale: the scale on which the brightness changes evenly between two keys.
  public static func keys(_ keys: [Keyframe<Look>], times: Int? = 1, on scale: BrightnessScale = .perceived) -> Light {
    Light(.keys(Keyframes(keys), times: Self.count(times)), on: scale)
  }

  /// Shows two looks in turn.
  public static func blink(
    _ first: Look, _ second: Look = .dark, on: Duration, off: Duration, times: Int? = nil
  ) -> Light {
    Light(.blink(first, second, on: on, off: off, times: Self.count(times)))
  }
}

extension Light<Brightness> {
  /// Full brightness.
  public static var on: Light { .steady(.full) }

  /// A brightness of 0 (off) to 1 (on); clamped to that range.
  public static func level(_ share: Double) -> Light { .steady(Brightness(share)) }

  /// Lit for `on`, then dark for `off`, repeated `times` times; for ever if nil.
  public static func blink(on: Duration, off: Duration, times: Int?) -> Light {
    Light(.blink(.full, .dark, on: on, off: off, times: Self.count(times)))
  }

  /// Lit for `on`, then dark for `off`, for ever. If the times change, the current one is completed first.
  public static func paced(on: Duration, off: Duration) -> Light {
    Light(.blink(.full, .dark, on: on, off: off, times: nil), completesPhase: true)
  }

  /// Lit and dark for `half` each, for ever.
  public static func blink(_ half: Duration) -> Light { .blink(on: half, off: half, times: nil) }

  /// Brightens and dims again in this time, for ever.
  public static func pulse(_ length: Duration) -> Light {
    .pulse(rise: length / 2, fall: length - length / 2, times: nil)
  }

  /// Brightens for `rise` and dims for `fall`, repeated `times` times; for ever if nil.
  public static func pulse(
    _ look: Brightness = .full, rise: Duration, fall: Duration, times: Int?, on scale: BrightnessScale = .perceived
  ) -> Light {
    Light(.pulse(look, rise: rise, fall: fall, times: Self.count(times)), on: scale)
  }
}

/// Written as its look if it is steady, and else as its pattern and scale.
extension Light: Codable {
  private enum CodingKeys: String, CodingKey { case pattern, scale, completesPhase }

  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self), container.contains(.pattern) {
      pattern = try container.decode(Pattern.self, forKey: .pattern)
      scale = try container.decode(BrightnessScale.self, forKey: .scale)
      completesPhase = try container.decodeIfPresent(Bool.self, forKey: .completesPhase) ?? false
    } else {
      pattern = .steady(try decoder.singleValueContainer().decode(Look.self))
      scale = .perceived
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if case .steady(let look) = pattern, scale == .perceived {
      var container = encoder.singleValueContainer()
      return try container.encode(look)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(pattern, forKey: .pattern)
    try container.encode(scale, forKey: .scale)
    if completesPhase { try container.encode(true, forKey: .completesPhase) }
  }
}
