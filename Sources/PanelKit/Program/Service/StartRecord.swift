import CycleCore
import Glibc
import PanelLanguage

/// The starts of a panel that have not ended, in a file of its ``RunFolder``: a panel that crashes repeatedly enters
/// safe mode.
struct StartRecord {
  /// The number of starts within ``span`` without an end at which the last one enters safe mode.
  static let mostStarts = 5
  static let span = Duration.seconds(120)

  let path: String

  /// Records a start. Returns the number of earlier starts within ``span`` that have not ended.
  ///
  /// - Parameter now: the time of `CLOCK_MONOTONIC`, which starts again when the machine boots.
  func noteStart(at now: Moment) throws(Problems) -> Int {
    let recent = recentStarts(at: now)
    let lines = (recent + [now]).map { "\($0.nanoseconds)\n" }.joined()
    try TextFile.replace(lines, path: path, mode: RunFolder.mode)
    return recent.count
  }

  /// Records an end without a crash: removes the last start, and after a good end all starts.
  func noteEnd(isGood: Bool, at now: Moment) {
    let rest = isGood ? [] : recentStarts(at: now).dropLast()
    if rest.isEmpty {
      unlink(path)
    } else {
      try? TextFile.replace(rest.map { "\($0.nanoseconds)\n" }.joined(), path: path, mode: RunFolder.mode)
    }
  }

  /// Clears the crashes after a user has handled them.
  func forgetCrashes(at now: Moment) throws(Problems) {
    noteEnd(isGood: true, at: now)
    _ = try noteStart(at: now)
  }

  /// Returns the starts within ``span`` that have not ended, the oldest first. Ignores lines that are not numbers.
  private func recentStarts(at now: Moment) -> [Moment] {
    guard let bytes = try? TextFile.read(path: path, what: "starts") else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int64($0) }
      .map { Moment(nanoseconds: $0) }.filter { $0 <= now && now - $0 <= Self.span }.suffix(Self.mostStarts)
      .map { $0 }
  }
}
