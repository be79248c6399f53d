import CycleBase

/// A recording with edits: a sequence of events that could have happened. The recording itself is not changed.
///
///     var take = try EditedRecording(of: recording)
///     try take.apply(RecordingEdit("off 3"))
///     let report = try cycle.play(take, to: memory)
///
/// Moments belong to places: removing an event removes its place, and moving events changes their order, but not the
/// list of moments. Time therefore never goes backwards.
public struct EditedRecording: Sendable {
  /// The maximum number of causes of a recording that can be edited.
  public static let mostCauses = 1_000_000

  /// An event, a trouble, or a frame that was set, in the order of the edited recording.
  public struct Cause: Equatable, Sendable {
    /// Its number in the recording; nil for a cause that was inserted.
    public var number: Int?
    public var kind: ParsedRecordingLine.Kind
    /// The lens's name; empty for a frame that was set.
    public var lens: String
    /// The event, the trouble or the frame, as JSON.
    public var value: String
    /// Whether the value differs from the one in the recording.
    public var isEdited = false
  }

  /// A value of a frame that is set after a cause.
  package struct FrameEdit: Equatable, Sendable {
    package var path: String
    package var value: String
  }

  public let header: RecordingHeader
  /// The causes, including those that are off.
  public private(set) var causes: [Cause] = []
  /// The moment of each place, in nanoseconds since the recording's start.
  public private(set) var times: [Int64] = []
  /// The numbers, in the recording, of the causes that are off.
  public private(set) var off: Set<Int> = []
  /// The values that are set after causes of the recording, by the cause's number.
  package private(set) var frameEdits: [Int: [FrameEdit]] = [:]
  /// The number and the text of the recording's first frame; nil for a recording without one.
  package private(set) var beginning: (number: Int, text: String)?
  /// The number of causes before the recording's first: above 0 if it is the end of a longer recording.
  package private(set) var earlierCauses = 0
  /// Whether the recording begins at the start of the application.
  public var isFromStart: Bool { (beginning?.number ?? 0) == 0 }
  /// The steps of the recording's world, in order.
  public private(set) var steps: [WorldAction] = []
  /// The edges of real lines in the recording, in its order.
  public private(set) var edges: [RecordedEdge] = []
  /// The number of the recording's causes before each step and before each edge.
  private(set) var stepPlaces: [Int] = []
  private(set) var edgePlaces: [Int] = []
  /// The notes to events, by their numbers in the recording; 0 for a note to the beginning.
  public private(set) var notes: [Int: [String]] = [:]
  private var noteCount = 0
  /// The numbers, in the recording, of the events that a user has approved.
  public private(set) var approvals: Set<Int> = []
  /// The numbers, in the recording, of the causes that `Application.play(_:to:)` writes, after a whole frame. Causes
  /// before them are played to reach that frame; causes after them are not played. Nil for all.
  public var written: ClosedRange<Int>?
  /// All edits, in the order of their application.
  public private(set) var edits: [RecordingEdit] = []
  /// The moment of the recording's end, in nanoseconds since its start.
  public private(set) var end: Int64

  /// Reads a recording to its end.
  ///
  /// - Throws: ``RecordingError`` for a recording that can't be read, that has more than ``mostCauses``, or in which
  ///   records are missing: frames after a gap have no cause in the recording.
  public init(of recording: RecordingReader) throws { try self.init(of: recording, atMost: Self.mostCauses) }

  /// - Parameters:
  ///   - recording: the recording; it is read to its end.
  ///   - most: the maximum number of causes, steps, edges, notes and approvals, for each kind.
  init(of recording: RecordingReader, atMost most: Int) throws {
    header = recording.header
    end = 0
    while let line = try recording.next() {
      end = max(end, line.time)
      guard line.kind.isCause else {
        do throws(RecordingTextFault) { try add(line, of: recording, atMost: most) } catch {
          throw recording.error(error)
        }
        continue
      }
      guard causes.count < most else {
        throw recording.error(
          RecordingTextFault("an edited recording has at most \(most) events; cut it with panel recording cut"))
      }
      let value = JSONReader(recording.text).text(in: line.value)
      guard line.kind == .frameSet || header.lenses.indices.contains(line.lens) else {
        throw recording.error(
          RecordingTextFault("lens \(line.lens) is not one of the recording's \(header.lenses.count)"))
      }
      if causes.isEmpty { earlierCauses = line.number - 1 }
      causes.append(
        Cause(
          number: line.number, kind: line.kind, lens: line.kind == .frameSet ? "" : header.lenses[line.lens].name,
          value: String(decoding: value, as: UTF8.self)))
      times.append(line.time)
    }
  }

