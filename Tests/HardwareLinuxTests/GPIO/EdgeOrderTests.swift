import CycleCore
import EdgeQueues
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// Lines of several kernel requests change while these are read in turn.
@Suite("Edge order")
struct EdgeOrderTests {
  /// A request of one line, whose queue gets edges while others are read.
  private final class Queue: LineRequest {
    var edges: [LineEdge] = []
    var afterRead: () -> Void = {}
    let abilities = EdgeCapabilities(debounces: true, numbersEdges: true, queueDepth: 16)

    func watch(_ watcher: Watcher) throws(DriverError) {}
    func readValues() throws(DriverError) -> LineValues { [] }
    func write(_ values: LineValues, mask: LineValues) throws(DriverError) {}
    func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {}
    func release() {}

    func add(_ microseconds: Int) {
      edges.append(LineEdge(line: 0, value: .active, moment: .zero + .microseconds(microseconds), sequence: 1))
    }

    func readEdges(into buffer: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
      let count = min(edges.count, buffer.count)
      for place in 0..<count { buffer.initializeElement(at: place, to: edges[place]) }
      edges.removeFirst(count)
      let act = afterRead
      afterRead = {}
      act()
      return count
    }
  }

  private final class Clock { var now = Moment.zero }

  /// Reads until the queue is said to be empty: `line@microseconds`.
  private func read(_ request: any LineRequest, room: Int = 64) throws -> [String] {
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: room)
    defer { buffer.deallocate() }
    var read: [String] = []
    while true {
      let count = try request.readEdges(into: buffer)
      read += buffer[..<count].map { "\($0.line)@\($0.moment.nanoseconds / 1000)" }
      if count < room { return read }
    }
  }

  @Test(
    "lines that change between the readings of their requests are told in the order of the changes", arguments: 1...3)
  func betweenReadings(room: Int) throws {
    let (a, b, clock) = (Queue(), Queue(), Clock())
    let whole = CompositeRequest([.init(request: a, lines: [0]), .init(request: b, lines: [1])]) { clock.now }
    clock.now = .zero + .microseconds(5)
    a.afterRead = {
      clock.now = .zero + .microseconds(25)
      a.add(10)
      b.add(20)
    }
    #expect(try read(whole, room: room) == ["0@10", "1@20"])
    #expect(a.edges.isEmpty && b.edges.isEmpty)
  }

  @Test("edges that come at each reading are all told, in their order")
  func atEachReading() throws {
    let (a, b, clock) = (Queue(), Queue(), Clock())
    let whole = CompositeRequest([.init(request: a, lines: [0]), .init(request: b, lines: [1])]) { clock.now }
    var next = 0
    func act() {
      guard next < 8 else { return }
      next += 2
      a.add(next)
      b.add(next + 1)
      clock.now = .zero + .microseconds(next + 1)
      (a.afterRead, b.afterRead) = (act, act)
    }
    a.afterRead = act
    var seen: [String] = []
    for _ in 0..<4 { seen += try read(whole) }
    #expect(seen == ["0@2", "1@3", "0@4", "1@5", "0@6", "1@7", "0@8", "1@9"])
  }

  @Test("stamps that are ahead of the clock hold nothing back")
  func aheadOfTheClock() throws {
    let (a, b) = (Queue(), Queue())
    let whole = CompositeRequest([.init(request: a, lines: [0]), .init(request: b, lines: [1])]) { .zero }
    a.add(20)
    b.add(10)
    #expect(try read(whole) == ["1@10", "0@20"])
  }

  // MARK: - libgpiod 1.6

  /// The queues of libgpiod 1.6, of which CGPIO reads one after the other.
  private final class Queues {
    let queues: OpaquePointer
    var afterRead: () -> Void = {}

    init(_ count: Int) throws {
      queues = try #require(edge_queues_new(UInt32(count)))
      edge_queues_on_read(
        queues,
        { owner in
          let owner = Unmanaged<Queues>.fromOpaque(owner!).takeUnretainedValue()
          let act = owner.afterRead
          owner.afterRead = {}
          act()
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { edge_queues_free(queues) }

    func add(_ line: Int, _ nanoseconds: Int) { edge_queues_add(queues, UInt32(line), UInt64(nanoseconds)) }

    /// `line@nanoseconds`.
    func read(room: Int = 64) -> [String] {
      var (lines, stamps) = ([UInt32](repeating: 0, count: 64), [UInt64](repeating: 0, count: 64))
      var read: [String] = []
      while true {
        let count = Int(edge_queues_read(queues, &lines, &stamps, UInt32(room)))
        read += (0..<max(0, count)).map { "\(lines[$0])@\(stamps[$0])" }
        if count < room { return read }
      }
    }
  }

  @Test(
    "libgpiod 1.6: lines that change between the readings of their queues are told in the order of the changes",
    arguments: 1...3)
  func betweenReadingsOfQueues(room: Int) throws {
    let queues = try Queues(3)
    edge_queues_set_clock(5)
    queues.add(2, 4)
    queues.add(1, 3)
    // The queue of line 1 has been read when lines 0 and 2 change, and that of line 2 not yet.
    queues.afterRead = {
      queues.add(0, 10)
      queues.add(2, 20)
      edge_queues_set_clock(25)
    }
    #expect(queues.read(room: room) == ["1@3", "2@4", "0@10", "2@20"])
    #expect(queues.read() == [])
  }

  @Test("libgpiod 1.6: stamps of another clock, as before Linux 5.7, hold nothing back")
  func otherClock() throws {
    let queues = try Queues(2)
    edge_queues_set_clock(5)
    queues.add(1, 1_000_000_001)
    queues.add(0, 1_000_000_002)
    #expect(queues.read() == ["1@1000000001", "0@1000000002"])
  }
}
