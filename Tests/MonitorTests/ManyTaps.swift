import CycleCore
import HardwareDrivers
import HardwareSimulation

/// A counter of so many alarms, 1 ms apart.
struct ManyTaps {
  init(_ recorder: Recorder, events: Int) throws {
    let bench = Bench()
    let cycle = Cycle(seed: 0) {
      Lens(
        Timer<Int>(), show: { count in count < events ? [.init(count, .at(.zero + .milliseconds(count + 1)))] : [] },
        on: { count, event in if case .due = event { count += 1 } })
    }
    try cycle.record(with: recorder)
    try bench.run(cycle)
    try bench.advance(by: .milliseconds(events + 1))
    bench.stop()
  }
}
