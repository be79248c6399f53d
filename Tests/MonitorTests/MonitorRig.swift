import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import Monitor

/// A key that is tapped, on a bench, with a monitor on a unix socket and clients.
final class MonitorRig {
  struct Tap: Equatable, Codable {
    var count = 0
    var isBeeping = false
  }

  /// The key as what is watched.
  private final class Subject: MonitoredApplication {
    let bench = Bench()
    let cycle: any Application<Tap>
    let recorder: Recorder
    let key: Contact
    var isSimulated: Bool
    var takes: (any MonitorRecordingEditor)?

    init(to sinks: [any RecordingSink], isSimulated: Bool, takes: (any MonitorRecordingEditor)?) throws {
      (self.isSimulated, self.takes) = (isSimulated, takes)
      let chip = SimulatedChip(bench)
      key = chip.contact(at: "GPIO17")
      cycle = Cycle(seed: Tap()) {
        Lens(
          Button(chip, line: "GPIO17"), name: "key",
          on: { tap, event in
            if event == .pressed { tap.count += 1 }
            tap.isBeeping = event == .pressed
          })
      }
      recorder = Recorder(app: "tap", by: "test", to: sinks)
      try cycle.record(with: recorder)
      try bench.run(cycle)
    }

    var application: any Application { cycle }

    func settle() throws(DriverError) {
      try bench.settle()
      try bench.step(until: bench.now)
    }

    func perform(step: String) throws(MonitorRefusal) {
      guard step == "press key" || step == "release key" else { throw MonitorRefusal(422, "there is no step \(step)") }
      do throws(DriverError) {
        if step == "press key" { try key.press() } else { try key.release() }
        try bench.advance(by: .milliseconds(10))
      } catch {
        throw MonitorRefusal(409, "\(error)")
      }
    }
  }

  static let watchToken = String(repeating: "a", count: 32)
  static let controlToken = String(repeating: "b", count: 32)

  let ring: RecordingRing
  let monitor: Monitor
  let path: String
  private let monitored: Subject
  var bench: Bench { monitored.bench }
  var recorder: Recorder { monitored.recorder }
  var frame: Tap { monitored.cycle.frame }

  /// - Parameter folder: where the socket is.
  init(
    in folder: String, ring: RecordingRing = RecordingRing(), hasControl: Bool = true, isSimulated: Bool = true,
    takes: (any MonitorRecordingEditor)? = nil
  ) throws {
    path = folder + "/monitor.sock"
    self.ring = ring
    let bell = MonitorBell()
    monitored = try Subject(to: [ring, bell], isSimulated: isSimulated, takes: takes)
    var settings = MonitorSettings(
      tokens: MonitorTokens(watch: Self.watchToken, control: hasControl ? Self.controlToken : nil))
    settings.address = .unix(path)
    monitor = try Monitor(settings, of: monitored, showing: ring, woken: bell)
  }

  /// Ends the monitor and the application.
  func end() {
    monitor.end()
    bench.stop()
  }

  /// Taps the key so often: three events each.
  func tap(_ count: Int = 1) throws {
    for _ in 0..<count {
      try monitored.key.press()
      try bench.advance(by: .milliseconds(100))
      try monitored.key.release()
      try bench.advance(by: .milliseconds(100))
    }
  }

  /// Lets the monitor run until a condition holds; false if it does not come to hold.
  @discardableResult
  func run(_ clients: [HTTPClient], until isDone: () -> Bool) -> Bool {
    for _ in 0..<5_000 {
      for client in clients { client.pump() }
      if isDone() { return true }
      turn(within: 10)
    }
    return false
  }

  /// Runs a turn of the monitor as soon as there is one; false if there was none for so many milliseconds.
  @discardableResult
  func turn(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: monitor.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return false }
    monitor.turn()
    return true
  }

  /// Sends a request, and waits for the answer; nil if the connection is closed without one.
  func exchange(
    _ method: String, _ target: String, token: String? = MonitorRig.watchToken, host: String? = "localhost",
    headers: [String] = [], body: String? = nil, type: String = "application/json", over client: HTTPClient? = nil
  ) -> HTTPClient.Response? {
    let client = client ?? HTTPClient(path: path)
    client.send(
      Self.request(method, target, token: token, host: host, headers: headers, body: body, type: type))
    var response: HTTPClient.Response?
    run([client]) {
      response = client.takeResponse()
      return response != nil || client.isClosed
    }
    return response
  }

  static func request(
    _ method: String, _ target: String, token: String? = MonitorRig.watchToken, host: String? = "localhost",
    headers: [String] = [], body: String? = nil, type: String = "application/json"
  ) -> String {
    var lines = ["\(method) \(target) HTTP/1.1"]
    if let host { lines.append("Host: \(host)") }
    if let token { lines.append("Authorization: Bearer \(token)") }
    lines += headers
    if let body { lines += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] }
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
  }

  func command(_ target: String, _ body: String, token: String = MonitorRig.controlToken) -> HTTPClient.Response? {
    exchange("POST", target, token: token, body: body)
  }

  /// A client that watches from an event on.
  func watcher(from: Int? = nil, headers: [String] = []) -> HTTPClient {
    let client = HTTPClient(path: path)
    client.send(Self.request("GET", "/api/events" + (from.map { "?from=\($0)" } ?? ""), headers: headers))
    run([client]) { client.head() != nil || client.isClosed }
    return client
  }
}

/// Runs a body with a rig, and checks that nothing stays open.
func withRig(
  ring: RecordingRing = RecordingRing(), hasControl: Bool = true, isSimulated: Bool = true,
  takes: (any MonitorRecordingEditor)? = nil,
  _ body: (MonitorRig) throws -> Void
) throws {
  try withFiles { folder in
    let rig = try MonitorRig(in: folder, ring: ring, hasControl: hasControl, isSimulated: isSimulated, takes: takes)
    defer { rig.end() }
    try body(rig)
    rig.end()
    #expect(rig.monitor.connections == 0)
  }
}

extension HTTPClient {
  /// The numbers of the events that a watcher has got, in their order.
  var ids: [Int] {
    stream.split(separator: "\n").compactMap { $0.hasPrefix("id: ") ? Int($0.dropFirst(4)) : nil }
  }

  /// The data of each message of a kind; `message` for lines of the recording.
  func data(of kind: String) -> [String] {
    var data: [String] = []
    var current = "message"
    for line in stream.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("event: ") { current = String(line.dropFirst(7)) }
      if line.hasPrefix("data: "), current == kind { data.append(String(line.dropFirst(6))) }
      if line.isEmpty { current = "message" }
    }
    return data
  }
}
