import CycleCore
import Glibc
import HardwareLinux
import Terminal

/// The folder of a running panel, `/run/panel/NAME`: the file that it has accepted, for `panel safe --last`, and its starts that have not
/// come to an end. Their owner alone writes them, whatever the umask is, because `panel safe` does what they say.
///
/// It is in memory, so nothing is synchronized: after a power cut it is empty, and a power cut is no crash.
struct RunFolder {
  /// So many starts within ``span`` without an end: the last of them is in safe mode.
  static let mostStarts = 5
  static let span = Duration.seconds(120)

  let path: String

  private static let mode: mode_t = 0o640

  private var starts: String { "\(path)/starts" }
  private var safe: String { "\(path)/safe" }

  /// - Throws: ``Problems`` if it isn't there, or can't be written.
  func check() throws(Problems) {
    guard access(path.isEmpty ? "." : path, W_OK | X_OK) != 0 else { return }
    let text =
      "\(String(cString: strerror(errno))); give --socket a path in a folder that is there and that this user may write to"
    throw Problems(kind: .cannotWrite, file: path, list: [Problem(line: 0, column: 0, text: text)])
  }

  /// Keeps the text of a panel file that was accepted. Another one is replaced at once, never half.
  ///
  /// - Throws: ``Problems`` where it can't be written.
  func keep(_ text: [UInt8]) throws(Problems) { try write(String(decoding: text, as: UTF8.self), to: safe) }

  private func write(_ text: String, to path: String) throws(Problems) {
    try TextFile.replace(text, path: path, mode: Self.mode)
  }

  /// Has the folder for this process alone.
  ///
  /// - Throws: kind `busy` where another panel runs with it, and others where it can't be locked.
  func claim() throws(DriverError) -> FolderClaim {
    do throws(SystemFailure) {
      return try FolderClaim(path)
    } catch {
      let isTaken = error.isTaken
      throw DriverError(
        isTaken ? .busy : error.kind, of: path, cannot: "run a panel with its socket in \(path.isEmpty ? "." : path)",
        reason: isTaken ? "another panel runs with that folder" : error.reason, cause: error.cause,
        remedy: isTaken
          ? "Stop that one, or give --socket a path in a folder of its own."
          : "Give --socket a path in a folder that this user may write to.")
    }
  }

  /// Notes a start, and returns how many there were before it, within ``span``, that have not come to an end.
  ///
  /// - Parameter now: of the clock of this machine, which begins anew with it: `CLOCK_MONOTONIC`.
  func noteStart(at now: Moment) throws(Problems) -> Int {
    let recent = recentStarts(at: now)
    let lines = (recent + [now]).map { "\($0.nanoseconds)\n" }.joined()
    try write(lines, to: starts)
    return recent.count
  }

  /// The panel has come to an end by itself: its last start is none that crashed, and after a good end all are forgotten.
  func noteEnd(isGood: Bool, at now: Moment) {
    let rest = isGood ? [] : recentStarts(at: now).dropLast()
    if rest.isEmpty {
      unlink(starts)
    } else {
      try? write(rest.map { "\($0.nanoseconds)\n" }.joined(), to: starts)
    }
  }

  /// Somebody has looked at the crashes: they are forgotten.
  func forgetCrashes(at now: Moment) throws(Problems) {
    noteEnd(isGood: true, at: now)
    _ = try noteStart(at: now)
  }

  /// Those within ``span`` that have not come to an end, the oldest first; what is no number was written by somebody else.
  private func recentStarts(at now: Moment) -> [Moment] {
    guard let bytes = try? TextFile.read(path: starts, what: "starts") else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int64($0) }
      .map { Moment(nanoseconds: $0) }.filter { $0 <= now && now - $0 <= Self.span }.suffix(Self.mostStarts)
      .map { $0 }
  }
}
