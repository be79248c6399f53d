import Glibc

/// The command `panel`, run as its users run it.
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

  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private let errors: Int32

  /// The command lies beside the tests.
  private static let command: String = {
    var path = CommandLine.arguments[0]
    if let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) { path = bundle }
    return String(path[..<path.lastIndex(of: "/")!]) + "/panel"
  }()

  /// Starts the command in the checkout's root.
  package init(_ arguments: [String], environment: [String] = []) {
    var ends = [Int32](repeating: -1, count: 6)
    for place in stride(from: 0, to: 6, by: 2) {
      ends.withUnsafeMutableBufferPointer { _ = pipe($0.baseAddress! + place) }
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[3], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[5], 2)
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", checkoutRoot, Self.command]
    let argv: [UnsafeMutablePointer<CChar>?] = (shell + arguments).map { strdup($0) } + [nil]
    let envp: [UnsafeMutablePointer<CChar>?] =
      (["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"] + environment).map { strdup($0) } + [nil]
    var process = pid_t()
    let code = posix_spawn(&process, shell[0], &actions, nil, argv, envp)
    precondition(code == 0, "\(Self.command) can't be started: \(code)")
    posix_spawn_file_actions_destroy(&actions)
    for string in argv + envp { free(string) }
    for end in [ends[0], ends[3], ends[5]] { close(end) }
    self.process = process
    input = ends[1]
    output = ends[2]
    errors = ends[4]
  }

  /// Runs the command to its end, with this on standard input.
  package static func run(_ arguments: [String], input: String = "", environment: [String] = []) -> Result {
    let process = PanelProcess(arguments, environment: environment)
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
  package func readErrorLine() -> String { Self.readLine(errors) }

  private static func readLine(_ descriptor: Int32) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  package func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// Closes the input and waits for the end: the status, or minus the signal that ended it.
  package func finish(closingInput: Bool = true) -> Result {
    if closingInput { close(input) }
    let output = Self.readAll(self.output)
    let errors = Self.readAll(self.errors)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    if !closingInput { close(input) }
    let signal = status & 0x7F
    return Result(status: signal == 0 ? (status >> 8) & 0xFF : -signal, output: output, errors: errors)
  }

  private static func readAll(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 { bytes += chunk[..<count] } else if count == 0 || errno != EINTR { break }
    }
    close(descriptor)
    return String(decoding: bytes, as: UTF8.self)
  }
}
