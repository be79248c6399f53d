/// Records an application: each event and each trouble with the number of the frame that it led to, a digest of each new
/// frame, and a whole frame now and then.
///
///     let film = FilmMemory()
///     let cycle = Cycle(seed: Counter()) { ... }
///     try cycle.record(with: Recorder(app: "counter", to: film))
///     try cycle.run(on: LinuxLoop())
///
/// What does not fit into the sink is counted: the film says how many records it lacks, and goes on with a whole frame.
/// For every film: offered = written + lost.
public final class Recorder {
  /// How many records there were.
  public struct Account: Equatable, Sendable {
    /// All causes of frames: events, troubles, and what was put in or set from outside.
    public var offered = 0
    /// Those that the sink has taken.
    public var written = 0
    /// Those that it had no room for.
    public var lost: Int { offered - written }
  }

  /// Why a recording ends.
  public enum End: String, Sendable, CaseIterable {
    case stopped
    case signal
    case error
  }

  /// How much lies between two whole frames at most.
  private static let (bytesOfKeyframe, causesOfKeyframe) = (65_536, 4_096)
  /// After how many lines there is a check.
  private static let linesOfCheck = 256

  public private(set) var account = Account()
  /// Why an event or a frame could not be written, the first time that one couldn't; it counts as lost.
  public private(set) var fault: FilmFault?

  private let sink: any FilmSink
  private let app: String
  private let by: String?
  private let wall: String?
  private let columns: [String]
  private let source: FilmHeader.Source?
  /// Whether keyframes and checks are written when they are due; a replay writes them where the film has them.
  private let isAutomatic: Bool
  /// Whether a replay writes the models that drivers would render.
  let writesModels: Bool

  /// The line that is being written.
  @usableFromInline var line = FilmWriter()
  private var frame = FilmWriter()
  private var start = Moment.zero
  private var now = Moment.zero
  private var lines = 0
  private var chain = FilmDigest()
  private var bytesSinceKeyframe = 0
  private var causesSinceKeyframe = 0
  private var linesAtCheck = 0
  private var isTrouble = false
  /// The digest of the frame that was written last.
  private(set) var frameDigest: FilmDigest?
  /// What the last line of the film says of the end.
  public var endReason = End.stopped
  /// How many records have been lost since the last line.
  private var untold = 0
  private var isLineFaulty = false
  private var isEnded = false
  private var frameNumber = 0

  /// - Parameters:
  ///   - app: the application's name.
  ///   - by: the program that records, for people.
  ///   - wall: the time of day, for people.
  ///   - columns: the names of the numbers of a ``FilmRow``; empty for any other frame.
  ///   - source: the file that the application was made from.
  ///   - sink: where the lines go.
  public init(
    app: String, by: String? = nil, wall: String? = nil, columns: [String] = [], source: FilmHeader.Source? = nil,
    to sink: any FilmSink
  ) {
    self.columns = columns
    self.app = app
    self.by = by
    self.wall = wall
    self.source = source
    self.sink = sink
    isAutomatic = true
    writesModels = false
  }

  /// A recorder that writes again what a film holds.
  init(again header: FilmHeader, models: Bool, to sink: any FilmSink) {
    (app, by, wall, columns, source) = (header.app, header.by, header.wall, header.columns, header.source)
    self.sink = sink
    isAutomatic = false
    writesModels = models
  }

  /// Writes the first two lines: the header and the seed.
  func begin(
    _ lenses: [FilmHeader.Lens], clock: FilmHeader.Clock, at start: Moment, _ writeFrame: FrameWriter
  ) {
    self.start = start
    now = start
    let header = FilmHeader(
      app: app, by: by, clock: clock, start: start, wall: wall, lenses: lenses, columns: columns, source: source)
    // A replay writes whole frames where the film has them.
    guard isAutomatic else { return }
    header.write(to: &line)
    put(isCause: false)
    writeKeyframe(writeFrame)
  }

  typealias FrameWriter = (inout FilmWriter) throws(FilmFault) -> Void

  // MARK: - Causes

  /// Begins the line of an event or a trouble; ``line`` gets its value next.
  ///
  /// - Parameter lens: nil for a frame that is set.
  func beginCause(_ kind: FilmLine.Kind, of lens: Int?, at moment: Moment) {
    account.offered += 1
    now = moment
    isTrouble = kind == .trouble
    line.removeAll()
    line.beginArray()
    line.write(kind)
    line.write(account.offered)
    line.write(moment.nanoseconds - start.nanoseconds)
    if let lens { line.write(lens) }
  }

  /// The value of the line can't be written.
  func fail(_ fault: FilmFault) {
    isLineFaulty = true
    if self.fault == nil { self.fault = fault }
  }

  /// Writes the frame that was set.
  func write(_ writeFrame: FrameWriter) {
    do throws(FilmFault) { try writeFrame(&line) } catch { fail(error) }
  }

  /// How troubles become records. It can't be nil: a trouble is Codable.
  static var trouble: FilmCodec<Trouble> { FilmCodec()! }

  func write(_ trouble: Trouble) {
    do throws(FilmFault) {
      try withUnsafePointer(to: trouble) { (trouble) throws(FilmFault) in try Self.trouble.write(trouble, &line) }
    } catch {
      fail(error)
    }
  }

