/// Makes a whole film of lines: writes the header before them, a check where one is due, and the end.
public final class FilmComposer: FilmSink {
  private let sink: any FilmSink
  private var line = FilmWriter()
  private var chain = FilmChain()
  /// The number of the last cause.
  private(set) var causes = 0
  private var frame = 0
  private var time: Int64 = 0
  /// Whether the sink has taken everything so far.
  public private(set) var isWhole = true

  /// - Parameters:
  ///   - header: the first line.
  ///   - sink: where the film goes.
  public init(_ header: FilmHeader, to sink: any FilmSink) {
    self.sink = sink
    header.write(to: &line)
    put(line.written)
  }

  /// Adds whole lines, ends included: a replay's, or another film's without its checks and its end.
  ///
  /// - Returns: false, and the film is not whole from then on, if the sink takes them no more.
  @discardableResult
  public func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    var rest = lines
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let one = UnsafeRawBufferPointer(rebasing: rest[...end])
      note(UnsafeRawBufferPointer(rebasing: rest[..<end]))
      put(one)
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
      if chain.isCheckDue { putCheck() }
    }
    return isWhole
  }

  public func flush(_ occasion: FilmFlush) { sink.flush(occasion) }

  public var account: FilmAccount { sink.account }

  /// Adds a step of the world.
  public func add(_ step: WorldStep) {
    write { line in
      line.write("w")
      line.write(step.time ?? 0)
      line.write(step.time == nil ? WorldStep.startMark + step.words : step.words)
    }
  }

  /// Adds an edge of a real line.
  public func add(_ edge: FilmedEdge) {
    write { line in
      line.write("g")
      line.write(edge.time)
      line.write(edge.line)
      line.write(edge.isHigh ? 1 : 0)
      line.write(edge.sequence)
    }
  }

  /// Adds a note about the cause that was added last.
  public func add(note text: String) {
    let (time, number) = (time, causes)
    write { line in
      line.write("n")
      line.write(time)
      line.write(number)
      line.write(text)
    }
  }

  /// Approves the cause that was added last.
  public func addApproval() {
    let number = causes
    write { line in
      line.write("a")
      line.write(number)
      line.write(true)
    }
  }

  /// Writes the last line.
  ///
  /// - Parameters:
  ///   - time: the end, in nanoseconds since the film's start; not before that of the last line.
  ///   - reason: why the film ends.
  public func end(at time: Int64, _ reason: Recorder.End = .stopped) {
    line.removeAll()
    line.beginArray()
    line.write("z")
    line.write(chain.lines + 1)
    line.write(max(time, self.time))
    line.write(reason.rawValue)
    line.write(causes)
    line.write(frame)
    line.write(chain.digest)
    line.endArray()
    line.endLine()
    put(line.written)
    sink.flush(.end)
  }

  private func write(_ content: (inout FilmWriter) -> Void) {
    line.removeAll()
    line.beginArray()
    content(&line)
    line.endArray()
    line.endLine()
    take(line.written, as: .other)
  }

  /// Keeps what the end has to say.
  private func note(_ text: UnsafeRawBufferPointer) {
    guard let line = try? FilmLine(text) else { return }
    time = max(time, line.time)
    if line.kind == .loss { causes += line.number }
    if line.kind == .keyframe { frame = line.number }
    guard line.kind.isCause else { return }
    causes = line.number
    frame = line.frame
  }

  private func putCheck() {
    line.removeAll()
    chain.writeCheck(to: &line)
    if !sink.take(line.written, as: .other) { isWhole = false }
    chain.addCheck(line.written)
  }

  private func put(_ bytes: UnsafeRawBufferPointer) {
    chain.add(bytes, lines: 1)
    if !sink.take(bytes, as: .other) { isWhole = false }
  }
}
