import CycleCore

/// Signals that are connected, and how a push goes through them: one transaction after the other, each in the order of heights,
/// without recursion.
///
/// Signals belong to one thread. Networks are merged when a signal connects them; what is not connected knows nothing of each
/// other.
@usableFromInline
final class SignalNetwork {
  private enum Phase {
    case idle, computing, delivering
  }

  /// Nodes that wait at one height, in the order in which they came.
  private struct Level {
    var first: Unmanaged<SignalNode>?
    var last: Unmanaged<SignalNode>?
  }

  /// A transaction that waits, or a part of it.
  private struct Waiting {
    let start: SignalNode
    let isLast: Bool
  }

  /// The network that this one has become part of.
  private(set) var successor: SignalNetwork?
  /// How many merges deep it is: the less deep becomes part of the deeper, so that the way to the root stays short.
  private var depth = 0
  @exclusivity(unchecked) private var phase = Phase.idle
  /// Greater than that of all networks which were at work when this one began.
  @exclusivity(unchecked) private var activation = 0
  @exclusivity(unchecked) private var levels: UnsafeMutablePointer<Level>
  @exclusivity(unchecked) private var levelCount = 4
  /// How many nodes wait at all heights.
  @exclusivity(unchecked) private var pending = 0
  /// The transaction: a number that no other one has, of whatever network. So networks can become one amid a transaction.
  @exclusivity(unchecked) private var stamp = 0
  /// Receivers to be served in this transaction.
  @exclusivity(unchecked) private var due = UnsafeMutablePointer<Unmanaged<SignalNode>>.allocate(capacity: 16)
  @exclusivity(unchecked) private var dueCapacity = 16
  @exclusivity(unchecked) private var dueCount = 0
  /// Receivers that were let go while some are being served.
  @exclusivity(unchecked) private var ended: [ReceiverNode] = []
  @exclusivity(unchecked) private var areDueInOrder = true
  @exclusivity(unchecked) private var lastDue = -1
  @exclusivity(unchecked) private var queue = Queue<Waiting>()
  /// What the transaction that is beginning begins with.
  @exclusivity(unchecked) private var starts: [SignalNode] = []
  /// How many receivers want to know of a transaction before its values are there.
  @usableFromInline @exclusivity(unchecked) var beginListeners = 0
  /// Nodes that are let go one after the other, so that letting go of a long chain needs no stack.
  @exclusivity(unchecked) private var released: [SignalNode] = []
  @exclusivity(unchecked) private var isReleasing = false

  /// How many transactions one push may lead to.
  static let transactionLimit = 1 << 20

  init() {
    levels = .allocate(capacity: 4)
    levels.initialize(repeating: Level(), count: 4)
  }

  deinit {
    levels.deallocate()
    due.deallocate()
  }

  /// The network that this one is part of by now.
  @usableFromInline
  var root: SignalNetwork {
    guard var root = successor else { return self }
    while let next = root.successor { root = next }
    return root
  }

  // MARK: - What nodes do

  /// The network of nodes that depend on these: theirs, merged.
  static func joining(_ parents: [SignalNode]) -> SignalNetwork {
    guard let first = parents.first else { return SignalNetwork() }
    var network = first.network.root
    for parent in parents.dropFirst() {
      let other = parent.network.root
      if other !== network { network = network.merged(with: other) }
    }
    return network
  }

  private func merged(with other: SignalNetwork) -> SignalNetwork {
    if phase == .idle, other.phase == .idle {
      if depth < other.depth { return other.merged(with: self) }
    } else {
      // What is at work stays as it is; of two of them the one that has begun first, within which the other one is at work.
      if phase == .idle || other.phase != .idle && other.activation < activation { return other.merged(with: self) }
    }
    depth = max(depth, other.depth + 1)
    precondition(other.pending == 0, "signals of two networks are connected while both compute their values")
    reserve(other.levelCount - 1)
    beginListeners += other.beginListeners
    queue.append(other.queue)
    other.queue.removeAll()
    other.successor = self
    return self
  }

  /// Makes room for nodes of that height.
  func reserve(_ height: Int) {
    guard height >= levelCount else { return }
    let count = max(height + 1, 2 * levelCount)
    let larger = UnsafeMutablePointer<Level>.allocate(capacity: count)
    larger.moveInitialize(from: levels, count: levelCount)
    (larger + levelCount).initialize(repeating: Level(), count: count - levelCount)
    levels.deallocate()
    levels = larger
    levelCount = count
  }

