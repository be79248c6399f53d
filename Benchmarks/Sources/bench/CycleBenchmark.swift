import BenchDrivers
import CycleCore

/// The application of the comparison: a counter, 8 lamps in a bit mask, a blink phase, a volume and a short text; each
/// press counts and toggles one lamp. Eight drivers: the buttons, four pairs of lamps, a blinking lamp, a volume, a
/// display.
struct BenchFrame: Equatable, Sendable {
  var count = 0
  var lamps: UInt8 = 0
  var phase = false
  var volume = 7
  var text = "ready"
}

@inline(never)
func runCycle(_ events: Int, _ registers: Registers, recordedBy recorder: Recorder? = nil) throws {
  let cycle = Cycle(seed: BenchFrame(), selfEmissionLimit: .max) {
    Lens(
      Presses(last: events), show: { $0.count },
      on: { frame, event in
        switch event {
        case .pressed(let number):
          frame.count &+= 1
          frame.lamps ^= 1 << UInt8(number & 7)
          frame.phase = number & 64 != 0
        case .released, .failed: frame.volume = 0
        }
      })
    Lens(Output(registers, place: 1), show: { Int($0.lamps & 3) })
    Lens(Output(registers, place: 2), show: { Int(($0.lamps >> 2) & 3) })
    Lens(Output(registers, place: 3), show: { Int(($0.lamps >> 4) & 3) })
    Lens(Output(registers, place: 4), show: { Int(($0.lamps >> 6) & 3) })
    Lens(Output(registers, place: 5), show: { $0.phase ? 1 : 0 })
    Lens(Output(registers, place: 6), show: { $0.volume })
    Lens(Display(registers, place: 7), show: { $0.text })
  }
  if let recorder { try cycle.record(with: recorder) }
  try cycle.start(on: VirtualLoop())
  precondition(cycle.frame.count == events)
}

/// The same application on the same drivers, as a careful programmer writes it by hand: a struct, a switch over the
/// events, direct calls, and a ring of events, because an event emitted while a frame is rendered must wait until all
/// drivers have rendered it.
struct HandWritten: ~Copyable {
  let last: Int
  var frame = BenchFrame()
  var shown = BenchFrame()
  var pending: UnsafeMutablePointer<Presses.Event>
  var head = 0
  var tail = 0
  var display: Display
  var lamps: (Output, Output, Output, Output)
  var blinker: Output
  var volume: Output

  init(last: Int, _ registers: Registers) {
    self.last = last
    pending = .allocate(capacity: 1024)
    display = Display(registers, place: 7)
    lamps = (
      Output(registers, place: 1), Output(registers, place: 2), Output(registers, place: 3),
      Output(registers, place: 4)
    )
    blinker = Output(registers, place: 5)
    volume = Output(registers, place: 6)
  }

  deinit { pending.deallocate() }

  @inline(never)
  mutating func run() throws(DriverError) {
    emit(.pressed(0))
    try lamps.0.render(0, replacing: nil)
    try lamps.1.render(0, replacing: nil)
    try lamps.2.render(0, replacing: nil)
    try lamps.3.render(0, replacing: nil)
    try blinker.render(0, replacing: nil)
    try volume.render(frame.volume, replacing: nil)
    try display.render(frame.text, replacing: nil)
    while head != tail {
      let event = (pending + (head & 1023)).move()
      head &+= 1
      reduce(event)
      if frame != shown { try render() }
    }
  }

  @inline(__always)
  mutating func emit(_ event: Presses.Event) {
    precondition(tail &- head < 1024, "the ring of events is full")
    (pending + (tail & 1023)).initialize(to: event)
    tail &+= 1
  }

  @inline(__always)
  mutating func reduce(_ event: Presses.Event) {
    switch event {
    case .pressed(let number):
      frame.count &+= 1
      frame.lamps ^= 1 << UInt8(number & 7)
      frame.phase = number & 64 != 0
    case .released, .failed: frame.volume = 0
    }
  }

  @inline(__always)
  mutating func render() throws(DriverError) {
    if frame.count != shown.count, frame.count < last { emit(.pressed(frame.count)) }
    let lamps = Int(frame.lamps)
    let before = Int(shown.lamps)
    if (lamps ^ before) & 3 != 0 { try self.lamps.0.render(lamps & 3, replacing: before & 3) }
    if ((lamps ^ before) >> 2) & 3 != 0 {
      try self.lamps.1.render((lamps >> 2) & 3, replacing: (before >> 2) & 3)
    }
    if ((lamps ^ before) >> 4) & 3 != 0 {
      try self.lamps.2.render((lamps >> 4) & 3, replacing: (before >> 4) & 3)
    }
    if ((lamps ^ before) >> 6) & 3 != 0 {
      try self.lamps.3.render((lamps >> 6) & 3, replacing: (before >> 6) & 3)
    }
    if frame.phase != shown.phase { try blinker.render(frame.phase ? 1 : 0, replacing: shown.phase ? 1 : 0) }
    if frame.volume != shown.volume { try volume.render(frame.volume, replacing: shown.volume) }
    if frame.text != shown.text { try display.render(frame.text, replacing: shown.text) }
    shown = frame
  }
}

@inline(never)
func runByHand(_ events: Int, _ registers: Registers) throws {
  var application = HandWritten(last: events, registers)
  try application.run()
  precondition(application.frame.count == events)
}

let cycleBenchmarks = [
  Benchmark("an event through 8 drivers", against: "a loop by hand", timed: 5_000_000, counted: 10_000) {
    let (ours, theirs) = (Registers(), Registers())
    try runCycle(10_000, ours)
    try runByHand(10_000, theirs)
    precondition(ours.checksum == theirs.checksum, "both show the same")
    return ({ try runCycle($0, ours) }, { try runByHand($0, theirs) })
  }
]
