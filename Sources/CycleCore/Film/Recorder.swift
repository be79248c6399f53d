/// Records an application: each event and each trouble with the number of the frame that it led to, a digest of each
/// new frame, and a whole frame now and then.
///
///     let film = FilmMemory()
///     let cycle = Cycle(seed: Counter()) { ... }
///     try cycle.record(with: Recorder(app: "counter", to: film))
///     try cycle.run(on: LinuxLoop())
///
/// Each record is written once and given to all sinks. Records for which a sink has no room are counted: its film
/// contains their number, and continues with a whole frame.
public final class Recorder {
  /// Why a recording ends.
  public enum End: String, Sendable, CaseIterable {
    case stopped
    case signal
    case error
    /// Another application has taken the place of the recorded one.
    case reloaded
  }

  /// How many causes of frames there were: events, troubles, and what was put in or set from outside.
  @exclusivity(unchecked) public private(set) var offered = 0
  /// The number of the last event that was put in, or frame that was set; 0 if there was none.
  @exclusivity(unchecked) public private(set) var lastInjection = 0
  /// Why an event or a frame could not be written, the first time that one couldn't; it counts as lost.
  @exclusivity(unchecked) public private(set) var fault: FilmFault?

  /// How the frames become parts of the film; set before the recording begins.
  @exclusivity(unchecked) var filming: Filming!
  private let strips: [FilmStrip]
  private let app: String
  private let by: String?
  private let wall: String?
  let columns: [String]
  private let source: FilmHeader.Source?
  /// Whether keyframes and checks are written when they are due; a replay writes them where the film has them.
  private let isAutomatic: Bool
  /// Whether a replay writes the models that drivers would render.
  let writesModels: Bool

  /// The line that is being written.
  @exclusivity(unchecked) var line = FilmWriter()
  /// What a frame that is no row is written to, for its digest.
  @exclusivity(unchecked) private var text = FilmWriter()
  @exclusivity(unchecked) private var start = Moment.zero
  @exclusivity(unchecked) private var now = Moment.zero
  @exclusivity(unchecked) private var isTrouble = false
  /// The digest of the frame that the last cause has made; nil if it has made none.
  @exclusivity(unchecked) private(set) var frameDigest: FilmDigest?
  /// The reason for the end in the last line of the film.
  public var endReason = End.stopped
  /// Whether an application whose events can't be written runs without a film; otherwise its start fails.
  package var isDispensable = false
  @exclusivity(unchecked) private var isLineFaulty = false
  @exclusivity(unchecked) private var header = FilmWriter()
  @exclusivity(unchecked) private var isEnded = false
  /// Whether the next end is no end of the film.
  @exclusivity(unchecked) private var goesOn = false
  @exclusivity(unchecked) private var frameNumber = 0
  /// The number of the film's frame that is the application's seed.
  @exclusivity(unchecked) private var seedNumber = 0
  /// The digest of the current frame.
  @exclusivity(unchecked) private var currentDigest: FilmDigest?
  /// Gives the frame that the film begins with, if the application begins with another one.
  private var seed: ((_ body: (UnsafeRawPointer) -> Void) -> Void)?
  /// The steps of the world before the start; nil once it has started.
  private var earlySteps: [String]? = []
  /// The level of each real line that was noted before the start, in the order of the first note: the last one counts.
  private var earlyLevels: [(line: String, isHigh: Bool)] = []

  /// - Parameters:
  ///   - app: the application's name.
  ///   - by: the program that records, for people.
  ///   - wall: the time of day, for people.
  ///   - columns: the names of the numbers of a ``FilmRow``; empty for any other frame.
  ///   - source: the file that the application was made from.
  ///   - sinks: the destinations of the lines.
  public init(
    app: String, by: String? = nil, wall: String? = nil, columns: [String] = [], source: FilmHeader.Source? = nil,
    to sinks: [any FilmSink]
  ) {
    self.columns = columns
    self.app = app
    self.by = by
    self.wall = wall
    self.source = source
    strips = sinks.map { FilmStrip($0) }
    isAutomatic = true
    writesModels = false
  }

