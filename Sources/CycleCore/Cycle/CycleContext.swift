/// The state that a cycle and its lenses share: the schedule, the loop, the timing of calls, simulated wakes and
/// postboxes.
///
/// Only the cycle and its lenses use it. Applications and drivers do not.
public final class CycleContext {
  /// The postbox of one lens, without its type.
  private final class Box {
    let lens: Int
    let flag: PostFlag
    let account: () -> LaneEventCounts
    /// The number of lost messages reported to the application so far.
    var told = 0

    init(lens: Int, flag: PostFlag, account: @escaping () -> LaneEventCounts) {
      self.lens = lens
      self.flag = flag
      self.account = account
    }
  }

  @usableFromInline let schedule: UnsafeMutablePointer<EventScheduler>
  /// The loop; nil until the cycle has started.
  @exclusivity(unchecked) private(set) var loop: (any EventLoop)!
  /// The loop if its time is virtual. Its concrete type avoids the dynamic call and the reference count.
  @exclusivity(unchecked) private(set) var virtualLoop: VirtualLoop?
  private let taps = Observers<any EventTap>()
  /// The number of troubles that were not reduced, because the driver's lens has no filter for them.
  var unheard = 0
  var overrunObserver: ((DriverOverrun) -> Void)?
  @exclusivity(unchecked) private(set) var names: [String] = []
  /// The type of each lens's driver.
  private(set) var driverTypes: [String] = []
  /// The lane of each lens.
  var lanes: [any AnyLane] = []
  /// The recorder of the application; nil for none.
  @usableFromInline @exclusivity(unchecked) var recorder: Recorder? {
    didSet { schedule.pointee.setIsRecorded(recorder != nil) }
  }
  /// The lens whose next event was put in from outside; -1 for none.
  @exclusivity(unchecked) var injectedLens = -1
  /// The first lens whose events can't be written into a recording, and their type; nil if there is none.
  private(set) var unrecorded: (lens: String, type: String)?
  /// The start of the time that the next ``endCall(_:of:)`` measures: the end of the previous call, or the last
  /// ``beginCall()``.
  @exclusivity(unchecked) private var callBegan = Moment.zero
  @exclusivity(unchecked) var simulatedWakes: SimulatedWakeQueue
  @exclusivity(unchecked) private var boxes: [Box] = []
  private var drivers: [ObjectIdentifier] = []
  /// The name of the first lens whose driver an earlier lens already has; nil if there is none.
  private(set) var lensWithUsedDriver: String?
  private lazy var doorbell = loop.makeDoorbell()

  /// Whether the first frame is not made yet.
  @exclusivity(unchecked) var isStarting = false
  /// Whether the first frame still waits for a reading of a driver.
  var awaitsReadings: Bool { lanes.contains { $0.awaitedReadings > 0 } }
  /// Whether the lane of a driver is full.
  var hasFullLane: Bool { lanes.contains { $0.room == 0 } }

  /// The number of frames that an event filter can read, the current one included.
  let depth: Int

  init(lensCount: Int, depth: Int = 1, selfEmissionLimit: Int = 10_000) {
    self.depth = depth
    simulatedWakes = SimulatedWakeQueue(lensCount: lensCount)
    schedule = .allocate(capacity: 1)
    schedule.initialize(to: EventScheduler(lensCount: lensCount, selfEmissionLimit: selfEmissionLimit))
  }

  /// Sets the loop at the start of the cycle, and the first moment to its clock.
  func begin(on loop: any EventLoop) {
    self.loop = loop
    virtualLoop = loop as? VirtualLoop
    schedule.pointee.begin(at: loop.now)
  }

  deinit {
    schedule.pointee.deallocate()
    schedule.deallocate()
    simulatedWakes.deallocate()
  }

  func noteUnrecorded(_ lens: String, _ type: String) {
    if unrecorded == nil { unrecorded = (lens, type) }
  }

  /// Adds the next lens: its name, and its driver's identity and type.
  func add(_ name: String, _ driver: ObjectIdentifier?, type: String) {
    names.append(name)
    driverTypes.append(type)
    guard let driver else { return }
    if drivers.contains(driver), lensWithUsedDriver == nil { lensWithUsedDriver = name }
    drivers.append(driver)
  }

  func add(_ tap: any EventTap) -> Observation {
    schedule.pointee.setIsTapped(true)
    return taps.add(tap)
  }

  /// Calls `body` with each tap, in the order of adding.
  func forEachTap(_ body: (any EventTap) -> Void) {
    var number = 0
    while let next = taps.next(after: number) {
      body(next.observer)
      number = next.number
    }
    if number == 0 { schedule.pointee.setIsTapped(false) }
  }

  func name(of lens: Int) -> String { names.indices.contains(lens) ? names[lens] : "lens \(lens)" }

  /// Returns the time on the loop's clock.
  func readClock() -> Moment { readClock(of: loop) }

  /// Returns the time on the loop's clock. `realLoop` is nil in virtual time. It is a parameter because reading the
  /// property would count a reference.
  @inline(__always)
  func readClock(of realLoop: (any EventLoop)?) -> Moment {
    if let virtualLoop { return virtualLoop.now }
    return realLoop.unsafelyUnwrapped.now
  }

  /// Called at the start of a turn, before drivers are woken. Returns the current time.
  @inline(__always)
  func beginTurn(on realLoop: (any EventLoop)?) -> Moment {
    let now = readClock(of: realLoop)
    schedule.pointee.beginGathering(at: now)
    callBegan = now
    return now
  }

