import CycleCore
import Glibc
import HardwareLinux
import PanelLanguage
import Terminal

/// The folder of a running panel, `/run/panel/NAME`. It holds the accepted file for `panel safe --last`, and the starts
/// that have not ended. Only the owner can write the files, with any umask, because `panel safe` uses them.
///
/// The folder is in memory, so writes are not synchronized. After a power cut it is empty; a power cut does not count
/// as a crash.
struct RunFolder {
  /// The number of starts within ``span`` without an end at which the last one enters safe mode.
  static let mostStarts = 5
  static let span = Duration.seconds(120)

  let path: String

  private static let mode: mode_t = 0o640

  private var starts: String { "\(path)/starts" }
  private var safe: String { "\(path)/safe" }

  /// - Throws: ``Problems`` if the folder does not exist, or can't be written.
  func check() throws(Problems) {
    guard access(path.isEmpty ? "." : path, W_OK | X_OK) != 0 else { return }
    let text =
      "\(String(cString: strerror(errno))); give --socket a path in a folder that is there and that this user may write to"
    throw Problems(kind: .cannotWrite, file: path, list: [Problem(line: 0, column: 0, text: text)])
  }

  /// Keeps the text of an accepted panel file. Replaces the previous one atomically.
  ///
  /// - Throws: ``Problems`` if the file can't be written.
  func keep(_ text: [UInt8]) throws(Problems) { try write(String(decoding: text, as: UTF8.self), to: safe) }

  private func write(_ text: String, to path: String) throws(Problems) {
    try TextFile.replace(text, path: path, mode: Self.mode)
  }

  /// Claims the folder for this process.
  ///
  /// - Throws: kind `busy` if another panel uses the folder, other kinds if it can't be locked.
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

  /// Records a start. Returns the number of earlier starts within ``span`` that have not ended.
  ///
  /// - Parameter now: the time of `CLOCK_MONOTONIC`, which starts again when the machine boots.
  func noteStart(at now: Moment) throws(Problems) -> Int {
    let recent = recentStarts(at: now)
    let lines = (recent + [now]).map { "\($0.nanoseconds)\n" }.joined()
    try write(lines, to: starts)
    return recent.count
  }

  /// Records an end without a crash: removes the last start, and after a good end all starts.
  func noteEnd(isGood: Bool, at now: Moment) {
    let rest = isGood ? [] : recentStarts(at: now).dropLast()
    if rest.isEmpty {
      unlink(starts)
    } else {
      try? write(rest.map { "\($0.nanoseconds)\n" }.joined(), to: starts)
    }
  }

  /// Clears the crashes after a user has handled them.
  func forgetCrashes(at now: Moment) throws(Problems) {
    noteEnd(isGood: true, at: now)
    _ = try noteStart(at: now)
  }

  /// Returns the starts within ``span`` that have not ended, the oldest first. Ignores lines that are not numbers.
  private func recentStarts(at now: Moment) -> [Moment] {
    guard let bytes = try? TextFile.read(path: starts, what: "starts") else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int64($0) }
      .map { Moment(nanoseconds: $0) }.filter { $0 <= now && now - $0 <= Self.span }.suffix(Self.mostStarts)
      .map { $0 }
  }
}
