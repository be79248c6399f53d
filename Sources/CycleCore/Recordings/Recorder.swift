import CycleBase

/// Records an application: each event and each trouble with the number of the frame that it led to, a digest of each
/// new frame, and a whole frame at intervals.
///
///     let recording = RecordingBuffer()
///     let cycle = Cycle(seed: Counter()) { ... }
///     try cycle.record(with: Recorder(app: "counter", to: recording))
///     try cycle.run(on: LinuxLoop())
///
/// Each record is written once and passed to all sinks. Records for which a sink has no room are counted: its recording
/// contains their number, and continues with a whole frame.
public final class Recorder {
  /// The reason for the end of a recording.
  public enum End: String, Sendable, CaseIterable {
    case stopped
    case signal
    case error
    /// Another application has replaced the recorded one.
    case reloaded
  }

  /// The number of causes of frames: events, troubles, and events and frames from outside.
  @exclusivity(unchecked) public private(set) var offered = 0
  /// The number of the last event or frame from outside; 0 if there was none.
  @exclusivity(unchecked) public private(set) var lastInjection = 0
  /// The error of the first event or frame that could not be written, and counts as lost; nil if there is none.
  @exclusivity(unchecked) public private(set) var fault: RecordingTextFault?

  /// The conversion of the frames to parts of the recording; set before the recording begins.
  @exclusivity(unchecked) package var frameCodec: AnyFrameCodec!
  private let strips: [SinkWriter]
  private let app: String
  private let by: String?
  private let wall: String?
  package let columns: [String]
  private let source: RecordingHeader.Source?
  /// Whether keyframes and checks are written when they are due. A replay writes them in the same places as the
  /// recording.
  private let isAutomatic: Bool
  /// Whether a replay writes the models that drivers would render.
  package let writesModels: Bool

  /// The line that is being written.
  @exclusivity(unchecked) private var line = JSONWriter()
  /// The buffer for a frame that is not a row, to compute its digest.
  @exclusivity(unchecked) private var text = JSONWriter()
  @exclusivity(unchecked) private var start = Moment.zero
  @exclusivity(unchecked) private var now = Moment.zero
  @exclusivity(unchecked) private var isTrouble = false
  /// The digest of the frame that the last cause has made; nil if it made none.
  @exclusivity(unchecked) private var frameDigest: FNV1aHash?
  /// The reason for the end in the last line of the recording.
  public var endReason = End.stopped
  /// Whether an application whose events can't be written runs without a recording. If false, its start fails.
  package var isDispensable = false
  @exclusivity(unchecked) private var isLineFaulty = false
  @exclusivity(unchecked) private var header = JSONWriter()
  @exclusivity(unchecked) private var isEnded = false
  /// Whether the recording continues after the next end of a cycle.
  @exclusivity(unchecked) private var goesOn = false
  @exclusivity(unchecked) private var frameNumber = 0
  /// The number of the recording's frame that is the application's seed.
  @exclusivity(unchecked) private var seedNumber = 0
  /// The digest of the current frame.
  @exclusivity(unchecked) private var currentDigest: FNV1aHash?
  /// Provides the frame with which the recording begins, if the application begins with another one.
  private var seed: ((_ body: (UnsafeRawPointer) -> Void) -> Void)?
  /// The steps of the world before the start; nil after the start.
  private var earlySteps: [String]? = []
  /// The level of each real line that was noted before the start, in the order of the first note. Only the last level
  /// counts.
  private var earlyLevels: [(line: String, isHigh: Bool)] = []

  /// - Parameters:
  ///   - app: the application's name.
  ///   - by: the program that records, for people.
  ///   - wall: the time of day, for people.
  ///   - columns: the names of the numbers of a ``RowFrame``; empty for other frames.
  ///   - source: the file from which the application was made.
  ///   - sinks: the destinations of the lines.
  public init(
    app: String, by: String? = nil, wall: String? = nil, columns: [String] = [], source: RecordingHeader.Source? = nil,
    to sinks: [any RecordingSink]
  ) {
    self.columns = columns
    self.app = app
    self.by = by
    self.wall = wall
    self.source = source
    strips = sinks.map { SinkWriter($0) }
    isAutomatic = true
    writesModels = false
  }

