import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("The reader of one request's edges")
struct EdgeReaderTests {
  /// A request of one line that has so many edges, 1 µs apart.
  private final class Queue: LineRequest {
    let abilities: LineAbilities
    var left: Int
    private var read = 0

    init(_ count: Int, queueDepth: Int, numbersEdges: Bool) {
      left = count
      abilities = LineAbilities(debounces: false, numbersEdges: numbersEdges, queueDepth: queueDepth)
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
    reader.begin(lineCount: 1, abilities: queue.abilities)
    var counts: [Int] = []
    var ends: [Bool] = []
    for _ in 0..<4 {
      var count = 0
      ends.append(
        try reader.read(from: queue, room: { .max }, edge: { _, _ in count += 1 }, correct: { _, _ in }))
      counts.append(count)
    }
    // Without numbers a full queue may have lost edges: then it reads again after the values, each time as many at most.
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
    reader.begin(lineCount: 1, abilities: queue.abilities)
    var room = 4
    let isAllRead = try reader.read(from: queue, room: { room }, edge: { _, _ in room -= 1 }, correct: { _, _ in })
    #expect(!isAllRead && queue.left == 6)
    room = 100
    #expect(try reader.read(from: queue, room: { room }, edge: { _, _ in room -= 1 }, correct: { _, _ in }))
    #expect(queue.left == 0)
  }
}
