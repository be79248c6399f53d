/// What the lenses of a cycle share: the mailbox, the loop, simulated wakes and posts from other threads.
///
/// Only the cycle and its lenses use it.
public final class Wiring {
  @usableFromInline let mailbox: UnsafeMutablePointer<Mailbox>
  let loop: any EventLoop
  /// Troubles of drivers that have no events to tell them by.
  var unheard = 0
  /// Lenses whose simulated device has something for them, in the order of the wakes, each once.
  private var simulatedWakes: [Int] = []
  private var flags: [(lens: Int, flag: PostFlag)] = []
  private var accounts: [(lens: Int, lost: () -> Int, told: Int)] = []
  private lazy var doorbell = loop.makeDoorbell()

  init(lensCount: Int, capacity: Int, loop: any EventLoop) {
    self.loop = loop
    mailbox = .allocate(capacity: 1)
    mailbox.initialize(to: Mailbox(lensCount: lensCount, capacity: capacity, now: loop.now))
  }

  deinit {
    mailbox.pointee.deallocate()
    mailbox.deallocate()
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
    flags.append((lens, flag))
    accounts.append((lens, { box.account.lost }, 0))
    return box
  }

  /// Lenses that have got post since the last call, each with how many messages were lost on the way.
  func takePosts() -> [(lens: Int, lost: Int)] {
    var posts: [(lens: Int, lost: Int)] = []
    for index in flags.indices where flags[index].flag.lower() {
      let lost = accounts[index].lost()
      posts.append((flags[index].lens, lost - accounts[index].told))
      accounts[index].told = lost
    }
    return posts
  }
}