  /// Makes a recorder with one sink.
  public convenience init(
    app: String, by: String? = nil, wall: String? = nil, columns: [String] = [], source: RecordingHeader.Source? = nil,
    to sink: any RecordingSink
  ) {
    self.init(app: app, by: by, wall: wall, columns: columns, source: source, to: [sink])
  }

  /// Makes a recorder that writes the records of a recording again.
  ///
  /// - Parameter sink: the destination of the lines; nil if only the digests of the frames are needed: no line is
  ///   written.
  package init(again header: RecordingHeader, models: Bool, to sink: (any RecordingSink)?) {
    (app, by, wall, columns, source) = (header.app, header.by, header.wall, header.columns, header.source)
    strips = sink.map { [SinkWriter(again: $0)] } ?? []
    isAutomatic = false
    writesModels = models
  }

  /// Returns the counts of the records in one of the sinks.
  public func account(of sink: any RecordingSink) -> RecordingAccount {
    guard let strip = strips.first(where: { $0.sink === sink }) else { programmerError("another recorder's sink") }
    return strip.account(of: offered)
  }

  /// Whether lines are written.
  private var hasLines: Bool { !strips.isEmpty }

  /// Writes the first two lines: the header and the seed.
  package func begin(
    _ lenses: [RecordingHeader.Lens], clock: RecordingHeader.Clock, at start: Moment, due: Moment?,
    _ frame: UnsafeRawPointer
  ) {
    guard header.count == 0 else { return goOn(at: start, frame) }
    self.start = start
    now = start
    // A replay writes whole frames in the same places as the recording.
    guard isAutomatic else { return }
    RecordingHeader(
      app: app, by: by, clock: clock, start: start, due: due == start ? nil : due, wall: wall, lenses: lenses,
      columns: columns, source: source
    ).write(to: &header)
    if let seed { seed { writeKeyframe($0) } } else { writeKeyframe(frame) }
    for step in earlySteps ?? [] { writeWorld(.world, at: start) { $0.write(WorldAction.startMark + step) } }
    earlySteps = nil
    for (line, isHigh) in earlyLevels { note(edgeOf: line, isHigh: isHigh, sequence: 0, at: start) }
    earlyLevels = []
    if seed != nil { goOn(at: start, frame) }
    seed = nil
  }

  /// Makes the recording begin with this frame. The application's first frame becomes a frame that was set. For an
  /// application that continues where another one ended: without that one, its first frame can't be made again.
  ///
  /// - Parameter frame: a frame of the application's type.
  package func begin<Frame>(with frame: Frame) {
    seed = { body in withUnsafePointer(to: frame) { body(UnsafeRawPointer($0)) } }
  }

  /// Keeps the recording open at the next end of a cycle: the next cycle continues it, as after a power cut. The seed
  /// of that cycle becomes a frame that was set.
  package func goOnWithAnother() { goesOn = true }

  private func goOn(at moment: Moment, _ frame: UnsafeRawPointer) {
    goesOn = false
    beginCause(.frameSet, of: nil, at: moment)
    write(frame: frame)
    let before = currentDigest
    let isNew = digest(of: frame) != before
    seedNumber = frameNumber + (isNew ? 1 : 0)
    endCause(frame: 0, isNew: isNew, frame, after: nil)
  }

  // MARK: - The world

  /// Records a step of the world. Before the start it is kept, and written after the first frame.
  ///
  /// If a sink has no room for a step, the next cause is dropped as well: without the step, a resimulation would have a
  /// different result. The gap is reported.
  ///
  /// - Parameters:
  ///   - words: the text from which a resimulation can repeat the step.
  ///   - moment: the moment at which it began.
  public func note(step words: String, at moment: Moment) {
    guard let early = earlySteps else { return writeWorld(.world, at: moment) { $0.write(words) } }
    guard early.count < Self.mostEarlySteps else {
      return fail(RecordingTextFault("more than \(Self.mostEarlySteps) steps before the start"))
    }
    earlySteps?.append(words)
  }

