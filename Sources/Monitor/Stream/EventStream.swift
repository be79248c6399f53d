import CycleCore

/// The output of one watcher: the recording's lines as server-sent events, no faster than the watcher reads them.
///
/// At most one batch waits here. A watcher that doesn't read it keeps its place in the ring. If the ring drops unread
/// lines, or the watcher is more than ``mostBehind`` bytes behind, it continues at the last whole frame. It then
/// receives the number of missed records.
struct EventStream {
  /// The number of bytes that are sent to one watcher per second, and in one burst.
  static let bytesPerSecond = 256 << 10
  static let mostAtOnce = 64 << 10
  /// The maximum number of bytes of the ring between a watcher and the newest line.
  static let mostBehind = 256 << 10
  /// The number of bytes that are read in one step, which blocks the cycle.
  static let batch = 16 << 10

  private var place: RecordingRing.Position
  /// The number of the last event that was sent or left out.
  private(set) var last: Int
  /// Events up to this one were sent earlier.
  private let given: Int
  private var output: [UInt8] = []
  /// The number of bytes of the output that were read.
  private var taken = 0
  private var budget = EventStream.mostAtOnce
  /// The distance in bytes that is allowed now: the lines kept at the beginning may be sent as a whole.
  private var allowed: Int
  private var refilled: Moment
  /// The moment at which the last bytes were made.
  private(set) var spoken: Moment
  private(set) var isEnded = false

  /// - Parameters:
  ///   - from: the first requested event; nil for all that are kept.
  ///   - run: the number of the application's run.
  init(of ring: RecordingRing, from wanted: Int?, run: String, at now: Moment) {
    (refilled, spoken) = (now, now)
    allowed = ring.bytesKept + Self.mostBehind
    let beginning = ring.beginning
    let newest = ring.newestCause
    let known = (wanted ?? 0) - 1
    if known >= beginning.cause, known <= newest {
      given = known
      last = known
      place = known == beginning.cause ? beginning.place : ring.place(ofCause: known)
    } else {
      given = 0
      last = beginning.cause
      place = beginning.place
    }
    let first = last + 1
    add("run") { writer in
      writer.key(plain: "run")
      writer.write(run)
      writer.key(plain: "from")
      writer.write(first)
      writer.key(plain: "newest")
      writer.write(newest)
    }
    if known >= 0, known < beginning.cause, known <= newest {
      addSkipped(from: known + 1, count: beginning.cause - known)
    }
  }

  /// Whether the ring has lines that are not in the output yet.
  func isBehind(_ ring: RecordingRing) -> Bool { place != ring.end }

  /// Whether there is output that was not read yet.
  var hasOutput: Bool { taken < output.count }

  // MARK: - Output

  /// Makes output from the next lines of the ring, unless there is output already.
  mutating func gather(from ring: RecordingRing, at now: Moment) {
    guard !hasOutput, !isEnded else { return }
    refill(at: now)
    guard budget > 0, isBehind(ring) else { return }
    output.removeAll(keepingCapacity: true)
    taken = 0
    var lines: [UInt8] = []
    let passed = ring.catchUp(&place, within: allowed)
    let reading = ring.read(from: &place, to: &lines, atMost: min(Self.batch, budget))
    if !isBehind(ring) { allowed = Self.mostBehind }
    let lost = passed + reading.lost
    if lost > 0 { addSkipped(from: last + 1, count: lost) }
    lines.withUnsafeBytes { lines in
      var start = 0
      while let end = lines[start...].firstIndex(of: UInt8(ascii: "\n")) {
        add(line: UnsafeRawBufferPointer(rebasing: lines[start..<end]))
        start = end + 1
      }
    }
    budget -= output.count
    spoken = now
  }

  private mutating func refill(at now: Moment) {
    let span = max(0, now.nanoseconds - refilled.nanoseconds)
    // In steps of 1 ms. The fraction is kept for the next step.
    let milliseconds = min(span / 1_000_000, 1_000)
    guard milliseconds > 0 else { return }
    budget = min(Self.mostAtOnce, budget + Int(milliseconds) * Self.bytesPerSecond / 1_000)
    refilled = span > 1_000_000_000 ? now : refilled + .milliseconds(milliseconds)
  }

  /// Copies the next bytes. Returns their number.
  mutating func read(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let count = min(bytes.count, output.count - taken)
    guard count > 0 else { return 0 }
    _ = bytes.update(fromContentsOf: output[taken..<taken + count])
    taken += count
    return count
  }

  private mutating func add(line: UnsafeRawBufferPointer) {
    if let number = ParsedRecordingLine.causeNumber(of: line) {
      guard number > given else { return }
      last = max(last, number)
      // The number's digits follow `["e",`.
      append("id: ")
      output.append(contentsOf: line[5...].prefix { $0 != UInt8(ascii: ",") })
      append("\n")
    }
    append("data: ")
    output.append(contentsOf: line)
    append("\n\n")
  }

  private mutating func addSkipped(from: Int, count: Int) {
    last = max(last, from + count - 1)
    add("skipped") { writer in
      writer.key(plain: "from")
      writer.write(from)
      writer.key(plain: "count")
      writer.write(count)
    }
  }

  /// Adds an event with an object.
  mutating func add(_ event: StaticString, _ fields: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginObject()
    fields(&writer)
    writer.endObject()
    add(event, json: writer.written)
  }

  mutating func add(_ event: StaticString, json: UnsafeRawBufferPointer) {
    add("event: \(event)\ndata: ")
    output.append(contentsOf: json)
    add("\n\n")
  }

  /// Adds a comment. Writing it detects whether the client is still connected.
  mutating func addComment(at now: Moment) {
    spoken = now
    add(": still here\n\n")
  }

  /// Adds the last message.
  mutating func end() {
    guard !isEnded else { return }
    add("event: end\ndata: {}\n\n")
    isEnded = true
  }

  private mutating func append(_ text: StaticString) {
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func add(_ text: String) {
    if taken == output.count, taken > 0 {
      output.removeAll(keepingCapacity: true)
      taken = 0
    }
    output.append(contentsOf: text.utf8)
  }
}
