import CycleCore
import HardwareDrivers
import HardwareSimulation

/// A panel on simulated hardware: a button pressed and let go every second, a lamp that blinks, a deadline a press, and
/// lamps that show in binary how often it was pressed.
enum BusyPanel {
  struct Frame: Equatable, Sendable {
    var presses = 0
    var isLit = false
  }

  static let pressesInAnHour = 3_600

  static func cycle(on chip: SimulatedChip, lamps: Int = 0) -> any Application<Frame> {
    Cycle(seed: Frame()) {
      Lens(
        Button(chip, line: "GPIO17"), name: "key",
        on: { frame, event in
          guard event == .pressed else { return }
          frame.presses += 1
          frame.isLit = true
        })
      Lens(
        Timer<Int>(), name: "timer", show: { $0.isLit ? [.after(.milliseconds(700), $0.presses)] : [] },
        on: { frame, event in if case .due = event { frame.isLit = false } })
      Lens(LED(chip, line: "GPIO23"), name: "lamp", show: { $0.isLit ? .blink(.milliseconds(50)) : .off })
      LensList(count: lamps) { bit in
        Lens(
          LED(chip, line: LineName("GPIO\(bit)")), name: "bit\(bit)", show: { $0.presses >> bit & 1 != 0 ? .on : .off })
      }
    }
  }

  /// Presses the button so many times.
  ///
  /// - Parameters:
  ///   - lamps: how many lamps there are besides the one that blinks.
  ///   - sinks: get the recording; none if nothing is recorded.
  @inline(never)
  static func run(presses: Int = pressesInAnHour, lamps: Int = 0, recordedIn sinks: [any RecordingSink] = []) throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let button = chip.contact(at: "GPIO17")
    let cycle = cycle(on: chip, lamps: lamps)
    if !sinks.isEmpty { try cycle.record(with: Recorder(app: "busy", to: sinks)) }
    try bench.run(cycle)
    for _ in 0..<presses {
      try button.press()
      try bench.advance(by: .milliseconds(100))
      try button.release()
      try bench.advance(by: .milliseconds(900))
    }
    precondition(cycle.frame.presses == presses, "each press counts")
    bench.stop()
  }

  /// Its recording.
  static func recording(presses: Int) throws -> [UInt8] {
    let memory = RecordingBuffer(limit: 256 << 20)
    try run(presses: presses, recordedIn: [memory])
    return memory.bytes
  }

  /// Plays a recording of it, from the reading of its lines to the comparison of all frames.
  @inline(never)
  static func replay(_ source: any RecordingSource, _ options: ReplayOptions = ReplayOptions(hasDigest: false)) throws
    -> ReplayReport
  {
    try cycle(on: SimulatedChip(Bench())).replay(RecordingReader(source, name: "busy.recording"), options)
  }
}

extension BusyPanel.Frame: Recordable {
  func write(to recording: inout JSONWriter) {
    recording.beginArray()
    recording.write(presses)
    recording.write(isLit)
    recording.endArray()
  }

  init(from recording: inout JSONReader) throws(RecordingTextFault) {
    self.init()
    try recording.beginArray()
    guard try recording.hasElement() else { throw recording.fault("the count is missing") }
    presses = try recording.readInteger()
    guard try recording.hasElement() else { throw recording.fault("the lamp is missing") }
    isLit = try recording.readBool()
    try recording.endArray()
  }
}
