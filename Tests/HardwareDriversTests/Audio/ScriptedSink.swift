@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareSimulation

/// A sink that does as a test says.
final class ScriptedSink: PCMSink {
  enum Fault { case underrun, suspended, lost }

  /// What the next openings throw, in order; after them they succeed.
  var openErrors: [DriverError] = []
  /// What an opening gives: a buffer of 1440 sample frames, periods of 480, one channel at 48 kHz unless told
  /// otherwise.
  var configuration = PCMConfiguration(sampleRateHertz: 48_000, channelCount: 1, periodSize: 480, bufferSize: 1440)
  /// What the next calls of status say instead of the truth.
  var faults: [Fault] = []
  /// How much one write takes at most.
  var writeLimit = Int.max
  /// Takes everything at once, as ALSA's file plugin does.
  var swallows = false
  /// Claims to run and doesn't move.
  var isStalled = false
  /// Says that there is no room.
  var isFull = false
  var preparesFail = false
  var polled: [PolledDescriptor] = []

  private(set) var calls: [String] = []
  private(set) var samples: [Int16] = []
  private var buffered = 0
  private var last = Moment.zero
  private var isOpen = false

  static let gone = DriverError(
    .lost, cannot: "play", reason: "the plug is out", remedy: "Put it in.")
  static let busy = DriverError(.busy, cannot: "open it", reason: "busy", remedy: "Wait.")

  func open(_ wish: PCMPreferences, on clock: WorkClock) throws(DriverError) -> PCMConfiguration {
    let now = clock.now
    calls.append("open@\(now.nanoseconds / 1_000_000)")
    if !openErrors.isEmpty { throw openErrors.removeFirst() }
    isOpen = true
    buffered = 0
    last = now
    return configuration
  }

  private func play(until now: Moment) {
    if !isStalled { buffered = max(0, buffered - Int((now - last).wholeNanoseconds * 48 / 1_000_000)) }
    last = now
  }

  func status(at now: Moment) -> PCMStatus {
    play(until: now)
    if !faults.isEmpty {
      switch faults.removeFirst() {
      case .underrun: return .underrun
      case .suspended: return .suspended
      case .lost: return .lost(Self.gone)
      }
    }
    let size = configuration.bufferSize
    if isFull { return .ready(available: 0, delay: buffered) }
    return swallows ? .ready(available: size, delay: 0) : .ready(available: size - buffered, delay: buffered)
  }

  func write(_ samples: UnsafePointer<Float>, count: Int, at now: Moment) -> Int {
    let taken = min(count, writeLimit, swallows ? count : configuration.bufferSize - buffered)
    let converted = [Int16](unsafeUninitializedCapacity: taken) { buffer, count in
      buffer.baseAddress.map { PCMSample.convert(samples, taken, into: $0) }
      count = taken
    }
    self.samples += converted
    buffered += taken
    return taken
  }

  func prepare(at now: Moment) -> Bool {
    calls.append("prepare")
    buffered = 0
    return !preparesFail
  }

  var descriptors: [PolledDescriptor] { polled }

  func drain(at now: Moment) { calls.append("drain") }

  func close() {
    if isOpen { calls.append("close") }
    isOpen = false
  }
}

/// A loop on a scripted sink, in virtual time, and what it reports: ends, and changes of its state.
final class LoopRig {
  let sink = ScriptedSink()
  let loop: PlaybackLoop
  let context: WorkContext<PlaybackLoop>
  let clock = WorkClock(at: .zero)
  private let log = Log()
  private var state = PlaybackState()
  private(set) var steps = 0
  private var clips: [Clip] = []

  final class Log {
    var lines: [String] = []
  }

  init(settlingTime: Duration = .zero, prepare: (ScriptedSink) -> Void = { _ in }) {
    prepare(sink)
    loop = PlaybackLoop(sink, wish: PCMPreferences(), settlingTime: settlingTime)
    let log = log
    context = WorkContext(clock: clock) { end, moment in
      log.lines.append("\(end.slot) ended@\(moment.nanoseconds / 1_000_000)")
      return true
    }
  }

  var reports: [String] { log.lines }
  var now: Moment { clock.now }
  var losses: Int { Int(state.losses) }

  func send(_ command: VoiceCommand) { context.commands.push(command) }

  func start(_ samples: [Int16], slot: Int32 = 0, epoch: UInt32 = 0, isLooping: Bool = false) {
    let clip = Clip(samples: samples, channelCount: 1, sampleRateHertz: 48_000)
    clips.append(clip)
    var command = VoiceCommand(.start, slot: slot, generation: 1)
    command.epoch = epoch
    command.samples = clip.baseAddress
    command.length = Int32(clip.length)
    command.gain = 1
    command.isLooping = isLooping
    send(command)
  }

  /// Goes on as the loop says, up to so many milliseconds.
  func run(until end: Int) {
    let end = Moment.zero + .milliseconds(end)
    while true {
      let wait = loop.step(in: context)
      note(loop.state)
      steps += 1
      guard let deadline = wait.deadline, deadline <= end else { break }
      if deadline > now { clock.sleep(for: deadline - now) }
    }
    clock.sleep(for: end - now)
  }

  private func note(_ new: PlaybackState) {
    for _ in state.underruns..<new.underruns { log.lines.append("underrun") }
    if new.losses > state.losses { log.lines.append("lost: \(new.error?.reason ?? "")") }
    if new.configuration != nil, !new.isAway, state.configuration == nil || state.isAway || new.losses > state.losses {
      log.lines.append("opened")
    }
    state = new
  }
}
