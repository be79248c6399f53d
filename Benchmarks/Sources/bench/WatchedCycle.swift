import BenchDrivers
import CycleCore
import Glibc
import HardwareLinux
import Monitor

/// A cycle of 8 drivers in real time, of which one emits so many events a second, with a monitor.
final class WatchedCycle: MonitoredApplication {
  private let cycle: any Application<BenchFrame>
  let recorder: Recorder
  private let loop: LinuxLoop
  private var monitor: Monitor?
  private let socket: String
  private var isReady = false
  private var clients: [pid_t] = []
  /// The longest turn of the monitor so far, in nanoseconds of processor time.
  private(set) var longestTurn = 0.0

  var application: any Application { cycle }
  func settle() throws(DriverError) {}

  init(eventsPerSecond: Int) throws {
    cycle = countingCycle(of: Ticks(every: .nanoseconds(1_000_000_000 / eventsPerSecond)))
    let (ring, bell) = (RecordingRing(), MonitorBell())
    recorder = Recorder(app: "watched", to: [ring, bell])
    try cycle.record(with: recorder)
    loop = try LinuxLoop()
    socket = makeFile("monitor.sock", "")
    unlink(socket)
    try cycle.start(on: loop)
    var settings = MonitorSettings(tokens: MonitorTokens(watch: String(repeating: "a", count: 32), control: nil))
    settings.address = .unix(socket)
    let monitor = try Monitor(settings, of: self, showing: ring, woken: bell)
    try loop.onReadable(monitor.descriptor) { [unowned self] in isReady = true }
    self.monitor = monitor
  }

  var events: Int { cycle.frame.count }

  /// Runs until there have been so many events. Returns the processor time of this thread, in nanoseconds.
  @discardableResult
  func run(toEvent last: Int) throws -> Double { try run { events < last } }

  /// Runs until there are so many connections.
  func run(toConnection count: Int) throws { try run { monitor!.connections < count } }

  @discardableResult
  private func run(while condition: () -> Bool) throws -> Double {
    let begin = Self.processorTime
    while condition() {
      try cycle.step(until: nil)
      guard isReady else { continue }
      isReady = false
      let before = Self.processorTime
      monitor!.turn()
      longestTurn = max(longestTurn, Self.processorTime - before)
    }
    return Self.processorTime - begin
  }

  /// Has curl ask for something, and write the answer into a file. Returns its path.
  @discardableResult
  func request(_ target: String) -> String {
    let answer = makeFile("answer.\(clients.count)", "")
    let token = String(repeating: "a", count: 32)
    clients.append(
      spawn(
        "exec curl -sN --unix-socket \(socket) -H 'Authorization: Bearer \(token)' 'http://localhost\(target)' >\(answer)"
      ))
    return answer
  }

  /// Has the client of the last request stand still until the end.
  func stopLastClient() { kill(clients.last!, SIGSTOP) }

  /// Ends everything, and waits for the clients.
  func end() {
    monitor?.end()
    monitor = nil
    cycle.stop()
    for client in clients {
      kill(client, SIGCONT)
      waitpid(client, nil, 0)
    }
    clients = []
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// A cycle of 8 drivers in which each event of `source` is counted, changes a lamp, and a blinker each 64th time.
func countingCycle<D: Driver>(of source: D) -> any Application<BenchFrame>
where D.Event == Int, D.Model == NoModel {
  let registers = Registers()
  return Cycle(seed: BenchFrame()) {
    Lens(
      source, name: "ticks",
      on: { frame, number in
        frame.count &+= 1
        frame.lamps ^= 1 << UInt8(number & 7)
        frame.phase = number & 64 != 0
      })
    LensList(count: 4) { pair in
      Lens(Output(registers, place: pair), name: "lamps \(pair)", show: { Int(($0.lamps >> (2 * pair)) & 3) })
    }
    Lens(Output(registers, place: 5), name: "blinker", show: { $0.phase ? 1 : 0 })
    Lens(Output(registers, place: 6), name: "volume", show: { $0.volume })
    Lens(Display(registers, place: 7), name: "display", show: { $0.text })
  }
}

/// Starts a shell command. Returns its process.
func spawn(_ command: String) -> pid_t {
  var process: pid_t = 0
  let arguments = ["/bin/sh", "-c", command].map { (text: String) in strdup(text) } + [nil]
  defer { for argument in arguments { free(argument) } }
  precondition(posix_spawn(&process, "/bin/sh", nil, nil, arguments, environ) == 0, "cannot run \(command)")
  return process
}

/// Emits the numbers of its alarms, which come at equal distances.
private struct Ticks: Driver {
  typealias Event = Int

  private let period: Duration
  private var number = 0
  private var next = Moment.zero
  private var context: DriverContext<Int>?

  init(every period: Duration) { self.period = period }

  mutating func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
    self.context = context
    next = context.now + period
    context.setAlarm(next)
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    number += 1
    context.emit(number)
    // Alarms that would be late already are left out.
    next = max(next + period, context.now)
    context.setAlarm(next)
  }

  mutating func stop() {}
}

extension BenchFrame: Recordable {
  func write(to recording: inout JSONWriter) {
    recording.beginArray()
    recording.write(count)
    recording.write(lamps)
    recording.write(phase)
    recording.write(volume)
    recording.write(text)
    recording.endArray()
  }

  init(from recording: inout JSONReader) throws(RecordingTextFault) {
    throw recording.fault("frames are written only")
  }
}
