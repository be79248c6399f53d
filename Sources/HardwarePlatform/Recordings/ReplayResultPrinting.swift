import CycleCore
import Terminal

/// Runs a replay, and prints its result: the digest or a sentence on standard output, a difference on standard error.
///
/// - Parameters:
///   - path: the recording.
///   - isDigest: whether only the digest is printed.
///   - diagnostics: prints a difference, and missing parts of the recording.
///   - replay: plays the recording.
/// - Returns: the exit status: 0 if all frames are the same, 1 if one differs.
package func printReplayResult(
  of path: String, isDigest: Bool, _ diagnostics: Diagnostics, _ replay: () throws -> ReplayReport
) throws -> Int32 {
  do {
    let report = try replay()
    if let truncation = report.truncation { diagnostics.write(.warning, truncation) }
    if report.lost > 0 { diagnostics.write(.warning, "\(path): the recording lacks \(counted(report.lost, "record"))") }
    let frames = counted(report.frames, "frame")
    let sentence = "\(path): \(counted(report.events, "event")) lead to the same \(frames)"
    Output.standard.write("\(isDigest ? "\(report.digest)" : visible(sentence))\n")
    return ExitStatus.success
  } catch let difference as ReplayDifference {
    for line in "\(difference)".split(separator: "\n") { diagnostics.write(.error, String(line)) }
    return ExitStatus.failed
  }
}
