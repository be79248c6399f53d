import CycleCore
import HardwareDrivers
import HardwarePlatform

/// A lamp with one button: each press turns it on or off.
@main
struct Lamp: CycledApplication {
  struct Frame: Equatable, Codable {
    var isLit = false
  }

  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Frame> {
    Cycle(seed: Frame()) {
      Lens(
        Button(platform.chip, line: "GPIO17"),
        on: { frame, event in
          if event == .pressed { frame.isLit.toggle() }
        })
      Lens(LED(platform.chip, line: "GPIO23"), show: { $0.isLit ? .on : .off })
    }
  }
}