  /// As ``init(app:by:wall:columns:source:to:)-(_,_,_,_,_,[FilmSink])``, with one sink.
  public convenience init(
    app: String, by: String? = nil, wall: String? = nil, columns: [String] = [], source: FilmHeader.Source? = nil,
    to sink: any FilmSink
  ) {
    self.init(app: app, by: by, wall: wall, columns: columns, source: source, to: [sink])
  }

  /// A recorder that writes again what a film holds.
  ///
  /// - Parameter sink: nil where only the frames' digests are wanted: then no line is written.
  init(again header: FilmHeader, models: Bool, to sink: (any FilmSink)?) {
    (app, by, wall, columns, source) = (header.app, header.by, header.wall, header.columns, header.source)
    strips = sink.map { [FilmStrip(again: $0)] } ?? []
    isAutomatic = false
    writesModels = models
  }

  /// The account of the records in one of the sinks.
  public func account(of sink: any FilmSink) -> FilmAccount {
    guard let strip = strips.first(where: { $0.sink === sink }) else { programmerError("another recorder's sink") }
    return strip.account(of: offered)
  }

  /// Whether lines are written.
  var hasLines: Bool { !strips.isEmpty }

  /// Writes the first two lines: the header and the seed.
  func begin(
    _ lenses: [FilmHeader.Lens], clock: FilmHeader.Clock, at start: Moment, due: Moment?, _ frame: UnsafeRawPointer
  ) {
    guard header.count == 0 else { return goOn(at: start, frame) }
    self.start = start
    now = start
    // A replay writes whole frames where the film has them.
    guard isAutomatic else { return }
    FilmHeader(
      app: app, by: by, clock: clock, start: start, due: due == start ? nil : due, wall: wall, lenses: lenses,
      columns: columns, source: source
    ).write(to: &header)
    if let seed { seed { writeKeyframe($0) } } else { writeKeyframe(frame) }
    for step in earlySteps ?? [] { writeWorld(.world, at: start) { $0.write(WorldStep.startMark + step) } }
    earlySteps = nil
    for (line, isHigh) in earlyLevels { note(edgeOf: line, isHigh: isHigh, sequence: 0, at: start) }
    earlyLevels = []
    if seed != nil { goOn(at: start, frame) }
    seed = nil
  }

  /// The film begins with a frame of its own; that of the application becomes a frame that was set. For an application
  /// that goes on from where another one was: its first frame can't be made anew without that one.
  ///
  /// - Parameter frame: of the application's type.
  package func begin<Frame>(with frame: Frame) {
    seed = { body in withUnsafePointer(to: frame) { body(UnsafeRawPointer($0)) } }
  }

  /// The next end of a cycle doesn't end the film: the cycle after it goes on with it, as after a power cut. Its seed
  /// becomes a frame that was set.
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
  /// A step for which a sink has no room takes the next cause with it: without the step a rehearsal would lead
  /// elsewhere, and the gap is reported.
  ///
  /// - Parameters:
  ///   - words: from which a rehearsal can do it again.
  ///   - moment: when it began.
  public func note(step words: String, at moment: Moment) {
    guard let early = earlySteps else { return writeWorld(.world, at: moment) { $0.write(words) } }
    guard early.count < Self.mostEarlySteps else {
      return fail(FilmFault("more than \(Self.mostEarlySteps) steps before the start"))
    }
    earlySteps?.append(words)
  }

  /// How many steps before the start are kept.
  private static let mostEarlySteps = 10_000

  /// Records an edge of a real line, or its level when it was requested.
  ///
  /// - Parameters:
  ///   - name: the line's name.
  ///   - isHigh: whether the line is at high voltage from then on.
  ///   - sequence: the edge's number on its line, from 1; 0 for the level when the line was requested.
  ///   - moment: when the level changed.
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