  /// Adds a line of the recording that is not a cause.
  private mutating func add(_ line: ParsedRecordingLine, of recording: RecordingReader, atMost most: Int)
    throws(RecordingTextFault)
  {
    func checkRoom(_ count: Int) throws(RecordingTextFault) {
      guard count >= most else { return }
      throw RecordingTextFault("an edited recording has at most \(most) of these; cut it with panel recording cut")
    }
    var value = JSONReader(recording.text, from: line.value.lowerBound)
    switch line.kind {
    case .loss:
      throw RecordingTextFault("the recording has a gap here; keep the part before it with panel recording cut")
    case .keyframe where causes.isEmpty && beginning == nil:
      beginning = (line.number, String(decoding: JSONReader(recording.text).text(in: line.value), as: UTF8.self))
    case .world:
      try checkRoom(steps.count)
      let words = try value.readString()
      stepPlaces.append(causes.count)
      let isEarly = words.hasPrefix(WorldAction.startMark)
      steps.append(
        WorldAction(
          time: isEarly ? nil : line.time, words: isEarly ? String(words.dropFirst(WorldAction.startMark.count)) : words
        ))
    case .edge:
      try checkRoom(edges.count)
      let name = try value.readString()
      guard try value.hasElement() else { return }
      let isHigh: Int = try value.readInteger()
      guard try value.hasElement() else { return }
      edgePlaces.append(causes.count)
      edges.append(RecordedEdge(time: line.time, line: name, isHigh: isHigh == 1, sequence: try value.readInteger()))
    case .note:
      try checkRoom(noteCount)
      noteCount += 1
      notes[line.number, default: []].append(try value.readString())
    case .approval:
      if try value.readBool() {
        try checkRoom(approvals.count)
        approvals.insert(line.number)
      } else {
        approvals.remove(line.number)
      }
    default: break
    }
  }

  /// Returns the moment of an event in the edited recording, from the recording's start.
  ///
  /// - Parameter number: the event's number in the recording.
  /// - Throws: ``RecordingTextFault`` if the recording does not contain it.
  public func moment(of number: Int) throws(RecordingTextFault) -> Duration {
    .nanoseconds(times[try place(of: number)])
  }

  /// The causes that are not off, each with its moment in nanoseconds since the recording's start.
  public var played: [(cause: Cause, time: Int64)] {
    zip(causes, times).filter { cause, _ in cause.number.map { !off.contains($0) } ?? true }
      .map { (cause: $0, time: $1) }
  }

  /// Edits the edited recording.
  ///
  /// - Throws: ``RecordingTextFault``, with the error and its remedy, for an edit of something that does not exist. The
  ///   edited recording is then unchanged.
  public mutating func apply(_ edit: RecordingEdit) throws(RecordingTextFault) {
    try change(by: edit)
    edits.append(edit)
  }

  private mutating func change(by edit: RecordingEdit) throws(RecordingTextFault) {
    switch edit {
    case .off(let number):
      _ = try place(of: number)
      off.insert(number)
    case .on(let number):
      _ = try place(of: number)
      off.remove(number)
    case .edit(let number, let value):
      let place = try place(of: number)
      causes[place].value = value
      causes[place].isEdited = true
    case .move(let number, let other):
      let (from, to) = (try place(of: number), try place(of: other))
      guard from != to else { throw RecordingTextFault("an event can't be moved before itself") }
      let moved = causes.remove(at: from)
      causes.insert(moved, at: from < to ? to - 1 : to)
    case .insert(let number, let time, let lens, let value):
      try insert(after: number, at: time, of: lens, value)
    case .frame(let number, let path, let value):
      _ = try place(of: number)
      frameEdits[number, default: []].append(FrameEdit(path: path, value: value))
    case .note(let number, let text):
      _ = try place(of: number)
      notes[number, default: []].append(text)
    case .approve(let number, let isRight):
      _ = try place(of: number)
      if isRight { approvals.insert(number) } else { approvals.remove(number) }
    }
  }

  private mutating func insert(
    after number: Int, at moment: Duration, of lens: String, _ value: String
  ) throws(RecordingTextFault) {
    let place = try place(of: number)
    guard header.lenses.contains(where: { $0.name == lens }) else {
      let names = header.lenses.prefix(20).map(\.name).joined(separator: ", ")
      throw RecordingTextFault("there is no lens \"\(lens)\"; lenses: \(names)")
    }
    let time = moment.wholeNanoseconds
    let next = place + 1 < times.count ? times[place + 1] : end
    guard (times[place]...max(times[place], next)).contains(time) else {
      throw RecordingTextFault(
        "\(Self.seconds(time)) is not between \(Self.seconds(times[place])) and \(Self.seconds(next))")
    }
    causes.insert(Cause(number: nil, kind: .injection, lens: lens, value: value, isEdited: true), at: place + 1)
    times.insert(time, at: place + 1)
  }

  private func place(of number: Int) throws(RecordingTextFault) -> Int {
    guard let place = causes.firstIndex(where: { $0.number == number }) else {
      let count = causes.count { $0.number != nil }
      throw RecordingTextFault(
        earlierCauses == 0
          ? "there is no event \(number); the recording has \(count)"
          : "there is no event \(number); the recording has events \(earlierCauses + 1)...\(earlierCauses + count)")
    }
    return place
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    guard milliseconds * 1_000_000 == nanoseconds else { return Moment(nanoseconds: nanoseconds).description }
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)s"
  }
}
