import Glibc

/// A lamp that each press of a button switches, with or without a broker.
func lampPanel(isTold: Bool) -> String {
  """
  panel: Lamp
  inputs: { bell: { button: GPIO17 } }
  outputs: { lamp: { led: GPIO23 } }
  accept: { press: [ bell ] }
  \(isTold ? "mqtt: { publish: all, discovery: homeassistant }" : "")
  initial: dark
  states:
    dark: { on: { bell.pressed: lit } }
    lit: { show: { lamp: on }, on: { bell.pressed: dark } }
  """
}

/// `panel run` of this program in a process of its own, on simulated devices: its button is pressed by the control
/// socket, and what becomes of its lamp is read there.
final class NetworkedPanel {
  private static nonisolated(unsafe) var count = 0

  let process: pid_t
  private let folder: String
  private var commands: ControlConnection!
  private var watcher: ControlConnection!

  /// - Parameters:
  ///   - isTold: whether its file has a broker.
  ///   - broker: the broker's address, as `PANEL_MQTT`.
  ///   - begin: a shell command that runs what is behind it, with mounts or a network of its own.
  init(isTold: Bool, broker: String = "", behind begin: String = "exec") {
    Self.count += 1
    folder = "\(makeFile("run.\(Self.count)", "")).d"
    mkdir(folder, 0o700)
    let file = makeFile("lamp.\(Self.count).panel.yaml", lampPanel(isTold: isTold))
    process = spawn(
      "PANEL_ID=lamp\(Self.count) PANEL_MQTT='\(broker)' \(begin) '\(CommandLine.arguments[0])' --panel run \(file) "
        + "--gpio simulated --audio simulated --socket \(folder)/control 2>/dev/null")
    for _ in 0..<200 where commands == nil {
      usleep(50_000)
      commands = ControlConnection(to: "\(folder)/control")
    }
    guard commands != nil else { fatalError("the panel does not start") }
    watcher = ControlConnection(to: "\(folder)/control")
    watcher.send("watch")
    _ = watcher.line()
  }

  /// Presses the button and releases it. Returns the nanoseconds from the press until the panel told what its lamp
  /// shows, which it does when the lamp shows it.
  func press() -> Double {
    let begin = now
    commands.send("press bell")
    while !watcher.line().contains("\"outputs\"") {}
    let end = now
    let answer = commands.line()
    guard answer == "ok" else { fatalError("the press was refused: \(answer)") }
    commands.send("release bell")
    guard commands.line() == "ok" else { fatalError("the release was refused") }
    return end - begin
  }

  /// Waits until its status has a text, 60 s at most.
  func wait(for text: String) {
    for _ in 0..<600 {
      commands.send("status")
      let status = commands.line()
      _ = commands.line()
      if status.contains(text) { return }
      usleep(100_000)
    }
    fatalError("the panel does not come to \(text)")
  }

  /// The processor time of its cycle's thread so far, in nanoseconds: `schedstat` of proc(5).
  var processorTime: Double { number(of: "cut -d' ' -f1 /proc/\(process)/task/\(process)/schedstat") }

  /// Its memory without what is mapped from files, which other programs share: `RssAnon` of proc(5).
  var ownKilobytes: Double { number(of: "awk '/^RssAnon/ { print $2 }' /proc/\(process)/status") }

  private var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  private func number(of command: String) -> Double {
    guard let number = Double(Measurement.output(of: command).filter { $0 != "\n" }) else {
      fatalError("the panel has ended")
    }
    return number
  }

  func end() {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    _ = Measurement.output(of: "rm -rf \(folder)")
  }
}

/// A connection to a control socket.
private final class ControlConnection {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Nil while nobody listens there.
  init?(to path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) { address in
      UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { return nil }
  }

  deinit { close(descriptor) }

  func send(_ request: String) {
    let bytes = Array("\(request)\n".utf8)
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      fatalError("the panel has ended")
    }
  }

  /// The next line, without its end.
  func line() -> String {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { fatalError("the panel has ended") }
      buffer += bytes[..<count]
    }
  }
}

/// mosquitto on a port of its own, without passwords.
final class BrokerProcess {
  static let program = "/usr/sbin/mosquitto"
  static let isThere = access(program, X_OK) == 0

  private let port = 20000 + Int(getpid()) % 12000
  private var processes: [pid_t] = []
  /// A group of processes.
  private var disturbing: pid_t?

  var address: String { "mqtt://127.0.0.1:\(port)" }
  /// What runs it in a shell.
  var command: String { "\(Self.program) -p \(port) >/dev/null 2>&1" }

  func start() {
    processes.append(spawn("exec \(command)"))
    usleep(500_000)
  }

  /// Has it stand still: the kernel takes what is sent to it, and nobody answers.
  func stop() { kill(processes[0], SIGSTOP) }

  /// Runs a shell command on it, as `$broker`, until the end.
  func disturb(_ command: String) {
    disturbing = spawn("exec setsid sh -c 'broker=\(processes.first ?? 0); \(command)'")
  }

  func end() {
    if let disturbing {
      kill(-disturbing, SIGKILL)
      waitpid(disturbing, nil, 0)
    }
    disturbing = nil
    for process in processes {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    processes = []
  }
}
