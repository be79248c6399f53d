import CycleCore
import Glibc
import HardwareLinux
import Terminal

/// The folder of a running panel, `/run/panel/NAME`: the file that it has accepted, for `panel safe --last`, and its starts that have not
/// come to an end.
///
/// It is in memory, so nothing is synchronized: after a power cut it is empty, and a power cut is no crash.
struct RunFolder {
  /// So many starts within ``span`` without an end: the last of them is in safe mode.
  static let mostStarts = 5
  static let span = Duration.seconds(120)

  let path: String

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
  func keep(_ text: [UInt8]) throws(Problems) { try TextFile.write(String(decoding: text, as: UTF8.self), path: safe) }

  /// Notes a start, and returns how many there were before it, within ``span``, that have not come to an end.
  ///
  /// - Parameter now: of the clock of this machine, which begins anew with it: `CLOCK_MONOTONIC`.
  func noteStart(at now: Moment) throws(Problems) -> Int {
    let recent = recentStarts(at: now)
    let lines = (recent + [now]).map { "\($0.nanoseconds)\n" }.joined()
    try TextFile.write(lines, path: starts)
    return recent.count
  }

  /// The panel has come to an end by itself: its last start is none that crashed, and after a good end all are forgotten.
  func noteEnd(isGood: Bool, at now: Moment) {
    let rest = isGood ? [] : recentStarts(at: now).dropLast()
    if rest.isEmpty {
      unlink(starts)
    } else {
      try? TextFile.write(rest.map { "\($0.nanoseconds)\n" }.joined(), path: starts)
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
