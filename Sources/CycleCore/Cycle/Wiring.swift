/// What the lenses of a cycle share: the mailbox, the loop, simulated wakes and posts from other threads.
///
/// Only the cycle and its lenses use it.
public final class Wiring {
  /// A postbox without its type.
  private final class Box {
    let lens: Int
    let flag: PostFlag
    let account: () -> LaneAccount
    /// How many lost messages the application has been told of.
    var told = 0

    init(lens: Int, flag: PostFlag, account: @escaping () -> LaneAccount) {
      self.lens = lens
      self.flag = flag
      self.account = account
    }
  }

  @usableFromInline let mailbox: UnsafeMutablePointer<Mailbox>
  /// Nil until the cycle has started.
  @exclusivity(unchecked) private(set) var loop: (any EventLoop)!
  var taps = Observers<any EventTap>()
  private var lanes: [any TappedLane] = []
  /// Troubles of drivers whose lenses have no filter for them.
  var unheard = 0
  var overrunObserver: ((Overrun) -> Void)?
  @exclusivity(unchecked) private var names: [String] = []
  /// When the last call of a driver ended: the next one begins then.
  @exclusivity(unchecked) private var callBegan = Moment.zero
  /// Lenses whose simulated device has something for them, in the order of the wakes, each once.
  @exclusivity(unchecked) private var simulatedWakes: [Int] = []
  /// The wakes that are being delivered. Two arrays that are swapped keep their memory, so that a turn allocates nothing.
  @exclusivity(unchecked) private var wakesInDelivery: [Int] = []
  @exclusivity(unchecked) private var boxes: [Box] = []
  private var drivers: [ObjectIdentifier] = []
  /// The driver that more than one lens has.
  private(set) var wiredTwice: String?
  private lazy var doorbell = loop.makeDoorbell()

  /// How many frames an event filter can look back on.
  let depth: Int

  init(lensCount: Int, depth: Int = 1, selfEmissionLimit: Int = 10_000) {
    self.depth = depth
    mailbox = .allocate(capacity: 1)
    mailbox.initialize(to: Mailbox(lensCount: lensCount, selfEmissionLimit: selfEmissionLimit))
  }

  /// The cycle starts on this loop.
  func begin(on loop: any EventLoop) {
    self.loop = loop
    mailbox.pointee.begin(at: loop.now)
  }

  deinit {
    mailbox.pointee.deallocate()
    mailbox.deallocate()
  }

  /// The next lens has this name, this lane and this driver.
  func add(_ name: String, _ lane: any TappedLane, _ driver: ObjectIdentifier?) {
    names.append(name)
    lanes.append(lane)
    lane.isTapped = !taps.isEmpty
    guard let driver else { return }
    if drivers.contains(driver), wiredTwice == nil { wiredTwice = name }
    drivers.append(driver)
  }

  /// Taps have come or gone.
  func updateLanes() {
    for lane in lanes { lane.isTapped = !taps.isEmpty }
  }

  /// Hands something to each tap, in the order of adding.
  func forEachTap(_ body: (any EventTap) -> Void) {
    var number = 0
    while let next = taps.next(after: number) {
      body(next.observer)
      number = next.number
    }
  }

  func name(of lens: Int) -> String { names.indices.contains(lens) ? names[lens] : "lens \(lens)" }

  /// What time it is on the loop's clock.
  func readClock() -> Moment { loop.now }

  func pause(for span: Duration) {
    loop.pause(for: span)
    mailbox.pointee.clock = loop.now
  }

  // MARK: - How long calls take

  /// What drivers do from here on is timed.
  @usableFromInline
  func beginCall() { callBegan = loop.now }

  /// As ``beginCall()``, where the clock has been read already.
  func beginCall(at moment: Moment) { callBegan = moment }

  /// A call of the lens's driver has ended. Tells of it if it took longer than it may.
  func endCall(_ call: Overrun.Call, of lens: Int) { endCall(call, of: lens, at: loop.now) }

  /// As the other, where the clock has been read already.
  func endCall(_ call: Overrun.Call, of lens: Int, at now: Moment) {
    let took = now.nanoseconds &- callBegan.nanoseconds
    callBegan = now
    if took > call.allowedNanoseconds { tellOverrun(call, of: lens, .nanoseconds(took)) }
  }

  // Not inlined: it keeps the rare path out of `endCall`.
  @inline(never)
  private func tellOverrun(_ call: Overrun.Call, of lens: Int, _ took: Duration) {
    overrunObserver?(Overrun(lens: lens, name: name(of: lens), call: call, took: took))
  }

  /// What was rendered up to here is not timed.
  func forgetRendering() {
    mailbox.pointee.forgetRendering()
    beginCall()
  }

  /// Frames have gone round. True if that took too long and several drivers may be the reason: then each one has to be timed.
  func endRendering(on loop: any EventLoop) -> Bool {
    guard mailbox.pointee.renderedLenses != 0 else { return false }
    let now = loop.now
    if let lens = mailbox.pointee.onlyRenderedLens {
      endCall(.render, of: lens, at: now)
      return false
    }
    defer { callBegan = now }
    return now.nanoseconds - callBegan.nanoseconds > Overrun.Call.render.allowedNanoseconds
  }

  func wakeSimulated(_ lens: Int) {
    if !simulatedWakes.contains(lens) { simulatedWakes.append(lens) }
  }

  var hasSimulatedWakes: Bool { !simulatedWakes.isEmpty }

  /// Wakes every lens whose simulated device has something for it. A device that asks for a wake meanwhile gets it the next time.
  func deliverSimulatedWakes(_ wake: (_ lens: Int) -> Void) {
    swap(&simulatedWakes, &wakesInDelivery)
    for lens in wakesInDelivery { wake(lens) }
    wakesInDelivery.removeAll(keepingCapacity: true)
  }

  func makePostbox<Message: Sendable>(for lens: Int, capacity: Int) -> Postbox<Message> {
    let flag = PostFlag(doorbell: doorbell)
    let box = Postbox<Message>(capacity: capacity, flag: flag)
    boxes.append(Box(lens: lens, flag: flag, account: { box.account }))
    return box
  }

  /// The lens's driver is stopped: its thread posts to nobody.
  func removePostboxes(of lens: Int) {
    boxes.removeAll { $0.lens == lens }
  }

  /// Whether a driver has post. Asked for in virtual time only: a real loop is woken by its doorbell.
  var hasPosts: Bool { boxes.contains { $0.flag.isRaised } }

  /// Wakes every lens that has got post since the last call, with the number of messages that were lost on the way. A lens
  /// that leaves some in its box, because its lane is full, is woken again.
  func deliverPosts(_ wake: (_ lens: Int, _ lost: Int) -> Void) {
    // A driver that is woken may be stopped by that, and takes its boxes with it.
    for box in boxes where box.flag.lower() {
      let lost = box.account().lost
      wake(box.lens, lost - box.told)
      box.told = lost
      if box.account().pending > 0 { box.flag.raise() }
    }
  }
}
