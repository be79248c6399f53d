import CycleCore
import HardwareDrivers
import HardwarePlatform
import Thermometer

/// A fan that runs when it is hot, a bar that shows how hot it is, and an alarm that sounds when the fan does not help.
@main
struct Thermostat: CycledApplication {
  /// The state of the application.
  struct Frame: Equatable, Sendable {
    var celsius = 20.0
    var isFanOn = false
    /// The button turns the fan off for a minute.
    var isPaused = false
    var pauses = 0
    /// Whether the thermometer works: false before its first temperature, and while it is lost.
    var hasSensor = false

    var isTooHot: Bool { celsius >= 80 }
  }

  static let chimeHertz = 880.0

  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Frame> {
    makeCycle(
      chip: platform.chip, card: platform.card,
      sensor: platform.hardware(at: TemperaturePort()))
  }

  static func makeCycle(
    chip: any GPIOChip, card: any SoundCard, sensor: any TemperatureSource
  ) -> any Application<Frame> {
    Cycle(seed: Frame()) {
      Lens(
        Thermometer(sensor), show: { _ in .every(.seconds(1)) },
        on: { frame, event in
          if case .temperature(let celsius) = event { frame.measure(celsius) }
        },
        trouble: { frame, trouble in if case .lost = trouble { frame.hasSensor = false } })
      Lens(
        Button(chip, line: "GPIO17"),
        on: { frame, event in
          guard event == .pressed else { return }
          frame.isPaused = true
          frame.pauses += 1
        })
      Lens(
        Timer<String>(),
        show: { $0.isPaused ? [.after(.seconds(60), "pause", restart: $0.pauses)] : [] },
        on: { frame, event in if event == .due("pause") { frame.isPaused = false } })
      // Without a thermometer the fan runs: that is the safe way.
      Lens(
        Relay(chip, line: "GPIO24"),
        show: { $0.isFanOn && !$0.isPaused || !$0.hasSensor ? .on : .off })
      Lens(
        LEDBar(chip, lines: ["GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO26"]),
        show: { .init(level: Int(($0.celsius - 30) / 10)) })
      Lens(
        LED(chip, line: "GPIO23"),
        show: { $0.hasSensor ? ($0.isTooHot ? .blink(.milliseconds(100)) : .off) : .pulse(.seconds(2)) })
      Lens(AudioPlayer(card), show: { $0.isTooHot ? [.tone(hertz: chimeHertz, key: "alarm", gain: 0.3)] : [] })
    }
  }
}

extension Thermostat.Frame {
  /// Turns the fan on from 55 degrees and off below 45; in between it stays as it is.
  mutating func measure(_ celsius: Double) {
    self.celsius = celsius
    hasSensor = true
    if celsius >= 55 { isFanOn = true }
    if celsius < 45 { isFanOn = false }
  }
}
