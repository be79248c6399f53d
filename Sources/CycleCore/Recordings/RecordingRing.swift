import CycleBase

/// Keeps the end of a recording in memory: whole segments, each of which begins with a whole frame. If a new line needs
/// room, the oldest segment is dropped.
///
///     let ring = RecordingRing()
///     try cycle.record(with: Recorder(app: "counter", to: ring))
///     ...
///     let recording = ring.recording(last: 100)
///
/// The recorder writes on the cycle's thread. Any thread may read. A reader blocks the writer only while it copies up
/// to 16 KiB.
public final class RecordingRing: RecordingSink, @unchecked Sendable {
  /// A place between two lines, after all lines that a reader has read. It stays valid when its lines are dropped:
  /// reading then continues with the oldest segment.
  public struct Position: Equatable, Sendable {
    /// The number of bytes taken before it.
    fileprivate var offset: Int
    /// The number of records taken before it.
    fileprivate var records: Int
  }

  /// The result of one read.
  public struct Reading: Equatable, Sendable {
    /// The number of records in the lines.
    public var records = 0
    /// The number of earlier records that were dropped before they were read.
    public var lost = 0
  }

  /// Lines from a whole frame on.
  private struct Segment {
    var place: Position
    /// The number of the last cause before it.
    var cause: Int
  }

  private struct State {
    var header: [UInt8] = []
    /// The segments, oldest first. Its reserved storage is never exceeded.
    var segments: [Segment] = []
    var end = Position(offset: 0, records: 0)
    /// The number of the last cause.
    var cause = 0
    var account = RecordingAccount()
    /// The number of records before the first unread one.
    var firstUnread = 0

    /// A segment that would begin after the last line.
    var newSegment: Segment { Segment(place: end, cause: cause) }

    mutating func dropSegment() {
      segments.removeFirst()
      let first = segments[0].place.records
      account.lost += max(0, first - firstUnread)
      firstUnread = max(firstUnread, first)
    }

    /// Notes that these records, counted from 0, were read.
    mutating func noteRead(_ read: Range<Int>) {
      guard read.upperBound > firstUnread else { return }
      let passedOver = max(0, read.lowerBound - firstUnread)
      account.lost += passedOver
      account.written += read.upperBound - firstUnread - passedOver
      firstUnread = read.upperBound
    }
  }

  /// The number of bytes that a reader copies while the writer waits.
  private static let portion = 16 << 10
  /// The maximum number of segments. If there are more whole frames, the last segment contains several.
  private static let mostSegments = 256

  /// The number of bytes of lines that it keeps, without the header.
  public let capacity: Int
  public let form: RecordingForm
  private let bytes: UnsafeMutableRawBufferPointer
  private let state = Locked(State())

  /// - Parameters:
  ///   - capacity: the number of bytes of lines that it keeps.
  ///   - causes: the maximum number of causes between two whole frames; a recording can begin at each whole frame.
  public init(capacity: Int = 1 << 20, causesOfKeyframe causes: Int = 4_096) {
    precondition(capacity > 0, "a ring keeps at least one byte")
    self.capacity = capacity
    // An eighth of the ring is dropped at a time.
    form = RecordingForm(bytesOfKeyframe: min(65_536, capacity / 8), causesOfKeyframe: causes, isChecked: false)
    bytes = .allocate(byteCount: capacity, alignment: 1)
    state.withLock { $0.segments.reserveCapacity(Self.mostSegments) }
  }

  deinit { bytes.deallocate() }

  // MARK: - Writing

