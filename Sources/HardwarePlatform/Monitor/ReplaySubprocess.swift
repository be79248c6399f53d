import CycleCore
import Glibc
import HardwareLinux
import Monitor

/// Plays edited recordings for the monitor in another process of this program, which drives no hardware. The panel
/// continues even if a recording and its edits crash that process.
///
/// Each request starts a process with ``variable`` in its environment, which ``ReplaySubprocessMain`` finds before
/// anything else is done. The process gets the recording and the edits on its standard input, and answers on its
/// standard output. It is killed after ``limit``.
package struct ReplaySubprocess: MonitorRecordingEditor {
  /// The name of an environment variable of the other process. Its value is the number of this process, its parent.
  static let variable = "PANEL_PLAYS_TAKES_OF"

  /// The time limit of one request.
  static let limit = Duration.seconds(15)
  /// The largest answer in bytes: an edited recording has 8 MiB at most, and twice that as JSON text.
  private static let longestAnswer = 24 << 20

  private let command: [String]
  private let limit: Duration

  /// - Parameters:
  ///   - command: the command that starts the program.
  ///   - limit: the time limit of one request.
  init(command: [String], within limit: Duration = Self.limit) { (self.command, self.limit) = (command, limit) }

  /// Uses another process of this program, even if its file has been replaced since it was started.
  package init() { self.init(command: ["/proc/self/exe"]) }

  package func play(recording: [UInt8], edits: [String], isResimulated: Bool) throws(MonitorRefusal) -> PlayedRecording
  {
    let answer = try ask(ReplayRequest(act: .play, edits: edits, isResimulated: isResimulated, recording: recording))
    guard case .played(let take) = answer else { throw Self.unreadable }
    return take
  }

  package func save(recording: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String {
    let answer = try ask(
      ReplayRequest(act: .save, form: form, from: events.lowerBound, to: events.upperBound, recording: recording))
    guard case .saved(let text) = answer else { throw Self.unreadable }
    return text
  }

  package func frame(_ number: Int, of recording: [UInt8]) throws(MonitorRefusal) -> PlayedFrame? {
    guard case .frame(let frame) = try ask(ReplayRequest(act: .frame, from: number, to: number, recording: recording))
    else {
      throw Self.unreadable
    }
    return frame
  }

  private func ask(_ request: ReplayRequest) throws(MonitorRefusal) -> ReplayReply {
    let printed: [UInt8]
    let began = ContinuousClock.now
    do throws(ChildProcessFault) {
      printed = try ChildProcess.run(
        command, reading: request.bytes, within: limit, isQuiet: true, mostOutput: Self.longestAnswer,
        variables: ["\(Self.variable)=\(getpid())", "SWIFT_BACKTRACE=enable=no"])
    } catch {
      throw Self.refusal(of: error, isLate: ContinuousClock.now - began >= limit, limit)
    }
    let answer: ReplayReply
    do throws(RecordingTextFault) { answer = try ReplayReply(printed) } catch { throw Self.unreadable }
    if case .refused(let refusal) = answer { throw refusal }
    return answer
  }

  private static let remedy =
    "The panel continues. Download the recording, and open it with panel recording edit or panel recording replay."

  private static func refusal(of fault: ChildProcessFault, isLate: Bool, _ limit: Duration) -> MonitorRefusal {
    switch fault {
    case _ where isLate: MonitorRefusal(422, "playing this needs more than \(limit). \(remedy)")
    case .failed(let what): MonitorRefusal(422, "this can't be played: the process that played it \(what). \(remedy)")
    case .missing:
      MonitorRefusal(
        409, "edited recordings can't be played here: this program can't be started a second time. \(remedy)")
    }
  }

  private static var unreadable: MonitorRefusal {
    MonitorRefusal(422, "this can't be played: the process that played it gave no reply. \(remedy)")
  }
}