  /// Lets go of a node's parents.
  func release(_ parents: inout [SignalNode]) {
    released.append(contentsOf: parents)
    parents = []
    guard !isReleasing else { return }
    isReleasing = true
    while let last = released.popLast() { _ = last }
    isReleasing = false
  }

  /// A node goes away: it is not served any more.
  func forget(_ node: SignalNode) {
    guard phase != .idle, node.stamp == stamp else { return }
    if node.height != SignalNode.receiverHeight { unlink(Unmanaged.passUnretained(node)) }
  }

  /// A receiver is let go: it stays as long as it may be about to be served.
  func keepUntilServed(_ receiver: ReceiverNode) {
    if phase != .idle { ended.append(receiver) }
  }

  /// Takes a node from its level, if it waits there.
  private func unlink(_ node: Unmanaged<SignalNode>) {
    let height = node._withUnsafeGuaranteedRef { $0.height }
    var previous: Unmanaged<SignalNode>?
    var current = levels[height].first
    while let here = current, here.toOpaque() != node.toOpaque() {
      previous = here
      current = here._withUnsafeGuaranteedRef { $0.next }
    }
    guard current != nil else { return }
    let next = node._withUnsafeGuaranteedRef { $0.next }
    if let previous { previous._withUnsafeGuaranteedRef { $0.next = next } } else { levels[height].first = next }
    if next == nil { levels[height].last = previous }
    pending -= 1
  }

  /// Lifts a node above another one, and what depends on it above that.
  func raise(_ node: SignalNode, above other: SignalNode) {
    var lifted = [(node, other.height + 1)]
    while let (node, height) = lifted.popLast() {
      guard node.height < height else { continue }
      guard node !== other else {
        programmerError("a signal feeds itself: what \"join\" has been given depends on what it gives")
      }
      let waits = node.stamp == stamp && pending > 0
      let reference = Unmanaged.passUnretained(node)
      let before = pending
      if waits { unlink(reference) }
      node.height = height
      reserve(height)
      if pending < before { enqueue(reference) }
      for index in 0..<node.children.count {
        let child = node.children[index].takeUnretainedValue()
        if child.height != SignalNode.receiverHeight { lifted.append((child, height + 1)) }
      }
    }
  }

  // MARK: - Transactions

  /// Whether a push can go on its way at once, with nothing to be done before it.
  @usableFromInline
  var isFree: Bool { phase == .idle && beginListeners == 0 }

  /// The transaction of a node that has its new value already.
  @usableFromInline
  func run(_ start: SignalNode) {
    stamp = SignalNode.nextNumber()
    activation = stamp
    phase = .computing
    settle(start, .value)
    compute()
    deliver()
    if !queue.isEmpty { runQueue() }
    phase = .idle
  }

  /// Adds the start of a transaction to those that wait.
  @usableFromInline
  func enqueue(_ start: SignalNode, isLast: Bool) {
    queue.append(Waiting(start: start, isLast: isLast))
  }

  /// Runs what waits, unless that is being done already.
  @usableFromInline
  func runWaiting() {
    guard phase == .idle else { return }
    activation = SignalNode.nextNumber()
    runQueue()
    phase = .idle
  }

  private func runQueue() {
    var count = 0
    while !queue.isEmpty {
      takeStarts()
      count += 1
      if count > Self.transactionLimit {
        programmerError(
          "a signal feeds itself: one push led to \(Self.transactionLimit) others, the last into \(starts[0]). "
            + "Look for an output that pushes into an input which it depends on.")
      }
      runTransaction()
    }
  }

  /// Takes the parts of the next transaction.
  private func takeStarts() {
    starts.removeAll(keepingCapacity: true)
    while true {
      let part = queue.removeFirst()
      starts.append(part.start)
      if part.isLast { return }
    }
  }

  private func runTransaction() {
    if beginListeners > 0 {
      announce()
      // Those who were told have connected it with a network that is at work: that one goes on with it.
      if let successor {
        for (index, start) in starts.enumerated() { successor.root.enqueue(start, isLast: index == starts.count - 1) }
        starts.removeAll()
        return
      }
    }
    stamp = SignalNode.nextNumber()
    phase = .computing
    for start in starts { settle(start, start.step(.idle)) }
    compute()
    deliver()
    starts.removeAll(keepingCapacity: true)
  }

  /// Gives a node its outcome, and queues all that depends on it.
  @inline(__always)
  private func settle(_ node: SignalNode, _ outcome: SignalOutcome) {
    node.stamp = stamp
    node.outcome = outcome
    if outcome != .idle { queueChildren(of: node, outcome) }
  }

