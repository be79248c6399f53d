import CycleCore
import HardwareDrivers
import HardwarePlatform

/// Counts: one button up, the other down, and the bar shows how far. The frame is the number itself.
@main
struct Counter: CycledApplication {
  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Int> {
    let chip = platform.chip
    return Cycle(seed: 0) {
      Lens(Button(chip, line: "GPIO17"), on: { count, event in if event == .pressed { count += 1 } })
      Lens(Button(chip, line: "GPIO22"), on: { count, event in if event == .pressed { count -= 1 } })
      Lens(LEDBar(chip, lines: ["GPIO5", "GPIO6", "GPIO13", "GPIO19"]), show: { .init(level: $0) })
    }
  }
}
