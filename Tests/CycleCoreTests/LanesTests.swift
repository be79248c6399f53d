import CycleCore
import Glibc
import TestSupport
import Testing

/// Law 9: threads post through bounded lanes, and every event is accounted for.
@Suite("Lanes and threads")
struct LanesTests {
  /// A driver with a thread of its own that posts as fast as it can.
  final class Flooder: Driver, @unchecked Sendable {
    enum Event: Equatable, Sendable {
      case value(Int)
    }

    let count: Int
    var postbox: Postbox<Int>!
    var context: DriverContext<Event>!
    var thread: pthread_t?
    var safeModel: NoModel { NoModel() }

    init(count: Int) { self.count = count }

    func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
      self.context = context
      postbox = context.makePostbox(of: Int.self, capacity: 64)
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { argument in
          let flooder = Unmanaged<Flooder>.fromOpaque(argument!).takeUnretainedValue()
          for number in 1...flooder.count { flooder.postbox.post(number) }
          return nil
        }, Unmanaged.passUnretained(self).toOpaque())
      self.thread = thread
    }

    func wake(_ wake: Wake) throws(DriverError) {
      while context.room > 0, let number = postbox.receive() { context.emit(.value(number)) }
    }

    func join() {
      if let thread { pthread_join(thread, nil) }
      thread = nil
    }

    func stop() { join() }
  }

  struct Tally: Equatable {
    var delivered = [0, 0]
    var told = [0, 0]
    var newest = [0, 0]
    var isInOrder = true

    mutating func take(_ event: Flooder.Event, from lane: Int) {
      switch event {
      case .value(let number):
        isInOrder = isInOrder && number > newest[lane]
        newest[lane] = number
        delivered[lane] += 1
      }
    }

    mutating func take(_ trouble: Trouble, from lane: Int) {
      if case .eventsLost(let count) = trouble { told[lane] += count }
    }
  }

  @Test("Law 9: two threads saturate two lanes: offered = delivered + lost + pending, and each loss is told")
  func saturation() throws {
    let count = 200_000
    let flooders = [Flooder(count: count), Flooder(count: count)]
    let cycle = Cycle(seed: Tally()) {
      Lens(
        flooders[0], on: { frame, event in frame.take(event, from: 0) },
        trouble: { frame, trouble in frame.take(trouble, from: 0) })
      Lens(
        flooders[1], on: { frame, event in frame.take(event, from: 1) },
        trouble: { frame, trouble in frame.take(trouble, from: 1) })
    }
    try cycle.start(on: VirtualLoop())
    while flooders.contains(where: { $0.postbox.account.offered < count }) {
      try cycle.step(until: .zero)
      for flooder in flooders {
        let account = flooder.postbox.account
        #expect(account.offered == account.delivered + account.lost + account.pending)
      }
    }
    for flooder in flooders { flooder.join() }
    while flooders.contains(where: { $0.postbox.account.pending > 0 }) { try cycle.step(until: .zero) }
    try cycle.step(until: .zero)
    for lane in 0..<2 {
      let account = flooders[lane].postbox.account
      #expect(
        account == LaneEventCounts(offered: count, delivered: count - account.lost, lost: account.lost, pending: 0))
      #expect(cycle.frame.delivered[lane] == account.delivered)
      #expect(cycle.frame.told[lane] == account.lost)
    }
    #expect(cycle.frame.isInOrder)
  }

  @Test("Law 9: a lane that is full counts what it loses and tells it as soon as there is room")
  func fullLane() throws {
    let probe = Probe("a")
    var events: [String] = []
    let cycle = Cycle(seed: 0) {
      Lens(
        probe, show: { "\($0)" }, on: { frame, event in events.append("\(event)") },
        trouble: { _, trouble in events.append("\(trouble)") }, laneCapacity: 4)
    }
    probe.onStart = { context in for number in 1...7 { context.emit(.value("\(number)")) } }
    try cycle.start(on: VirtualLoop())
    #expect(events == ["value(\"1\")", "value(\"2\")", "value(\"3\")", "value(\"4\")", "eventsLost(3)"])
    #expect(cycle.accounts == [LaneEventCounts(offered: 7, delivered: 4, lost: 3, pending: 0)])
  }

  @Test("a ring gives back what was pushed, in order, and refuses what doesn't fit")
  func ring() {
    let ring = SPSCQueue<Int>(minimumCapacity: 3)
    #expect(ring.capacity == 4)
    #expect((1...5).map { ring.push($0) } == [true, true, true, true, false])
    #expect(ring.account == LaneEventCounts(offered: 5, delivered: 0, lost: 1, pending: 4))
    #expect([ring.pop(), ring.pop()] == [1, 2])
    #expect(ring.push(6))
    #expect([ring.pop(), ring.pop(), ring.pop(), ring.pop()] == [3, 4, 6, nil])
    #expect(ring.account == LaneEventCounts(offered: 6, delivered: 5, lost: 1, pending: 0))
  }

  @Test("a ring that goes away takes the elements in it along")
  func ringReleasesElements() {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      let ring = SPSCQueue<Token>(minimumCapacity: 2)
      let strong = Token()
      token = strong
      ring.push(strong)
    }
    #expect(token == nil)
  }
}