  @inline(__always)
  private func queueChildren(of node: SignalNode, _ outcome: SignalOutcome) {
    for index in 0..<node.children.count {
      let child = node.children[index]
      child._withUnsafeGuaranteedRef { child in
        guard child.stamp != stamp else { return }
        child.stamp = stamp
        child.trigger = outcome
        if child.height == SignalNode.receiverHeight { addDue(child) } else { enqueue(Unmanaged.passUnretained(child)) }
      }
    }
  }

  @inline(__always)
  private func enqueue(_ node: Unmanaged<SignalNode>) {
    node._withUnsafeGuaranteedRef { node in
      let level = levels + node.height
      node.next = nil
      if let last = level.pointee.last {
        last._withUnsafeGuaranteedRef { $0.next = Unmanaged.passUnretained(node) }
      } else {
        level.pointee.first = Unmanaged.passUnretained(node)
      }
      level.pointee.last = Unmanaged.passUnretained(node)
      pending += 1
    }
  }

  @inline(__always)
  private func addDue(_ receiver: SignalNode) {
    if receiver.number < lastDue { areDueInOrder = false }
    lastDue = receiver.number
    if dueCount == dueCapacity { growDue() }
    due[dueCount] = Unmanaged.passUnretained(receiver)
    dueCount += 1
  }

  private func growDue() {
    let larger = UnsafeMutablePointer<Unmanaged<SignalNode>>.allocate(capacity: 2 * dueCapacity)
    larger.moveInitialize(from: due, count: dueCount)
    due.deallocate()
    due = larger
    dueCapacity *= 2
  }

  /// Takes the step of every node that waits, the lowest first.
  private func compute() {
    forEachPending { node, height in
      let outcome = node.step(node.trigger)
      // A join has found something higher than itself to wait for.
      if node.height > height { return enqueue(Unmanaged.passUnretained(node)) }
      node.outcome = outcome
      queueChildren(of: node, outcome)
    }
  }

  /// Takes every node that waits out of its level, the lowest first, also those that come to wait meanwhile.
  @inline(__always)
  private func forEachPending(_ body: (_ node: SignalNode, _ height: Int) -> Void) {
    var height = 0
    while pending > 0 {
      guard let node = levels[height].first else {
        height += 1
        continue
      }
      node._withUnsafeGuaranteedRef { node in
        let level = levels + height
        level.pointee.first = node.next
        if node.next == nil { level.pointee.last = nil }
        pending -= 1
        body(node, height)
      }
    }
  }

  /// Serves the receivers, in the order of their making. One that is let go by then is not served.
  private func deliver() {
    phase = .delivering
    sortDue()
    serve { receiver in _ = receiver.step(receiver.trigger) }
  }

  @inline(__always)
  private func serve(_ body: (ReceiverNode) -> Void) {
    for index in 0..<dueCount {
      due[index]._withUnsafeGuaranteedRef { node in
        let receiver = unsafeDowncast(node, to: ReceiverNode.self)
        if !receiver.hasEnded { body(receiver) }
      }
    }
    dueCount = 0
    lastDue = -1
    if !ended.isEmpty { ended = [] }
  }

  /// Heap sort: it allocates nothing.
  private func sortDue() {
    guard !areDueInOrder else { return }
    areDueInOrder = true
    func number(_ index: Int) -> Int { due[index]._withUnsafeGuaranteedRef { $0.number } }
    func swapDue(_ one: Int, _ other: Int) { (due[one], due[other]) = (due[other], due[one]) }
    func sink(_ start: Int, _ end: Int) {
      var parent = start
      while 2 * parent + 1 < end {
        var child = 2 * parent + 1
        if child + 1 < end, number(child) < number(child + 1) { child += 1 }
        guard number(parent) < number(child) else { return }
        swapDue(parent, child)
        parent = child
      }
    }
    var start = dueCount / 2
    while start > 0 {
      start -= 1
      sink(start, dueCount)
    }
    var end = dueCount - 1
    while end > 0 {
      swapDue(0, end)
      sink(0, end)
      end -= 1
    }
  }

  /// Tells those who want to know that values may come, before there are any.
  private func announce() {
    stamp = SignalNode.nextNumber()
    phase = .delivering
    for start in starts { settle(start, .value) }
    forEachPending { node, _ in queueChildren(of: node, .value) }
    sortDue()
    serve { $0.begin?() }
  }
}
