/// What the lenses of a cycle share: the mailbox, the loop, simulated wakes and posts from other threads.
///
/// Only the cycle and its lenses use it.
public final class Wiring {
  /// A postbox without its type.
  private struct Box {
    let lens: Int
    let flag: PostFlag
    let account: () -> LaneAccount
    /// How many lost messages the application has been told of.
    var told = 0
  }

  @usableFromInline let mailbox: UnsafeMutablePointer<Mailbox>
  /// Nil until the cycle has started.
  @exclusivity(unchecked) private(set) var loop: (any EventLoop)!
  var eventObserver: ((_ lens: Int, _ event: Any, _ moment: Moment) -> Void)?
  /// Troubles of drivers that have no events to tell them by.
  var unheard = 0
  /// Lenses whose simulated device has something for them, in the order of the wakes, each once.
  @exclusivity(unchecked) private var simulatedWakes: [Int] = []
  @exclusivity(unchecked) private var boxes: [Box] = []
  private var drivers: [ObjectIdentifier] = []
  /// The driver that more than one lens has.
  private(set) var wiredTwice: String?
  private lazy var doorbell = loop.makeDoorbell()

  init(lensCount: Int, capacity: Int) {
    mailbox = .allocate(capacity: 1)
    mailbox.initialize(to: Mailbox(lensCount: lensCount, capacity: capacity))
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

  /// A lens has this driver.
  func claim(_ driver: ObjectIdentifier, name: String) {
    if drivers.contains(driver), wiredTwice == nil { wiredTwice = name }
    drivers.append(driver)
  }

  func wakeSimulated(_ lens: Int) {
    if !simulatedWakes.contains(lens) { simulatedWakes.append(lens) }
  }

  var hasSimulatedWakes: Bool { !simulatedWakes.isEmpty }

  func takeSimulatedWakes() -> [Int] {
    guard !simulatedWakes.isEmpty else { return [] }
    defer { simulatedWakes.removeAll(keepingCapacity: true) }
    return simulatedWakes
  }

  func makePostbox<Message: Sendable>(for lens: Int, capacity: Int) -> Postbox<Message> {
    let flag = PostFlag(doorbell: doorbell)
    let box = Postbox<Message>(capacity: capacity, flag: flag)
    boxes.append(Box(lens: lens, flag: flag, account: { box.account }))
    return box
  }

  /// Wakes every lens that has got post since the last call, with the number of messages that were lost on the way. A lens
  /// that leaves some in its box, because its lane is full, is woken again.
  func deliverPosts(_ wake: (_ lens: Int, _ lost: Int) -> Void) {
    for index in boxes.indices where boxes[index].flag.lower() {
      let lost = boxes[index].account().lost
      wake(boxes[index].lens, lost - boxes[index].told)
      boxes[index].told = lost
      if boxes[index].account().pending > 0 { boxes[index].flag.raise() }
    }
  }
}
