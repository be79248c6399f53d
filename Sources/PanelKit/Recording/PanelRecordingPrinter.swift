import CycleCore
import PanelEngine
import PanelRun
import Terminal

/// Prints a recording of a panel for users: one line for each event, with its changes in the panel's words. Each line
/// is printed when its event has been read.
package final class PanelRecordingPrinter {
  private let recording: RecordingReader
  private let header: RecordingHeader
  private let range: RecordingRange
  private let application: PanelApplication
  private let reading: EditedRecordingReader
  private let write: (String) -> Void
  /// The moment and the number of a whole frame whose state is printed before the next event: the line needs the
  /// event's number.
  private var start: (time: Int64, frame: Int)?
  /// The number of the last event; nil before the first of a recording that is a part of a longer one.
  private var last: Int?
  /// Whether the next whole frame is the start, or ends a gap.
  private var isInGap = true
  private var frame: PanelFrame
  /// The text of the frame; nil if no line has needed it.
  private var text: PanelFrameText?

  package init(
    _ panel: ReplayableRecording, _ recording: RecordingReader, _ range: RecordingRange,
    _ write: @escaping (String) -> Void
  ) throws {
    (self.recording, self.range, self.write) = (recording, range, write)
    header = recording.header
    application = try panel.application()
    reading = EditedRecordingReader(application)
    frame = application.frame
  }

  /// - Throws: an error if the recording can't be read or replayed. The lines before that place are printed.
  package func print() throws {
    let by = header.by.map { ", recorded by \($0)" } ?? ""
    write("\(recording.name): \(header.app)\(by), \(header.clock.rawValue) clock")
    let observation = application.cycle.tap(reading)
    defer {
      observation.end()
      printStart()
    }
    var options = ReplayOptions(hasDigest: false)
    options.follow = { [unowned self] line, isSame in follow(line, isSame) }
    _ = try application.cycle.replay(recording, options)
  }

  /// Prints a line that was played. Returns whether the listing continues.
  private func follow(_ line: ParsedRecordingLine, _ isSame: Bool) -> Bool {
    switch line.kind {
    case .keyframe:
      if isInGap || !isSame {
        start = (line.time, line.number)
        (frame, text) = (application.frame, nil)
      }
      isInGap = false
    case .loss:
      printStart()
      isInGap = true
      last = last.map { $0 + line.number }
      if range.times.contains(line.time), last.map({ range.causes.lowerBound <= $0 }) ?? true {
        write("\(time(line.time))  \(counted(line.number, "event")) missing")
      }
    case .end:
      last = line.lens
    case _ where line.kind.isCause:
      if start != nil { last = line.number - 1 }
      printStart()
      last = line.number
      return print(cause: line, isSame)
    default: break
    }
    return true
  }

  private func print(cause line: ParsedRecordingLine, _ isSame: Bool) -> Bool {
    let row = reading.row(of: line)
    guard range.contains(line) else {
      (frame, text) = (application.frame, nil)
      return !range.isOver(at: line)
    }
    var words = "\(time(line.time))  \(line.number)  \(row.text)"
    if line.digest != nil {
      let before = text ?? PanelFrameText(application, in: frame)
      let now = PanelFrameText(application, in: application.frame)
      let changes = now.changes(since: before)
      if !changes.isEmpty { words += "  \(changes)" }
      (frame, text) = (application.frame, now)
    }
    write(isSame ? words : words + "  (a replay differs)")
    return line.number < range.causes.upperBound
  }

  /// Prints the state at a whole frame if it waits, with the number of the event before it.
  private func printStart() {
    guard let start else { return }
    self.start = nil
    let before = text ?? PanelFrameText(application, in: frame)
    text = before
    // A part of a recording without events doesn't contain their number.
    let number = last ?? (start.frame == 0 ? 0 : nil)
    guard range.times.contains(start.time), number.map({ range.causes.lowerBound <= $0 + 1 }) ?? true else { return }
    write("\(time(start.time))  \(number.map { "\($0)  " } ?? "")\(before.line)")
  }

  private func time(_ nanoseconds: Int64) -> String { SecondsText.text(of: .nanoseconds(nanoseconds)) }
}
