import CycleCore
import HardwareDrivers
import HardwarePlatform

/// Changes a number, and has its buttons say what they can do: the lamp beside a button is lit while the button has an
/// effect. The whole application is one type: its first frame, the drivers that are made of it, and what events make of
/// frames.
struct Mutation: ApplicationDefinition {
  struct Frame: Equatable {
    var total = 0
    var canIncrement = true
    var canDecrement = false
  }

  static let greatest = 4
  static var seed: Frame { Frame() }

  let chip: any GPIOChip

  typealias Drivers = (plus: Button, minus: Button, plusLamp: LED, minusLamp: LED, bar: LEDBar)

  func drivers(from seed: Frame) throws(DriverError) -> Drivers {
    (
      Button(chip, line: "GPIO17"), Button(chip, line: "GPIO22"), LED(chip, line: "GPIO23"), LED(chip, line: "GPIO24"),
      LEDBar(chip, lines: ["GPIO5", "GPIO6", "GPIO13", "GPIO19"])
    )
  }

  func cycle(of drivers: Drivers, seed: Frame) -> any Application<Frame> {
    Cycle(seed: seed) {
      Lens(drivers.plus, on: { frame, event in if event == .pressed { Self.add(1, to: &frame) } })
      Lens(drivers.minus, on: { frame, event in if event == .pressed { Self.add(-1, to: &frame) } })
      Lens(drivers.plusLamp, show: { $0.canIncrement ? .on : .off })
      Lens(drivers.minusLamp, show: { $0.canDecrement ? .on : .off })
      Lens(drivers.bar, show: { .init(level: $0.total) })
    }
  }

  private static func add(_ step: Int, to frame: inout Frame) {
    frame.total = min(greatest, max(0, frame.total + step))
    frame.canIncrement = frame.total < greatest
    frame.canDecrement = frame.total > 0
  }
}

@main
struct Program: CycledApplication {
  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Mutation.Frame> {
    try Mutation(chip: platform.chip).makeCycle()
  }
}