  public func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    state.withLock { state in
      var lines = lines
      var begins = part == .keyframe
      if case .beginning(let headerBytes) = part {
        state.header = Array(lines[..<headerBytes])
        lines = UnsafeRawBufferPointer(rebasing: lines[headerBytes...])
        begins = true
      }
      guard lines.count <= capacity else { return false }
      if begins, state.segments.count < Self.mostSegments {
        state.segments.append(state.newSegment)
      }
      // Lines before a whole frame belong to no segment.
      while true {
        guard let oldest = state.segments.first else { return false }
        if state.end.offset + lines.count - oldest.place.offset <= capacity { break }
        // One segment fills the ring. The next whole frame makes room.
        guard state.segments.count > 1 else { return false }
        state.dropSegment()
      }
      put(lines, at: state.end.offset)
      state.end.offset += lines.count
      if case .cause(let number) = part {
        state.cause = number
        state.end.records += 1
        state.account.offered += 1
      }
      return true
    }
  }

  public func flush(_ occasion: RecordingFlush) {}

  /// The counts of the records. Written records were read by a reader; lost records were dropped or skipped before
  /// that.
  public var account: RecordingAccount {
    state.withLock { state in
      var account = state.account
      account.pending = state.end.records - state.firstUnread
      return account
    }
  }

  private func put(_ lines: UnsafeRawBufferPointer, at offset: Int) {
    let place = offset % capacity
    let first = min(lines.count, capacity - place)
    let target = bytes.baseAddress! + place
    if let source = lines.baseAddress {
      target.copyMemory(from: source, byteCount: first)
      bytes.baseAddress!.copyMemory(from: source + first, byteCount: lines.count - first)
    }
  }

  // MARK: - Reading

  /// The number of the last cause; 0 before the first.
  public var newestCause: Int { state.withLock { $0.cause } }

  /// The recording's first line, without its end; nil before the recording has begun.
  public var header: [UInt8]? {
    let header = state.withLock { $0.header }
    return header.isEmpty ? nil : Array(header.dropLast())
  }

  /// The number of bytes of lines that it holds.
  public var bytesKept: Int { state.withLock { $0.end.offset - ($0.segments.first ?? $0.newSegment).place.offset } }

  /// The place before the oldest line, which is a whole frame, and the number of the last cause before that.
  public var beginning: (place: Position, cause: Int) {
    state.withLock { state in
      let oldest = state.segments.first ?? state.newSegment
      return (oldest.place, oldest.cause)
    }
  }

  /// Moves a place with more than `limit` bytes after it to the newest whole frame, if that is later.
  ///
  /// - Returns: the number of records skipped.
  public func catchUp(_ place: inout Position, within limit: Int) -> Int {
    state.withLock { state in
      guard state.end.offset - place.offset > limit, let newest = state.segments.last?.place,
        newest.offset > place.offset
      else { return 0 }
      defer { place = newest }
      return newest.records - place.records
    }
  }

  /// The place after the last line.
  public var end: Position { state.withLock { $0.end } }

  /// Returns the place before the record of a cause, or of the next cause that is kept; the place after the last line
  /// if it is not recorded yet.
  ///
  /// - Parameter number: the cause's number, from 1.
  public func place(ofCause number: Int) -> Position {
    guard var place = segment(where: { $0.cause < number })?.place else { return end }
    var lines: [UInt8] = []
    while true {
      lines.removeAll(keepingCapacity: true)
      _ = copy(from: &place, to: &lines, atMost: Self.portion)
      if lines.isEmpty || Self.move(&place, behind: lines[...], upToCause: number) { return place }
    }
  }

  /// Appends the lines after a place to `lines`, and moves the place after them.
  ///
  /// - Parameters:
  ///   - place: the place at which reading begins.
  ///   - lines: gets whole lines, at least one if there is one.
  ///   - limit: the maximum number of bytes; a first line is read even if it is longer.
  public func read(from place: inout Position, to lines: inout [UInt8], atMost limit: Int = 65_536) -> Reading {
    let start = lines.count
    let lost = copy(from: &place, to: &lines, atMost: limit)
    let before = place.records
    _ = Self.move(&place, behind: lines[start...], upToCause: .max)
    let read = before..<place.records
    state.withLock { $0.noteRead(read) }
    return Reading(records: read.count, lost: lost)
  }

  /// Returns the header and the newest segments as a recording, without an end; nil before the recording has begun.
  ///
  /// - Parameter records: the minimum number of records, if that many are kept; nil for all.
  public func recording(last records: Int? = nil) -> [UInt8]? {
    let first = end.records - (records ?? end.records)
    return recording { $0.place.records <= first }
  }

  /// Returns such a recording with the record of a cause and the records after it, if they are kept.
  ///
  /// - Parameter cause: the cause's number.
  public func recording(since cause: Int) -> [UInt8]? { recording { $0.cause < cause } }

  private func recording(fromSegment isBefore: (Segment) -> Bool) -> [UInt8]? {
    let (header, end) = state.withLock { ($0.header, $0.end) }
    guard var place = segment(where: isBefore)?.place else { return nil }
    var recording = header
    // The end is read once: a reader that is slower than the writer would never reach a later one.
    while place.offset < end.offset {
      let start = recording.count
      let reading = read(from: &place, to: &recording, atMost: end.offset - place.offset)
      if recording.count == start { break }
      // Lines before a loss don't connect to the lines after it.
      if reading.lost > 0 { recording.replaceSubrange(header.count..<start, with: []) }
    }
    return recording
  }

  /// Returns the last segment that meets a condition that all segments before it meet; else the oldest one; nil before
  /// the recording has begun.
  private func segment(where isBefore: (Segment) -> Bool) -> Segment? {
    state.withLock { $0.segments.last(where: isBefore) ?? $0.segments.first }
  }

  /// Appends the lines after a place to `lines`: whole ones, at least one if there is one. The place moves only if its
  /// lines have been dropped.
  ///
  /// - Returns: the number of records dropped.
  private func copy(from place: inout Position, to lines: inout [UInt8], atMost limit: Int) -> Int {
    let start = lines.count
    var lost = 0
    var lineEnd = start
    while lines.count - start < limit || lineEnd == start {
      let before = lines.count
      let oldest = state.withLock { state -> Position? in
        guard let oldest = state.segments.first?.place else { return nil }
        let from = place.offset + before - start
        guard from >= oldest.offset else { return oldest }
        append(from..<min(state.end.offset, from + Self.portion), to: &lines)
        return nil
      }
      if let oldest {
        // Lines were dropped during the reading: what was read so far is valid.
        guard lineEnd == start else { break }
        lines.removeSubrange(start...)
        lost += oldest.records - place.records
        place = oldest
        continue
      }
      guard lines.count > before else { break }
      lineEnd = lines[before...].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? lineEnd
    }
    let isLong = lineEnd - start > limit
    if isLong, let end = lines[start..<start + limit].lastIndex(of: UInt8(ascii: "\n")) { lineEnd = end + 1 }
    if isLong, lineEnd - start > limit, let end = lines[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lineEnd = end + 1
    }
    lines.removeSubrange(lineEnd...)
    return lost
  }

  private func append(_ range: Range<Int>, to lines: inout [UInt8]) {
    let place = range.lowerBound % capacity
    let first = min(range.count, capacity - place)
    lines.append(contentsOf: bytes[place..<place + first])
    lines.append(contentsOf: bytes[..<(range.count - first)])
  }

  /// Moves a place after lines, or to the record of a cause among them. Returns whether that record was found.
  private static func move(_ place: inout Position, behind lines: ArraySlice<UInt8>, upToCause number: Int) -> Bool {
    lines.withUnsafeBytes { lines in
      var rest = lines[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = UnsafeRawBufferPointer(rebasing: rest[rest.startIndex..<end])
        let cause = ParsedRecordingLine.causeNumber(of: line)
        if let cause, cause >= number { return true }
        place.offset += line.count + 1
        place.records += cause == nil ? 0 : 1
        rest = rest[(end + 1)...]
      }
      return false
    }
  }
}
