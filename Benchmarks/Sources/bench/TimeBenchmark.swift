import BenchDrivers
import CycleCore
import HardwareDrivers
import HardwareSimulation

/// An hour of a busy panel in virtual time: a button pressed and let go every second, a lamp that blinks, a deadline a press.
/// Its yardstick is the hour itself.
func measureHour() throws -> Row {
  struct Frame: Equatable, Sendable {
    var presses = 0
    var isLit = false
  }
  let bench = Bench()
  let chip = SimulatedChip(bench)
  let button = chip.contact(at: "GPIO17")
  let cycle = Cycle(seed: Frame()) {
    Lens(
      Button(chip, line: "GPIO17"),
      on: { frame, event in
        guard event == .pressed else { return }
        frame.presses += 1
        frame.isLit = true
      })
    Lens(
      Timer<Int>(), show: { $0.isLit ? [.after(.milliseconds(700), $0.presses)] : [] },
      on: { frame, event in if case .due = event { frame.isLit = false } })
    Lens(LED(chip, line: "GPIO23"), show: { $0.isLit ? .blink(.milliseconds(50)) : .off })
  }
  try bench.run(cycle)
  let elapsed = try ContinuousClock().measure {
    for _ in 0..<3600 {
      try button.press()
      try bench.advance(by: .milliseconds(100))
      try button.release()
      try bench.advance(by: .milliseconds(900))
    }
  }
  precondition(cycle.frame.presses == 3600, "each press counts")
  bench.stop()
  return Row(
    name: "an hour of a busy panel, in virtual time", yardstick: "an hour", ours: nanoseconds(elapsed),
    theirs: 3600e9, mallocs: nil)
}
