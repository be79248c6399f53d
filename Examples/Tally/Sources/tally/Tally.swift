import CycleCore
import HardwareDrivers
import HardwarePlatform

/// Counts what passes: a press counts one and beeps, three lamps show the count, two seconds of holding clear it.
@main
struct Tally: CycledApplication {
  struct Frame: Equatable, Codable {
    var count = 0
    var isBeeping = false
  }

  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Frame> {
    Cycle(seed: Frame()) {
      Lens(
        Button(platform.chip, line: "GPIO17", settings: .init(hold: .seconds(2))),
        on: { frame, event in
          switch event {
          case .pressed: frame = Frame(count: frame.count + 1, isBeeping: true)
          case .released: frame.isBeeping = false
          case .held: frame.count = 0
          default: break
          }
        })
      Lens(LEDBar(platform.chip, lines: ["GPIO5", "GPIO6", "GPIO13"]), show: { .init(level: $0.count) })
      Lens(AudioPlayer(platform.card), show: { $0.isBeeping ? [.tone(hertz: 880)] : [] })
    }
  }
}
