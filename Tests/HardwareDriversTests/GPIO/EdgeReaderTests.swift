import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("The reader of one request's edges")
struct EdgeReaderTests {
  /// A request of one line that has so many edges, 1 µs apart.
  private final class Queue: LineRequest {
    let abilities: EdgeCapabilities
    var left: Int
    private var read = 0

    init(_ count: Int, queueDepth: Int, numbersEdges: Bool) {
      left = count
      abilities = EdgeCapabilities(debounces: false, numbersEdges: numbersEdges, queueDepth: queueDepth)
    }

    func watch(_ watcher: Watcher) throws(DriverError) {}
    func readValues() throws(DriverError) -> LineValues { read % 2 == 0 ? [] : .first(1) }
    func write(_ values: LineValues, mask: LineValues) throws(DriverError) {}
    func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {}
    func release() {}

    func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
      let count = min(left, edges.count)
      for place in 0..<count {
        read += 1
        edges[place] = LineEdge(
          line: 0, value: LineValue(read % 2 == 1), moment: .zero + .microseconds(read),
          sequence: abilities.numbersEdges ? UInt32(read) : 0)
      }
      left -= count
      return count
    }
  }

  @Test(
    "a line that never rests is read up to twice its queue, and is said to have more; no edge is lost or read twice",
    arguments: [(16, false), (16, true), (1024, true)])
  func restless(queueDepth: Int, numbersEdges: Bool) throws {
    let most = 2 * max(queueDepth, 64)
    let queue = Queue(2 * most + most / 2, queueDepth: queueDepth, numbersEdges: numbersEdges)
    let reader = EdgeReader()
    reader.begin([LineConfiguration("GPIO1", .input(.asIs))], abilities: queue.abilities)
    var counts: [Int] = []
    var ends: [Bool] = []
    for _ in 0..<4 {
      var count = 0
      ends.append(
        try reader.read(from: queue, room: { .max }, edge: { _, _ in count += 1 }, correct: { _, _ in }))
      counts.append(count)
    }
    // Without numbers a full queue may have lost edges: then it reads again after the values, each time as many at
    // most.
    if numbersEdges {
      #expect(counts == [most, most, most / 2, 0])
      #expect(ends == [false, false, true, true])
    } else {
      #expect(counts.reduce(0, +) == 2 * most + most / 2 && counts[0] <= 4 * most)
      #expect(ends.last == true)
    }
    #expect(queue.left == 0)
  }

  @Test("with room for some edges, so many are read; with room for none it says that there may be more")
  func room() throws {
    let queue = Queue(10, queueDepth: 16, numbersEdges: true)
    let reader = EdgeReader()
    reader.begin([LineConfiguration("GPIO1", .input(.asIs))], abilities: queue.abilities)
    var room = 4
    let isAllRead = try reader.read(from: queue, room: { room }, edge: { _, _ in room -= 1 }, correct: { _, _ in })
    #expect(!isAllRead && queue.left == 6)
    room = 100
    #expect(try reader.read(from: queue, room: { room }, edge: { _, _ in room -= 1 }, correct: { _, _ in }))
    #expect(queue.left == 0)
  }

  /// A request whose queues keep 16 edges of each line, with the edges that wait there.
  private class WaitingRequest: LineRequest {
    let abilities: EdgeCapabilities
    var waiting: [LineEdge] = []

    init(numbersEdges: Bool) {
      abilities = EdgeCapabilities(debounces: false, numbersEdges: numbersEdges, queueDepth: 16)
    }

    func watch(_ watcher: Watcher) throws(DriverError) {}
    func readValues() throws(DriverError) -> LineValues { [] }
    func write(_ values: LineValues, mask: LineValues) throws(DriverError) {}
    func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {}
    func release() {}

    func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
      let count = min(waiting.count, edges.count)
      for place in 0..<count { edges[place] = waiting[place] }
      waiting.removeFirst(count)
      return count
    }
  }

  /// A request of a contact and a counter on the first generation, which numbers no edges. While the values are read,
  /// the next edges arrive.
  private final class Pair: WaitingRequest {
    /// The numbers of edges of both lines that arrive together.
    private var arrivals: [[Int]]
    private var microseconds = 0

    init(_ arrivals: [[Int]]) {
      self.arrivals = arrivals
      super.init(numbersEdges: false)
      arrive()
    }

    private func arrive() {
      guard !arrivals.isEmpty else { return }
      for (line, count) in arrivals.removeFirst().enumerated() {
        for place in 0..<count {
          microseconds += 1
          waiting.append(
            LineEdge(
              line: line, value: line == 1 ? .active : LineValue(place.isMultiple(of: 2)),
              moment: .zero + .microseconds(microseconds), sequence: 0))
        }
      }
    }

    override func readValues() throws(DriverError) -> LineValues {
      arrive()
      return []
    }
  }

  @Test(
    "a counter without sequence numbers reports missing edges only if its own queue was full",
    arguments: [
      ([[16, 10], [0, 10]], false), ([[16, 10], [0, 16]], true), ([[0, 16]], true), ([[16, 15]], false),
    ])
  func unnumberedCounter(arrivals: [[Int]], isMissing: Bool) throws {
    let request = Pair(arrivals)
    let reader = EdgeReader()
    reader.begin(
      [LineConfiguration("GPIO1", .input(.asIs)), LineConfiguration("GPIO2", .input(.asIs), edges: .rising)],
      abilities: request.abilities)
    var missed = LineValues()
    _ = try reader.read(
      from: request, room: { 100 }, edge: { _, _ in }, correct: { _, lines in missed.formUnion(lines) })
    #expect(missed[1].isActive == isMissing)
  }

  /// A request of one line, of which an edge goes missing, and which changes again while its value is read.
  private final class Restless: WaitingRequest {
    /// How often it changes between a reading of its value and the reading of edges after it.
    var changes: Int
    private(set) var valueReads = 0
    private var value = LineValue.inactive
    private var sequence: UInt32 = 0

    init(changes: Int) {
      self.changes = changes
      super.init(numbersEdges: true)
      change()
      // An edge is missing here.
      sequence += 1
      change()
    }

    private func change() {
      value = LineValue(!value.isActive)
      sequence += 1
      waiting.append(LineEdge(line: 0, value: value, moment: .zero + .microseconds(Int(sequence)), sequence: sequence))
    }

    override func readValues() throws(DriverError) -> LineValues {
      valueReads += 1
      if changes > 0 {
        changes -= 1
        change()
      }
      return value.isActive ? .first(1) : []
    }
  }

  @Test(
    "after a missing edge values and edges are read until both agree, three times at most",
    arguments: [(0, 1), (1, 2), (2, 3), (3, 4), (50, 4)])
  func agreement(changes: Int, valueReads: Int) throws {
    let request = Restless(changes: changes)
    let reader = EdgeReader()
    reader.begin([LineConfiguration("GPIO1", .input(.asIs))], abilities: request.abilities)
    var (edges, corrected) = (0, LineValues.first(1))
    _ = try reader.read(
      from: request, room: { 100 }, edge: { _, _ in edges += 1 }, correct: { _, changed in corrected = changed })
    #expect(request.valueReads == valueReads && edges == 2 + min(changes, 3))
    // What has changed while the values were read is an edge of its own, not a missing one.
    if changes <= 3 { #expect(corrected == []) }
  }
}
