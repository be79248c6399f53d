// error: the compiler is unable to type-check this expression in reasonable time; try breaking up the expression into distinct sub-expressions
// swiftc: -Xfrontend -solver-expression-time-threshold=2
import CycleCore
import HardwareDrivers

struct State: Equatable {
  var presses = 0
  var level = 0
}

func bell(_ chip: any GPIOChip) -> any Application<State> {
  Cycle(seed: State()) {
    Lens(Button(chip, line: "GPIO17"), on: { frame, event in if event == .pressed { frame.presses += 1 } })
    Lens(Button(chip, line: "GPIO18"), on: { frame, event in if event == .pressed { frame.presses += 1 } })
    Lens(LED(chip, line: "GPIO23"), show: { $0.level > 0 ? .on : .off })
    Lens(LED(chip, line: "GPIO24"), show: { $0.presses > 3 ? .blink(.milliseconds(250)) : .off })
    Lens(LEDBar(chip, lines: ["GPIO5", "GPIO6"]), show: { .init(level: $0.level) })
    Lens(
      RotaryEncoder(chip, lines: ("GPIO7", "GPIO8")),
      on: { frame, event in frame.level += event == .clockwise ? 1 : event == .counterclockwise ? -1 : 0 })
    Lens(
      Relay(chip, line: "GPIO25"),
      show: { $0.presses * 2 + $0.level - 1 > $0.presses + 3 * $0.level + "1" ? .on : .off })
  }
}