  private func writeWorld(_ kind: FilmLine.Kind, at moment: Moment, _ content: (inout FilmWriter) -> Void) {
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

  /// Begins the line of an event or a trouble; ``line`` gets its value next.
  ///
  /// - Parameter lens: nil for a frame that is set.
  func beginCause(_ kind: FilmLine.Kind, of lens: Int?, at moment: Moment) {
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

  /// The value of the line can't be written.
  func fail(_ fault: FilmFault) {
    isLineFaulty = true
    if self.fault == nil { self.fault = fault }
  }

  /// Writes the frame that was set.
  func write(frame: UnsafeRawPointer) {
    guard hasLines else { return }
    do throws(FilmFault) { try filming.write(frame, to: &line) } catch { fail(error) }
  }

  /// How troubles become records. It can't be nil: a trouble is Codable.
  static var trouble: FilmCodec<Trouble> { FilmCodec()! }

  func write(_ trouble: Trouble) {
    guard hasLines else { return }
    do throws(FilmFault) {
      try withUnsafePointer(to: trouble) { (trouble) throws(FilmFault) in try Self.trouble.write(trouble, &line) }
    } catch {
      fail(error)
    }
  }

  /// Writes a model that a driver would render.
  func write<Model>(model: UnsafePointer<Model>, _ codec: FilmCodec<Model>, of lens: Int) {
    line.removeAll()
    line.begin(.model)
    line.write(frameNumber)
    line.write(lens)
    do throws(FilmFault) { try codec.write(model, &line) } catch { fail(error) }
    endOther(.model)
  }

  // MARK: - Notes

  /// Nanoseconds since the film's start.
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

  /// Ends a line that is no cause, and gives it to the sinks; nothing where it could not be written.
  private func endOther(_ part: FilmPart = .other) {
    line.endArray()
    line.endLine()
    defer { isLineFaulty = false }
    guard !isEnded, !isLineFaulty else { return }
    for strip in strips { strip.putOther(line.written, as: part) }
  }

  /// Ends the line of a cause.
  ///
  /// - Parameters:
  ///   - number: that of the frame that is the current one now, as the cycle counts.
  ///   - isNew: whether the cause has made it.
  ///   - current: that frame.
  ///   - before: the frame before it; nil where what has changed is not written.
  @usableFromInline
  func endCause(frame number: Int, isNew: Bool, _ current: UnsafeRawPointer, after before: UnsafeRawPointer?) {
    frameNumber = seedNumber + number
    frameDigest = nil
    guard hasLines else {
      if isNew { _ = digest(of: current) }
      return
    }
    line.write(frameNumber)
    if isNew {
      if let digest = digest(of: current) { line.write(digest) } else { isLineFaulty = true }
      if filming.hasChanges, let before { filming.writeChanges(from: before, to: current, to: &line) }
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

  /// The records of a hole are not there: the next cause has this number, and leads on from this frame.
  func skip(toCause number: Int, frame: Int) {
    offered = number - 1
    frameNumber = frame
  }

  /// Writes the whole current frame.
  ///
  /// - Parameter isOfAll: whether all sinks get it, or those that need it.
  func writeKeyframe(ofAll isOfAll: Bool = true, _ current: UnsafeRawPointer) {
    // A frame that can't be written is tried again at the next cause.
    guard let digest = digest(of: current), hasLines else { return }
    let time = now.nanoseconds - start.nanoseconds
    line.removeAll()
    line.begin(.keyframe)
    line.write(frameNumber)
    line.write(time)
    do throws(FilmFault) { try filming.write(current, to: &line) } catch { return }
    line.write(digest)
    line.endArray()
    line.endLine()
    for strip in strips where isOfAll || strip.needsKeyframe {
      strip.put(keyframe: line.written, header: header.written, at: time)
    }
  }

  private func digest(of current: UnsafeRawPointer) -> FilmDigest? {
    text.removeAll()
    do throws(FilmFault) {
      let digest = try filming.digest(of: current, using: &text)
      (frameDigest, currentDigest) = (digest, digest)
      return digest
    } catch {
      if fault == nil { fault = error }
      return nil
    }
  }

  /// Writes the last line. Nothing is written behind it.
  ///
  /// - Parameter current: the last frame, with which a hole ends that lasts until here.
  func end(at moment: Moment, _ current: UnsafeRawPointer) {
    guard !isEnded, !goesOn, header.count > 0 else { return }
    if strips.contains(where: { $0.needsKeyframe }) { writeKeyframe(ofAll: false, current) }
    let time = moment.nanoseconds - start.nanoseconds
    for strip in strips { strip.end(at: time, endReason, causes: offered, frame: frameNumber) }
    isEnded = true
  }

  /// Brings the film to safety soon.
  ///
  /// - Parameter occasion: why.
  public func flush(_ occasion: FilmFlush) { for strip in strips { strip.sink.flush(occasion) } }
}