  /// Writes a model that a driver would render.
  func write<Model>(model: UnsafePointer<Model>, _ codec: FilmCodec<Model>, of lens: Int) {
    line.removeAll()
    line.beginArray()
    line.write(.model)
    line.write(frameNumber)
    line.write(lens)
    do throws(FilmFault) { try codec.write(model, &line) } catch { fail(error) }
    line.endArray()
    line.endLine()
    put(isCause: false)
  }

  /// Ends the line of a cause.
  ///
  /// - Parameters:
  ///   - number: that of the frame that is the current one now.
  ///   - isNew: whether the cause has made it.
  ///   - writeFrame: writes that frame.
  ///   - writeChanges: writes what has changed in it; nil if it is no row.
  func endCause(
    frame number: Int, isNew: Bool, _ writeFrame: FrameWriter, changes writeChanges: ((inout FilmWriter) -> Void)?
  ) {
    frameNumber = number
    frameDigest = nil
    line.write(number)
    if isNew {
      if let digest = digest(of: writeFrame) { line.write(digest) }
      writeChanges?(&line)
    }
    line.endArray()
    line.endLine()
    put(isCause: true)
    causesSinceKeyframe += 1
    let isDue = bytesSinceKeyframe >= Self.bytesOfKeyframe || causesSinceKeyframe >= Self.causesOfKeyframe
    guard isAutomatic, untold > 0 || isDue || isTrouble else { return }
    writeKeyframe(writeFrame)
    if isTrouble { sink.flush() }
  }

  /// The records of a hole are not there: the next cause has this number, and leads on from this frame.
  func skip(toCause number: Int, frame: Int) {
    account = Account(offered: number - 1, written: number - 1)
    frameNumber = frame
  }

  /// Writes the whole current frame.
  func writeKeyframe(_ writeFrame: FrameWriter) {
    guard let digest = digest(of: writeFrame) else { return }
    line.removeAll()
    if untold > 0 {
      line.beginArray()
      line.write(.loss)
      line.write(now.nanoseconds - start.nanoseconds)
      line.write(untold)
      line.endArray()
      line.endLine()
    }
    line.beginArray()
    line.write(.keyframe)
    line.write(frameNumber)
    line.write(now.nanoseconds - start.nanoseconds)
    line.write(written: frame.written)
    line.write(digest)
    line.endArray()
    line.endLine()
    let lost = untold
    // A hole ends with a whole frame, or not yet.
    guard put(isCause: false, lines: lost > 0 ? 2 : 1) else { return }
    untold = 0
    bytesSinceKeyframe = 0
    causesSinceKeyframe = 0
  }

  private func digest(of writeFrame: FrameWriter) -> FilmDigest? {
    frame.removeAll()
    do throws(FilmFault) { try writeFrame(&frame) } catch {
      fail(error)
      return nil
    }
    var digest = FilmDigest()
    digest.add(frame.written)
    frameDigest = digest
    return digest
  }

  /// Writes the last line. Nothing is written behind it.
  ///
  /// - Parameter writeFrame: writes the last frame, with which a hole ends that lasts until here.
  func end(at moment: Moment, _ writeFrame: FrameWriter) {
    guard !isEnded, lines > 0 else { return }
    if untold > 0 { writeKeyframe(writeFrame) }
    line.removeAll()
    line.beginArray()
    line.write(.end)
    line.write(lines + 1)
    line.write(moment.nanoseconds - start.nanoseconds)
    line.write(endReason.rawValue)
    line.write(account.offered)
    line.write(frameNumber)
    line.write(chain)
    line.endArray()
    line.endLine()
    put(isCause: false)
    isEnded = true
    sink.flush()
  }

  /// Brings the film to safety soon: there is trouble.
  public func flush() { sink.flush() }

  // MARK: - Lines

  @discardableResult
  private func put(isCause: Bool, lines count: Int = 1) -> Bool {
    // Behind a hole, everything up to the next whole frame is part of it.
    let isInHole = isCause && untold > 0
    guard !isEnded, !isLineFaulty, !isInHole, sink.take(line.written) else {
      isLineFaulty = false
      if isCause { untold += 1 }
      return false
    }
    if isCause { account.written += 1 }
    chain.add(line.written)
    lines += count
    bytesSinceKeyframe += line.written.count
    if isAutomatic, !isEnded, lines - linesAtCheck >= Self.linesOfCheck - 1 { writeCheck() }
    return true
  }

  private func writeCheck() {
    line.removeAll()
    line.beginArray()
    line.write(.check)
    line.write(lines + 1)
    line.write(chain)
    line.endArray()
    line.endLine()
    guard sink.take(line.written) else { return }
    chain.add(line.written)
    lines += 1
    linesAtCheck = lines
  }
}

extension FilmWriter {
  fileprivate mutating func write(_ kind: FilmLine.Kind) {
    switch kind {
    case .keyframe: write(plain: "f")
    case .event: write(plain: "e")
    case .trouble: write(plain: "t")
    case .injection: write(plain: "i")
    case .frameSet: write(plain: "s")
    case .world: write(plain: "w")
    case .edge: write(plain: "g")
    case .model: write(plain: "m")
    case .loss: write(plain: "l")
    case .note: write(plain: "n")
    case .approval: write(plain: "a")
    case .check: write(plain: "c")
    case .end: write(plain: "z")
    case .foreign: write(plain: "x-")
    }
  }
}
