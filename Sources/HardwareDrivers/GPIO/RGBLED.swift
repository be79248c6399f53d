import CycleCore

/// A lamp of three or four LEDs in one: red, green, blue, and white if there is a fourth line.
///
/// **Wiring.** From each line through a resistor of its own to the LED, and from the common cathode to ground. For a
/// common anode, at the supply, set `isActiveLow: true`.
///
/// **Timing.** Each part is made as by an ``LED``: a colour whose parts are all 0 or 1 costs no wake-up, any other one
/// up to 200 wake-ups a second for each part. Use an ``RGBPWMLED`` where the lines have PWM channels.
///
///     Lens(RGBLED(chip, lines: ["GPIO12", "GPIO13", "GPIO19"]), show: { .steady($0.isHot ? .init("red")! : .dark) })
public struct RGBLED: LineDevice, AlarmReceiver {
  public typealias Model = Light<Colour>

  private let wiring: Wiring
  /// The moment at which the first model began, in an application that replaces another one; nil if it begins when it
  /// is rendered.
  private var since: Moment?
  private var pattern: LightSwitchTimes<Colour>
  public private(set) var outputs: LineValues = []
  public private(set) var alarm: Moment?

  /// The values that all copies share: one reference, because the lamp is copied before each rendering.
  private final class Wiring {
    let chip: any GPIOChip
    let lines: [LineName]
    let settings: LED.Settings

    init(_ chip: any GPIOChip, _ lines: [LineName], _ settings: LED.Settings) {
      (self.chip, self.lines, self.settings) = (chip, lines, settings)
    }
  }

  /// - Parameters:
  ///   - chip: the chip that the lines are on.
  ///   - lines: the lines of red, green and blue, and of white if there are four.
  ///   - settings: everything that has a default.
  ///   - since: the moment at which the lamp began to show the first model, in an application that replaces another.
  public init(_ chip: any GPIOChip, lines: [LineName], settings: LED.Settings = .init(), since: Moment? = nil) {
    precondition((3...Colour.channelCount).contains(lines.count), "a lamp of colours has 3 or 4 lines")
    wiring = Wiring(chip, lines, settings)
    self.since = since
    pattern = LightSwitchTimes(.off, start: .zero, period: settings.period)
  }

  public var chip: any GPIOChip { wiring.chip }
  public var safeModel: Model { .off }

  public var lines: [LineConfiguration] {
    wiring.lines.enumerated().map { place, line in
      LineConfiguration(
        line, .output(outputs[place], wiring.settings.drive), isActiveLow: wiring.settings.isActiveLow)
    }
  }

  public mutating func render(_ model: Model, at moment: Moment) {
    pattern.begin(model, at: since ?? moment)
    since = nil
    follow(moment)
  }

  public mutating func ring(at moment: Moment, emit: Emit) { follow(moment) }

  private mutating func follow(_ moment: Moment) {
    alarm = nil
    for place in wiring.lines.indices {
      let value = pattern.value(at: moment) { $0[place] }
      outputs[place] = LineValue(value.isOn)
      if let until = value.until { alarm = min(until, alarm ?? until) }
    }
  }
}
