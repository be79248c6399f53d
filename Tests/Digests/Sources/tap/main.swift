import CycleCore
import HardwareDrivers
import HardwareSimulation

// A key that is tapped twice: records it, replays what it has recorded, and prints the digest of the replay. The
// recording is the one of TapRecordingTests.

struct Tap: Equatable, Codable {
  var count = 0
  var isBeeping = false
}

func makeCycle(on chip: any GPIOChip) -> any Application<Tap> {
  Cycle(seed: Tap()) {
    Lens(
      Button(chip, line: "GPIO17"), name: "key",
      on: { tap, event in
        switch event {
        case .pressed: tap = Tap(count: tap.count + 1, isBeeping: true)
        case .released: tap.isBeeping = false
        case .held: tap.count = 0
        default: break
        }
      })
  }
}

let bench = Bench()
let chip = SimulatedChip(bench)
let contact = chip.contact(at: "GPIO17")
let memory = RecordingBuffer()
let cycle = makeCycle(on: chip)
try cycle.record(with: Recorder(app: "tap", by: "test", to: memory))
try bench.run(cycle)
for _ in 0..<2 {
  try contact.press()
  try bench.advance(by: .milliseconds(100))
  try contact.release()
  try bench.advance(by: .milliseconds(100))
}
bench.stop()
let recording = try RecordingReader(RecordingBytes(memory.bytes), name: "tap")
let report = try makeCycle(on: SimulatedChip(Bench())).replay(recording, ReplayOptions())
print(report.digest)