  /// The maximum number of steps before the start.
  private static let mostEarlySteps = 10_000

  /// Records an edge of a real line, or its level when it was requested.
  ///
  /// - Parameters:
  ///   - name: the line's name.
  ///   - isHigh: whether the line is at high voltage from this moment on.
  ///   - sequence: the edge's number on its line, from 1; 0 for the level when the line was requested.
  ///   - moment: the moment at which the level changed.
  public func note(edgeOf name: String, isHigh: Bool, sequence: Int64, at moment: Moment) {
    if header.count == 0 {
      if let place = earlyLevels.firstIndex(where: { $0.line == name }) {
        earlyLevels[place].isHigh = isHigh
      } else {
        earlyLevels.append((name, isHigh))
      }
      return
    }
    writeWorld(.edge, at: moment) { line in
      line.write(name)
      line.write(isHigh ? 1 : 0)
      line.write(sequence)
    }
  }

  private func writeWorld(_ kind: ParsedRecordingLine.Kind, at moment: Moment, _ content: (inout JSONWriter) -> Void) {
    guard !isEnded else { return }
    line.removeAll()
    line.begin(kind)
    line.write(max(0, moment.nanoseconds - start.nanoseconds))
    content(&line)
    line.endArray()
    line.endLine()
    for strip in strips { strip.put(world: line.written) }
  }

  // MARK: - Causes

  /// Begins the line of an event or a trouble. ``line`` gets its value next.
  ///
  /// - Parameter lens: the number of the lens; nil for a frame that is set.
  package func beginCause(_ kind: ParsedRecordingLine.Kind, of lens: Int?, at moment: Moment) {
    offered += 1
    now = moment
    isTrouble = kind == .trouble
    if kind == .injection || kind == .frameSet { lastInjection = offered }
    guard hasLines else { return }
    line.removeAll()
    line.begin(kind)
    line.write(offered)
    line.write(moment.nanoseconds - start.nanoseconds)
    if let lens { line.write(lens) }
  }

  /// Notes that the value of the line can't be written.
  private func fail(_ fault: RecordingTextFault) {
    isLineFaulty = true
    if self.fault == nil { self.fault = fault }
  }

  /// Writes the frame that was set.
  package func write(frame: UnsafeRawPointer) {
    guard hasLines else { return }
    do throws(RecordingTextFault) { try frameCodec.write(frame, to: &line) } catch { fail(error) }
  }

  /// Writes the value of a cause.
  package func write(_ value: (inout JSONWriter) throws(RecordingTextFault) -> Void) {
    guard hasLines else { return }
    do throws(RecordingTextFault) { try value(&line) } catch { fail(error) }
  }

  /// Writes a model that a driver would render.
  package func write<Model>(model: UnsafePointer<Model>, _ codec: ValueCodec<Model>, of lens: Int) {
    line.removeAll()
    line.begin(.model)
    line.write(frameNumber)
    line.write(lens)
    do throws(RecordingTextFault) { try codec.write(model, &line) } catch { fail(error) }
    endOther(.model)
  }

  /// Whether the last cause has made the frame of a line of another recording.
  package func hasMadeFrame(of line: ParsedRecordingLine) -> Bool { frameDigest == line.digest }

  // MARK: - Notes

  /// Returns the nanoseconds from the recording's start to a moment.
  public func elapsed(at moment: Moment) -> Int64 { max(0, moment.nanoseconds - start.nanoseconds) }

  /// Adds a note to a cause.
  public func note(_ text: String, of cause: Int, at moment: Moment) {
    line.removeAll()
    line.begin(.note)
    line.write(elapsed(at: moment))
    line.write(cause)
    line.write(text)
    endOther()
  }