  func pause(for span: Duration) {
    loop.pause(for: span)
    schedule.pointee.clock = loop.now
  }

  // MARK: - Durations of calls

  /// Starts timing a driver's call.
  @usableFromInline
  func beginCall() { callBegan = readClock() }

  /// Called when a call of the lens's driver has ended: reports an overrun if it took longer than allowed.
  func endCall(_ call: DriverOverrun.Call, of lens: Int) { endCall(call, of: lens, on: loop) }

  @inline(__always)
  func endCall(_ call: DriverOverrun.Call, of lens: Int, on realLoop: (any EventLoop)?) {
    let now = readClock(of: realLoop)
    // In virtual time a call takes no time unless it pauses.
    if now != callBegan { endCall(call, of: lens, at: now) }
  }

  private func endCall(_ call: DriverOverrun.Call, of lens: Int, at now: Moment) {
    let took = now.nanoseconds &- callBegan.nanoseconds
    callBegan = now
    if took > call.allowedNanoseconds { tellOverrun(call, of: lens, .nanoseconds(took)) }
  }

  // Not inlined: it keeps the rare path out of `endCall`.
  @inline(never)
  private func tellOverrun(_ call: DriverOverrun.Call, of lens: Int, _ took: Duration) {
    overrunObserver?(DriverOverrun(lens: lens, name: name(of: lens), call: call, took: took))
  }

  /// Restarts the timing: renders up to now are not checked for an overrun.
  func forgetRendering() {
    schedule.pointee.forgetRendering()
    beginCall()
  }

  /// Called after rendering. Returns true if it took too long and more than one lens has rendered: the caller then
  /// times each of them separately.
  @inline(__always)
  func endRendering(on realLoop: (any EventLoop)?) -> Bool {
    guard schedule.pointee.renderedLenses != 0 else { return false }
    let now = readClock(of: realLoop)
    return now != callBegan && endRendering(at: now)
  }

  private func endRendering(at now: Moment) -> Bool {
    if let lens = schedule.pointee.onlyRenderedLens {
      endCall(.render, of: lens, at: now)
      return false
    }
    defer { callBegan = now }
    return now.nanoseconds - callBegan.nanoseconds > DriverOverrun.Call.render.allowedNanoseconds
  }

  func makePostbox<Message: Sendable>(for lens: Int, capacity: Int) -> Postbox<Message> {
    let flag = PostFlag(doorbell: doorbell)
    let box = Postbox<Message>(capacity: capacity, flag: flag)
    boxes.append(Box(lens: lens, flag: flag, account: { box.account }))
    return box
  }

  /// Adds a postbox that another cycle on the same loop had.
  func add<Message: Sendable>(_ postbox: Postbox<Message>, for lens: Int) {
    let box = Box(lens: lens, flag: postbox.flag, account: { postbox.account })
    box.told = postbox.account.lost
    boxes.append(box)
    // The other cycle can no longer report the messages that it has left.
    postbox.flag.raise()
  }

  /// Removes the postboxes of a lens whose driver is stopped: later posts of its thread are not received.
  func removePostboxes(of lens: Int) {
    boxes.removeAll { $0.lens == lens }
  }

  /// Whether a postbox has been posted to since the last delivery.
  var hasPosts: Bool { !boxes.isEmpty && boxes.contains { $0.flag.isRaised } }

  /// Whether a postbox needs delivery, in virtual time only: a real loop is woken by its doorbell.
  var hasVirtualPosts: Bool { virtualLoop != nil && hasPosts }

  /// Wakes every lens with posts since the last call, and passes the number of its messages lost since then. A lens
  /// that leaves messages in its postbox, because its lane is full, is woken again in the next turn.
  func deliverPosts(_ wake: (_ lens: Int, _ lost: Int) -> Void) {
    // The wake may stop the driver, which removes its postboxes.
    for box in boxes where box.flag.lower() {
      let lost = box.account().lost
      wake(box.lens, lost - box.told)
      box.told = lost
      if box.account().pending > 0 { box.flag.raise() }
    }
  }
}

/// The lenses for which simulated devices have requested a wake, each once, in the order of the requests. It never
/// allocates memory after its creation.
struct SimulatedWakeQueue {
  private let lensCount: Int
  /// A ring buffer with the indices of the waiting lenses.
  private let waiting: UnsafeMutablePointer<Int>
  private let isWaiting: UnsafeMutablePointer<Bool>
  private var head = 0
  private(set) var count = 0

  init(lensCount: Int) {
    self.lensCount = max(1, lensCount)
    waiting = .allocate(capacity: self.lensCount)
    waiting.initialize(repeating: 0, count: self.lensCount)
    isWaiting = .allocate(capacity: self.lensCount)
    isWaiting.initialize(repeating: false, count: self.lensCount)
  }

  func deallocate() {
    waiting.deallocate()
    isWaiting.deallocate()
  }

  mutating func add(_ lens: Int) {
    guard !isWaiting[lens] else { return }
    isWaiting[lens] = true
    var end = head + count
    if end >= lensCount { end -= lensCount }
    waiting[end] = lens
    count += 1
  }

  /// Removes the lens that has waited longest and returns its index. The queue must not be empty.
  mutating func removeFirst() -> Int {
    let lens = waiting[head]
    head = head + 1 == lensCount ? 0 : head + 1
    count -= 1
    isWaiting[lens] = false
    return lens
  }
}
