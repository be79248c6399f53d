import CycleCore
import HardwareDrivers

/// A lamp of three LEDs in one case, red, green and blue, whose light mixes.
///
/// **Wiring.** The common cathode to ground, each anode through a resistor to its line; with a common anode at 3.3 V
/// and
/// `isActiveLow` each cathode. A green or a blue LED needs 3 V and more: at a line of 3.3 V it is dim, a transistor
/// makes it bright.
///
/// **Timing.** As ``HardwareDrivers/LED``: levels between off and on are made by switching the lines 100 times a
/// second.
///
///     Lens(
///       ColourLamp(chip, red: "GPIO17", green: "GPIO27", blue: "GPIO22"), show: { .steady($0.isBusy ? .red : .green) })
public struct ColourLamp: LineDevice, AlarmReceiver {
  public enum Model: Equatable, Sendable {
    case steady(Colour)
    /// Lit and dark for this time each. An LED of the lamp that is not off is lit fully.
    case blinking(Colour, Duration)
  }

  private var lamps: [LED]

  /// - Parameters:
  ///   - chip: the chip that the lines belong to.
  ///   - red: the line of the red LED; `green` and `blue` likewise.
  ///   - isActiveLow: whether the LEDs have a common anode.
  public init(_ chip: any GPIOChip, red: LineName, green: LineName, blue: LineName, isActiveLow: Bool = false) {
    lamps = [red, green, blue].map { LED(chip, line: $0, settings: .init(isActiveLow: isActiveLow)) }
  }

  public var chip: any GPIOChip { lamps[0].chip }
  public var safeModel: Model { .steady(.off) }
  public var lines: [LineConfiguration] { lamps.flatMap(\.lines) }

  public mutating func render(_ model: Model, at moment: Moment) {
    switch model {
    case .steady(let colour):
      for (place, level) in colour.levels.enumerated() { lamps[place].render(.level(level), at: moment) }
    case .blinking(let colour, let time):
      for (place, level) in colour.levels.enumerated() {
        lamps[place].render(level > 0 ? .blink(on: time, off: time, times: nil) : .off, at: moment)
      }
    }
  }

  public var outputs: LineValues {
    var values: LineValues = []
    for (place, lamp) in lamps.enumerated() { values.formUnion(lamp.outputs.shifted(by: place)) }
    return values
  }

  public var alarm: Moment? { lamps.compactMap(\.alarm).min() }

  public mutating func ring(at moment: Moment, emit: Emit) {
    for place in lamps.indices where lamps[place].alarm.map({ $0 <= moment }) ?? false {
      lamps[place].ring(at: moment) { _, _ in }
    }
  }
}

/// The brightnesses of three lights, 0 to 1 each.
public struct Colour: Equatable, Sendable {
  public var red: Double
  public var green: Double
  public var blue: Double

  /// - Parameters:
  ///   - red: 0 to 1; a lamp clamps it to that range. `green` and `blue` likewise.
  public init(red: Double = 0, green: Double = 0, blue: Double = 0) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  public static let off = Colour()
  public static let red = Colour(red: 1)
  public static let green = Colour(green: 1)
  public static let blue = Colour(blue: 1)
  public static let white = Colour(red: 1, green: 1, blue: 1)

  var levels: [Double] { [red, green, blue] }

  /// The same colour with a share of its brightness.
  func dimmed(to share: Double) -> Colour { Colour(red: red * share, green: green * share, blue: blue * share) }
}
