import CycleCore

/// The costs of playing a recording again after an edit.
let takeBenchmarks = [
  Benchmark("a take of 10000 events, played after an edit", timed: 3, counted: 1) {
    let take = try EditedRecording(of: RecordingReader(RecordingBytes(recordedKeys(10_000)), name: "keys.recording"))
    return { count in
      for number in 1...count {
        var edited = take
        try edited.apply(.off(number))
        let memory = RecordingBuffer()
        let report = try keyCycle().play(edited, to: memory)
        precondition(report.events == 9_999 && !memory.bytes.isEmpty, "the take has one event less")
      }
    }
  }
]

/// The frame of a panel of 32 numbers.
private struct KeyRow: RowFrame {
  var numbers = [Int](repeating: 0, count: 32)
  var recordingNumbers: [Int] {
    get { numbers }
    set { numbers = newValue }
  }
}

/// Emits what it is woken for: each key in its turn.
private struct Keys: Driver {
  typealias Model = Int
  typealias Event = Int

  let last: Int
  private var next = 1
  private var context: DriverContext<Int>?

  init(last: Int) { self.last = last }

  var safeModel: Int { 0 }

  mutating func start(showing model: Int, in context: DriverContext<Int>) throws(DriverError) {
    self.context = context
    context.setAlarm(context.now + .milliseconds(1))
  }

  mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) {}

  mutating func wake(_ wake: Wake) throws(DriverError) {
    guard next <= last, let context else { return }
    context.emit(next)
    next += 1
    context.setAlarm(context.now + .milliseconds(1))
  }

  mutating func stop() {}
}

/// An application in which each event changes two of the numbers.
private func keyCycle(last: Int = 0) -> any Application<KeyRow> {
  Cycle(seed: KeyRow()) {
    Lens(
      Keys(last: last), name: "keys", show: { $0.numbers[0] },
      on: { row, key in
        row.numbers[0] += 1
        row.numbers[key & 31] ^= key
      })
  }
}

private func recordedKeys(_ count: Int) throws -> [UInt8] {
  let (memory, loop, cycle) = (RecordingBuffer(), VirtualLoop(), keyCycle(last: count))
  try cycle.record(with: Recorder(app: "keys", columns: (0..<32).map { "n\($0)" }, to: memory))
  try cycle.start(on: loop)
  while let alarm = cycle.nextAlarm { try cycle.step(until: alarm) }
  cycle.stop()
  return memory.bytes
}