  /// Adds or removes the mark that a user has approved a cause.
  public func approve(_ cause: Int, _ isRight: Bool) {
    line.removeAll()
    line.begin(.approval)
    line.write(cause)
    line.write(isRight)
    endOther()
  }

  /// Ends a line that is not a cause, and passes it to the sinks; drops it if its value could not be written.
  private func endOther(_ part: RecordingPart = .other) {
    line.endArray()
    line.endLine()
    defer { isLineFaulty = false }
    guard !isEnded, !isLineFaulty else { return }
    for strip in strips { strip.putOther(line.written, as: part) }
  }

  /// Ends the line of a cause.
  ///
  /// - Parameters:
  ///   - number: the number of the current frame, in the counting of the cycle.
  ///   - isNew: whether the cause has made this frame.
  ///   - current: the current frame.
  ///   - before: the frame before it; nil if changes are not written.
  @usableFromInline
  package func endCause(frame number: Int, isNew: Bool, _ current: UnsafeRawPointer, after before: UnsafeRawPointer?) {
    frameNumber = seedNumber + number
    frameDigest = nil
    guard hasLines else {
      if isNew { _ = digest(of: current) }
      return
    }
    line.write(frameNumber)
    if isNew {
      if let digest = digest(of: current) { line.write(digest) } else { isLineFaulty = true }
      if frameCodec.hasChanges, let before { frameCodec.writeChanges(from: before, to: current, to: &line) }
    }
    line.endArray()
    line.endLine()
    guard !isEnded else { return }
    for strip in strips { strip.put(cause: offered, line.written, isFaulty: isLineFaulty) }
    isLineFaulty = false
    guard isAutomatic, isTrouble || strips.contains(where: { $0.needsKeyframe }) else { return }
    writeKeyframe(ofAll: isTrouble, current)
    if isTrouble { flush(.trouble) }
  }

  /// Skips the records of a hole: the next cause has this number, and follows this frame.
  package func skip(toCause number: Int, frame: Int) {
    offered = number - 1
    frameNumber = frame
  }

  /// Writes the whole current frame.
  ///
  /// - Parameter isOfAll: whether all sinks get it, or only those that need it.
  package func writeKeyframe(ofAll isOfAll: Bool = true, _ current: UnsafeRawPointer) {
    // If a frame can't be written, the next cause tries again.
    guard let digest = digest(of: current), hasLines else { return }
    let time = now.nanoseconds - start.nanoseconds
    line.removeAll()
    line.begin(.keyframe)
    line.write(frameNumber)
    line.write(time)
    do throws(RecordingTextFault) { try frameCodec.write(current, to: &line) } catch { return }
    line.write(digest)
    line.endArray()
    line.endLine()
    for strip in strips where isOfAll || strip.needsKeyframe {
      strip.put(keyframe: line.written, header: header.written, at: time)
    }
  }

  private func digest(of current: UnsafeRawPointer) -> FNV1aHash? {
    text.removeAll()
    do throws(RecordingTextFault) {
      let digest = try frameCodec.digest(of: current, using: &text)
      (frameDigest, currentDigest) = (digest, digest)
      return digest
    } catch {
      if fault == nil { fault = error }
      return nil
    }
  }

  /// Writes the last line. Later lines are dropped.
  ///
  /// - Parameter current: the last frame, which ends a hole that lasts until here.
  package func end(at moment: Moment, _ current: UnsafeRawPointer) {
    guard !isEnded, !goesOn, header.count > 0 else { return }
    if strips.contains(where: { $0.needsKeyframe }) { writeKeyframe(ofAll: false, current) }
    let time = moment.nanoseconds - start.nanoseconds
    for strip in strips { strip.end(at: time, endReason, causes: offered, frame: frameNumber) }
    isEnded = true
  }

  /// Saves the recording soon.
  ///
  /// - Parameter occasion: the reason for the flush.
  public func flush(_ occasion: RecordingFlush) { for strip in strips { strip.sink.flush(occasion) } }
}
