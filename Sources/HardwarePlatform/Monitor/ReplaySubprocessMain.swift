internal import CLinux
import CycleCore
import Glibc
import Monitor
import Terminal

/// The other side of ``ReplaySubprocess``: the process that only plays edited recordings. It ends with its parent, and
/// is killed before it when memory is short. Its memory and its time are limited, and it writes no file.
package enum ReplaySubprocessMain {
  /// The limit of its memory, in bytes. A recording of a monitor has 1 MiB, and playing it takes less than a quarter of
  /// this.
  private static let mostMemory = 96 << 20
  private static let mostSeconds: UInt32 = 15
  /// The longest request: a recording, and 64 KiB of edits.
  private static let longestRequest = 16 << 20

  /// Answers the request on standard input, if the process was started for that. Returns the exit status, or nil for
  /// any other process. Must be called first.
  ///
  /// - Parameter takes: plays edited recordings of this program.
  package static func run(_ takes: @autoclosure () -> any MonitorRecordingEditor) -> Int32? {
    guard let parent = getenv(ReplaySubprocess.variable), String(cString: parent) == "\(getppid())" else { return nil }
    unsetenv(ReplaySubprocess.variable)
    clinux_confine(getppid(), mostMemory, mostSeconds)
    guard let bytes = readAll() else { return ExitStatus.wrongContent }
    let answer = answer(to: bytes, takes())
    return writeAll(answer.bytes) ? ExitStatus.success : ExitStatus.cannotWrite
  }

  /// Performs the request.
  static func answer(to bytes: [UInt8], _ takes: any MonitorRecordingEditor) -> ReplayReply {
    let request: ReplayRequest
    do throws(RecordingTextFault) { request = try ReplayRequest(bytes) } catch {
      return .refused(MonitorRefusal(400, "\(error)"))
    }
    do throws(MonitorRefusal) {
      switch request.act {
      case .play:
        return .played(
          try takes.play(recording: request.recording, edits: request.edits, isResimulated: request.isResimulated))
      case .save:
        return .saved(try takes.save(recording: request.recording, as: request.form, events: request.from...request.to))
      case .frame: return .frame(try takes.frame(request.from, of: request.recording))
      }
    } catch {
      return .refused(error)
    }
  }

  private static func readAll() -> [UInt8]? {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &block, block.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0, bytes.count + count <= longestRequest else { return nil }
      bytes += block.prefix(count)
    }
  }

  private static func writeAll(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
