import Glibc

/// The reason why another program failed.
package enum ChildProcessFault: Error, Equatable {
  /// The program is not on `PATH`, or its interpreter is missing.
  case missing
  /// The failure.
  case failed(String)
}

/// Another program, which reads a text and prints one.
package struct ChildProcess {
  /// The default limit of a program's output, in bytes.
  package static let mostOutput = 64 << 20
  /// The exit status of a process whose program can't be started. POSIX allows `posix_spawn` to return before that is
  /// known, and to report it with this status, as in QEMU's user mode. A shell ends with it if it can't find the
  /// command.
  private static let notStarted: Int32 = 127

  private let process: pid_t
  /// The ends of the pipes to its standard input and from its standard output.
  private let input: Int32
  private let output: Int32

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - arguments: the program, which is searched on `PATH` unless it contains a `/`, and its arguments.
  ///   - text: the text for its standard input.
  ///   - limit: the time limit, after which it is killed; nil for none.
  ///   - isQuiet: whether its standard error is dropped; if false, it is this process's.
  /// - Returns: its standard output.
  package static func run(
    _ arguments: [String], reading text: String, within limit: Duration? = nil, isQuiet: Bool = false
  ) throws(ChildProcessFault) -> [UInt8] {
    try run(arguments, reading: Array(text.utf8), within: limit, isQuiet: isQuiet)
  }

  /// As ``run(_:reading:within:isQuiet:)``, with bytes.
  ///
  /// - Parameters:
  ///   - mostOutput: the limit of its output in bytes; after that its output is closed, which ends it when it prints
  ///     more.
  ///   - variables: further variables of the program's environment: `["LANG=C"]`.
  package static func run(
    _ arguments: [String], reading input: [UInt8], within limit: Duration? = nil, isQuiet: Bool = false,
    mostOutput: Int = Self.mostOutput, variables: [String] = []
  ) throws(ChildProcessFault) -> [UInt8] {
    let program = try ChildProcess(arguments, isQuiet: isQuiet, variables: variables)
    let end = limit.map { ContinuousClock.now + $0 }
    let printed = program.exchange(input, until: end, atMost: mostOutput)
    // A program that prints without end is not waited for.
    let status = program.wait(until: printed == nil ? .now : end)
    guard let printed else { throw .failed("printed more than \(mostOutput) bytes") }
    let signal = status & 0x7F
    if signal != 0 { throw .failed("was ended by signal \(signal)") }
    let code = status >> 8 & 0xFF
    if code == Self.notStarted { throw .missing }
    if code != 0 { throw .failed("ended with \(code)") }
    return printed
  }

  private init(_ arguments: [String], isQuiet: Bool, variables: [String]) throws(ChildProcessFault) {
    var (inputs, outputs): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&inputs) == 0, pipe(&outputs) == 0 else {
      let reason = Self.text(of: errno)
      for end in inputs where end >= 0 { close(end) }
      throw .failed("can't be started: \(reason)")
    }
    // The program must inherit only its own two ends.
    for end in inputs + outputs { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (input, output) = (inputs[1], outputs[0])
    var process = pid_t()
    let code = Self.spawn(
      &process, arguments, standardInput: inputs[0], standardOutput: outputs[1], isQuiet: isQuiet,
      variables: variables)
    self.process = process
    close(inputs[0])
    close(outputs[1])
    guard code == 0 else {
      close(input)
      close(output)
      throw code == ENOENT ? .missing : .failed("can't be started: \(Self.text(of: code))")
    }
  }

  private static func spawn(
    _ process: inout pid_t, _ arguments: [String], standardInput: Int32, standardOutput: Int32, isQuiet: Bool,
    variables: [String]
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, standardOutput, STDOUT_FILENO)
    if isQuiet { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    // The program would inherit ignored signals.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let environment = Self.environment(with: variables)
    defer {
      for word in words + environment { free(word) }
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    return posix_spawnp(&process, words[0]!, &actions, &attributes, words, environment)
  }

  /// The environment of this process, in which these variables replace those of the same names; ends with nil.
  private static func environment(with variables: [String]) -> [UnsafeMutablePointer<CChar>?] {
    let names = variables.map { $0.prefix { $0 != "=" } + "=" }
    var all: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      if !names.contains(where: { strncmp(variable, String($0), $0.utf8.count) == 0 }) { all.append(strdup(variable)) }
      next += 1
    }
    return all + variables.map { strdup($0) } + [nil]
  }

  /// Writes and reads when the program is ready, until it has closed its output or its time is over; returns nil if it
  /// printed too much.
  private func exchange(_ text: [UInt8], until end: ContinuousClock.Instant?, atMost mostOutput: Int) -> [UInt8]? {
    defer { close(output) }
    // Without O_NONBLOCK, a write of more than a pipe holds would block while the program waits for its output to be
    // read.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    var rest = text[...]
    var isWriting = true
    var printed: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if isWriting, rest.isEmpty {
        close(input)
        isWriting = false
      }
      var ends = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
      if isWriting { ends.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
      let patience = end.map { Int32(clamping: Int(max(0, ($0 - .now) / .milliseconds(1)).rounded(.up))) }
      guard poll(&ends, nfds_t(ends.count), patience ?? -1) >= 0 || errno == EINTR else { break }
      if let end, ContinuousClock.now >= end { break }
      if isWriting, ends[1].revents != 0 {
        let count = rest.withUnsafeBytes { Self.write($0, to: input) }
        // The program may end before it has read everything.
        if count < 0, errno != EINTR, errno != EAGAIN { rest = [] }
        rest = rest.dropFirst(max(0, count))
      }
      guard ends[0].revents != 0 else { continue }
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      printed += buffer.prefix(count)
      guard printed.count <= mostOutput else {
        if isWriting { close(input) }
        return nil
      }
    }
    if isWriting { close(input) }
    return printed
  }

  /// Writes to a pipe as `write` does, and returns the error `EPIPE` without the signal `SIGPIPE` if the pipe has no
  /// reader. The signal would end a process that does not ignore it.
  private static func write(_ bytes: UnsafeRawBufferPointer, to pipe: Int32) -> Int {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    let count = Glibc.write(pipe, bytes.baseAddress, bytes.count)
    let code = errno
    var none = timespec()
    if count < 0, code == EPIPE { _ = sigtimedwait(&signals, nil, &none) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return count
  }

  /// Waits for the end of the program, and kills it when its time is over. Returns its status.
  private func wait(until end: ContinuousClock.Instant?) -> Int32 {
    var status: Int32 = 0
    while true {
      let result = waitpid(process, &status, end == nil ? 0 : WNOHANG)
      if result == process || result < 0 && errno != EINTR { return status }
      guard let end, result == 0 else { continue }
      if ContinuousClock.now >= end { kill(process, SIGKILL) }
      usleep(1_000)
    }
  }

  private static func text(of code: Int32) -> String { String(cString: strerror(code)) }
}
