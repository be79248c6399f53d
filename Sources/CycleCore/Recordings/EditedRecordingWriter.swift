/// Adds the other lines of an edited recording to its causes while it is played.
package final class EditedRecordingWriter: RecordingSink {
  private let take: EditedRecording
  private let sink: any RecordingSink
  private let strip: SinkWriter
  private var header = JSONWriter()
  private var line = JSONWriter()
  /// The number in the edited recording of each cause that was not played yet; nil for a cause that was inserted.
  private var origins: ArraySlice<Int?>
  private let hasWorld: Bool
  /// The number of steps and of edges that were added.
  private var (steps, edges) = (0, 0)
  /// The number and the moment of the cause that was added last.
  private var (cause, time) = (0, Int64(0))
  private var count = 0

  package init(_ take: EditedRecording, to sink: any RecordingSink) {
    self.take = take
    self.sink = sink
    strip = SinkWriter(sink)
    take.header.write(to: &header)
    hasWorld = take.written == nil && !take.edits.contains(where: \.changesEvents)
    let origins = take.played.flatMap { cause, _ in
      guard let number = cause.number else { return [Int?.none] }
      guard take.written?.contains(number) ?? true else { return [] }
      return [number] + (take.frameEdits[number] ?? []).map { _ in nil }
    }
    self.origins = origins[...]
  }

  package func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    guard let text = try? ParsedRecordingLine(UnsafeRawBufferPointer(rebasing: lines.dropLast())) else { return false }
    time = max(time, text.time)
    switch part {
    case .keyframe, .beginning: strip.put(keyframe: lines, header: header.written, at: text.time)
    case .cause(let number):
      addWorld(before: count + 1)
      strip.put(cause: number, lines, isFaulty: false)
      cause = number
      count += 1
      if let origin = origins.popFirst() ?? nil { addMarks(of: origin) }
    case .model, .other: strip.putOther(lines, as: part)
    }
    return true
  }

  package func flush(_ occasion: RecordingFlush) {}

  package var account: RecordingAccount { sink.account }

  /// Writes the last line. Returns whether the sink has taken all causes.
  package func end(_ report: ReplayReport) -> Bool {
    addWorld(before: .max)
    strip.end(
      at: take.written == nil ? max(time, take.end) : time, .stopped, causes: cause, frame: report.frame)
    return strip.account(of: count).lost == 0
  }

  /// Adds the steps and edges of the world before a cause, by its number.
  private func addWorld(before cause: Int) {
    guard hasWorld else { return }
    while steps < take.steps.count, take.stepPlaces[steps] < cause {
      let step = take.steps[steps]
      add(.world) { line in
        line.write(step.time ?? 0)
        line.write(step.time == nil ? WorldAction.startMark + step.words : step.words)
      }
      steps += 1
    }
    while edges < take.edges.count, take.edgePlaces[edges] < cause {
      let edge = take.edges[edges]
      add(.edge) { line in
        line.write(edge.time)
        line.write(edge.line)
        line.write(edge.isHigh ? 1 : 0)
        line.write(edge.sequence)
      }
      edges += 1
    }
  }

  /// Adds the notes and the approval of an event after it.
  private func addMarks(of origin: Int) {
    let (cause, time) = (cause, time)
    for note in take.notes[origin] ?? [] {
      add(.note) { line in
        line.write(time)
        line.write(cause)
        line.write(note)
      }
    }
    guard take.approvals.contains(origin) else { return }
    add(.approval) { line in
      line.write(cause)
      line.write(true)
    }
  }

  private func add(_ kind: ParsedRecordingLine.Kind, _ content: (inout JSONWriter) -> Void) {
    line.removeAll()
    line.begin(kind)
    content(&line)
    line.endArray()
    line.endLine()
    strip.putOther(line.written)
  }
}
