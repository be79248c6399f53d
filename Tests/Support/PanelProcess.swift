import CycleCore
import Glibc

/// The command `panel`, run as its users run it.
///
/// The watchdog's lines about slow drivers are left out of its errors: on a machine that is busy with other programs
/// every driver is slow now and then.
package struct PanelProcess {
  package struct Result: Equatable {
    package var status: Int32
    package var output: String
    package var errors: String

    package init(status: Int32, output: String, errors: String) {
      self.status = status
      self.output = output
      self.errors = errors
    }
  }

  /// What the command finds as its standard error.
  package enum Errors {
    /// A pipe that is read at the end.
    case pipe
    /// A pipe that is full when the command starts, and that nobody reads until ``readErrors(until:)``.
    case fullPipe(isNonBlocking: Bool)
  }

  private let process: pid_t
  package var number: Int32 { process }
  private let input: Int32
  private let output: Int32
  private let errors: Int32

  /// The path of the command, which is built into the folder of the tests.
  static let command: String = {
    var path = CommandLine.arguments[0]
    if let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) { path = bundle }
    return String(path[..<path.lastIndex(of: "/")!]) + "/panel"
  }()

  /// Starts the command in the checkout's root.
  ///
  /// - Parameter prefix: shell commands that are run before, as `ulimit -f 8;`.
  package init(
    _ arguments: [String], environment: [String] = [], errors errorKind: Errors = .pipe, prefix: String = ""
  ) {
    // A command may end before it has read what it is given.
    signal(SIGPIPE, SIG_IGN)
    let ends = (0..<3).flatMap { _ in Self.makePipe() }
    if case .fullPipe(let isNonBlocking) = errorKind { Self.fill(ends[5], staysNonBlocking: isNonBlocking) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[3], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[5], 2)
    process = Self.spawn(arguments, &actions, environment: environment, prefix: prefix)
    for end in [ends[0], ends[3], ends[5]] { close(end) }
    input = ends[1]
    output = ends[2]
    errors = ends[4]
  }

  /// Held while a pipe is made and while a process is started: a process started between `pipe` and `FD_CLOEXEC` would
  /// inherit both ends, and the pipe's reader would never see its end.
  private static let starting = Locked(())

  /// Starts a process by other means, while no pipe is made here.
  package static func whileNoPipeIsMade(_ start: () -> Int32) -> Int32 { starting.withLock { _ in start() } }

  /// The reading end and the writing one.
  package static func makePipe() -> [Int32] {
    starting.withLock { _ in
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return ends
    }
  }

  /// Starts the command with no signal blocked or ignored; otherwise it would inherit that the tests' threads block
  /// all.
  ///
  /// - Parameter actions: destroyed by this call.
  static func spawn(
    _ arguments: [String], _ actions: inout posix_spawn_file_actions_t, inSessionOfItsOwn: Bool = false,
    environment: [String], prefix: String = ""
  ) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // POSIX_SPAWN_SETSIGDEF, SETSIGMASK and SETSID. In a session of its own a terminal that is opened becomes the
    // controlling one, and sends the signals of keys.
    posix_spawnattr_setflags(&attributes, 0x04 | 0x08 | (inSessionOfItsOwn ? 0x80 : 0))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let shell = ["/bin/sh", "-c", "cd \"$0\" && \(prefix) exec \"$@\"", checkoutRoot, command]
    let argv: [UnsafeMutablePointer<CChar>?] = (shell + arguments).map { strdup($0) } + [nil]
    // A build that records coverage would write a file into the checkout, half of it where the test kills the command.
    let envp: [UnsafeMutablePointer<CChar>?] =
      (["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no", "LLVM_PROFILE_FILE=/dev/null"] + environment).map {
        strdup($0)
      } + [nil]
    var process = pid_t()
    let code = starting.withLock { _ in posix_spawn(&process, shell[0], &actions, &attributes, argv, envp) }
    precondition(code == 0, "\(command) can't be started: \(code)")
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    for string in argv + envp { free(string) }
    return process
  }

  /// Runs the command to its end, with this on standard input.
  package static func run(
    _ arguments: [String], input: String = "", environment: [String] = [], prefix: String = ""
  ) -> Result {
    let process = PanelProcess(arguments, environment: environment, prefix: prefix)
    process.write(input)
    return process.finish()
  }

  package func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(input, $0.baseAddress, $0.count) }
  }

  /// Waits for the next line of output.
  package func readLine() -> String { Self.readLine(output) }

  /// Waits for the next line of errors.
  package func readErrorLine() -> String {
    while true {
      let line = Self.readLine(errors)
      if !Self.isOfWatchdog(line) { return line }
    }
  }

  private static func isOfWatchdog(_ line: some StringProtocol) -> Bool {
    ["(start; allowed are ", "(render; allowed are ", "(wake; allowed are ", "(stop; allowed are "].contains {
      line.contains(" held the panel up for ") && line.contains($0)
    }
  }

  private static func readLine(_ descriptor: Int32) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while isReadable(descriptor), read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// How many seconds a command may print nothing, or take to end, on a machine however busy.
  private static let patience: Int32 = 300

  /// Waits until there is a byte or the end. A test that waits for a line that never comes stops the run, and says so.
  private static func isReadable(_ descriptor: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = Glibc.poll(&poll, 1, patience * 1000)
    precondition(count != 0, "\(command) has printed no line for \(patience) s")
    return count > 0
  }

  package func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// Writes zeros until no more fit.
  private static func fill(_ pipe: Int32, staysNonBlocking: Bool) {
    let flags = fcntl(pipe, F_GETFL)
    _ = fcntl(pipe, F_SETFL, flags | O_NONBLOCK)
    let zeros = [UInt8](repeating: 0, count: 4096)
    while Glibc.write(pipe, zeros, zeros.count) > 0 {}
    if !staysNonBlocking { _ = fcntl(pipe, F_SETFL, flags) }
  }

  /// Reads lines of errors, without their zero bytes, until one contains `text`, the command ends, or 20 000 lines are
  /// read.
  package func readErrors(until text: String) -> String {
    var read = ""
    for _ in 0..<20_000 {
      let line = readErrorLine()
      if line.isEmpty { break }
      read += line.filter { $0 != "\0" } + "\n"
      if line.contains(text) { break }
    }
    return read
  }

  /// Closes the reading end of the command's standard error.
  package func closeErrors() {
    close(errors)
  }

  /// Closes the reading end of the command's standard output.
  package func closeOutput() {
    close(output)
  }

  package func closeInput() {
    close(input)
  }

  /// Waits for the command's end without reading its output. Returns the exit status, or the negative number of the
  /// signal that killed it. After `seconds` the command is killed, and nil is returned.
  package func end(within seconds: Int) -> Int32? {
    PanelProcess.end(of: process, within: seconds)
  }

  static func end(of process: pid_t, within seconds: Int) -> Int32? {
    var status: Int32 = 0
    for _ in 0..<seconds * 1000 {
      if waitpid(process, &status, WNOHANG) == process {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
      }
      usleep(1_000)
    }
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
    return nil
  }

  /// Closes the input, reads the output and waits for the end. The status is the exit status, or the negative number of
  /// the signal that killed the command: -9 if it printed nothing for ``patience``, or had not ended after that time.
  package func finish(closingInput: Bool = true) -> Result {
    if closingInput { close(input) }
    let (output, errors) = readAll()
    let status = end(within: Int(Self.patience)) ?? -SIGKILL
    if !closingInput { close(input) }
    return Result(
      status: status, output: output,
      errors: errors.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !Self.isOfWatchdog($0) }.joined(separator: "\n"))
  }

  /// Reads output and errors to their ends, side by side: a command whose errors nobody reads may wait for that before
  /// it ends its output.
  private func readAll() -> (output: String, errors: String) {
    var ends = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var texts: [[UInt8]] = [[], []]
    var chunk = [UInt8](repeating: 0, count: 4096)
    while ends.contains(where: { $0.fd >= 0 }) {
      let ready = poll(&ends, nfds_t(ends.count), Self.patience * 1000)
      if ready == 0 {
        kill(process, SIGKILL)
        break
      }
      for index in ends.indices where ready > 0 && ends[index].fd >= 0 && ends[index].revents != 0 {
        let count = read(ends[index].fd, &chunk, chunk.count)
        if count > 0 {
          texts[index] += chunk[..<count]
        } else if count == 0 || errno != EINTR {
          ends[index].fd = -1
        }
      }
    }
    close(output)
    close(errors)
    return (String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self))
  }
}
