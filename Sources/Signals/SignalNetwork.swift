import CycleCore

/// A set of connected signals. It runs pushes as transactions, one after the other, each in the order of heights,
/// without recursion.
///
/// Signals belong to one thread. Networks are merged when a signal connects them; separate networks are independent.
@usableFromInline
final class SignalNetwork {
  private enum Phase {
    case idle, computing, delivering
  }

  /// Nodes that wait at one height, in the order in which they were queued.
  private struct Level {
    var first: Unmanaged<SignalNode>?
    var last: Unmanaged<SignalNode>?
  }

  /// A waiting transaction, or a part of it.
  private struct Waiting {
    let start: SignalNode
    let isLast: Bool
  }

  /// The network into which this one was merged.
  private(set) var successor: SignalNetwork?
  /// The depth of its merges. The less deep network is merged into the deeper one, so that the path to the root stays
  /// short.
  private var depth = 0
  @exclusivity(unchecked) private var phase = Phase.idle
  /// The number of the current run, greater than those of all networks that were running when it began.
  @exclusivity(unchecked) private var activation = 0
  @exclusivity(unchecked) private var levels: UnsafeMutablePointer<Level>
  @exclusivity(unchecked) private var levelCount = 4
  /// The number of waiting nodes at all heights.
  @exclusivity(unchecked) private var pending = 0
  /// The number of the current transaction, unique in all networks, so that networks can be merged during a
  /// transaction.
  @exclusivity(unchecked) private var stamp = 0
  /// The observers to be called in this transaction.
  @exclusivity(unchecked) private var due = UnsafeMutablePointer<Unmanaged<SignalNode>>.allocate(capacity: 16)
  @exclusivity(unchecked) private var dueCapacity = 16
  @exclusivity(unchecked) private var dueCount = 0
  /// Observers that were released during a transaction, kept until all have been called.
  @exclusivity(unchecked) private var ended: [ObserverNode] = []
  @exclusivity(unchecked) private var areDueInOrder = true
  @exclusivity(unchecked) private var lastDue = -1
  @exclusivity(unchecked) private var queue = Queue<Waiting>()
  /// The nodes at which the current transaction begins.
  @exclusivity(unchecked) private var starts: [SignalNode] = []
  /// The number of observers with a `willBegin` closure.
  @usableFromInline @exclusivity(unchecked) var beginListeners = 0
  /// Nodes that are released one after the other, so that releasing a long chain needs no recursion.
  @exclusivity(unchecked) private var released: [SignalNode] = []
  @exclusivity(unchecked) private var isReleasing = false

  /// The maximum number of transactions that one push can lead to.
  static let transactionLimit = 1 << 20

  init() {
    levels = .allocate(capacity: 4)
    levels.initialize(repeating: Level(), count: 4)
  }

  deinit {
    levels.deallocate()
    due.deallocate()
  }

  /// The network of which this one is a part after all merges.
  @usableFromInline
  var root: SignalNetwork {
    guard var root = successor else { return self }
    while let next = root.successor { root = next }
    return root
  }

  // MARK: - Interface for nodes

  /// Returns the network for a node with these parents: theirs, merged.
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
      // A running network is not merged into another one. Of two running networks, the one that began first stays,
      // because the other runs within it.
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

  /// Makes room for nodes of this height.
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

  /// Releases a node's parents.
  func release(_ parents: inout [SignalNode]) {
    released.append(contentsOf: parents)
    parents = []
    guard !isReleasing else { return }
    isReleasing = true
    while let last = released.popLast() { _ = last }
    isReleasing = false
  }

  /// Called when a node is deallocated: removes it from the current transaction.
  func forget(_ node: SignalNode) {
    guard phase != .idle, node.stamp == stamp else { return }
    if node.height != SignalNode.observerHeight { unlink(Unmanaged.passUnretained(node)) }
  }

  /// Called when an observer is released: keeps it while it could still be called.
  func keepUntilServed(_ observer: ObserverNode) {
    if phase != .idle { ended.append(observer) }
  }

  /// Removes a node from its level, if it waits there.
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

  /// Lifts a node above another one, and all nodes that depend on it above that.
  func raise(_ node: SignalNode, above other: SignalNode) {
    var lifted = HeightAdjustmentQueue()
    lifted.add(node, to: other.height + 1)
    while let (node, height) = lifted.removeFirst() {
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
        if child.height != SignalNode.observerHeight, child.height <= height { lifted.add(child, to: height + 1) }
      }
    }
  }

  // MARK: - Transactions

  /// Whether a push can run immediately: no transaction is running, and no observer has a `willBegin` closure.
  @usableFromInline
  var isFree: Bool { phase == .idle && beginListeners == 0 }

  /// Runs the transaction of a node whose new value is already in its cell.
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

  /// Queues a node at which a transaction begins; the last one completes the transaction.
  @usableFromInline
  func enqueue(_ start: SignalNode, isLast: Bool) {
    queue.append(Waiting(start: start, isLast: isLast))
  }

  /// Runs the waiting transactions, unless they are already being run.
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
            + "Find the output that pushes into an input that it depends on.")
      }
      runTransaction()
    }
  }

  /// Moves the next transaction from the queue to `starts`.
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
      // A `willBegin` closure has merged this network into a running one, which now runs the transaction.
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

  /// Sets the outcome of a node, and queues all nodes that depend on it.
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
        if child.height == SignalNode.observerHeight { addDue(child) } else { enqueue(Unmanaged.passUnretained(child)) }
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
  private func addDue(_ observer: SignalNode) {
    if observer.number < lastDue { areDueInOrder = false }
    lastDue = observer.number
    if dueCount == dueCapacity { growDue() }
    due[dueCount] = Unmanaged.passUnretained(observer)
    dueCount += 1
  }

  private func growDue() {
    let larger = UnsafeMutablePointer<Unmanaged<SignalNode>>.allocate(capacity: 2 * dueCapacity)
    larger.moveInitialize(from: due, count: dueCount)
    due.deallocate()
    due = larger
    dueCapacity *= 2
  }

  /// Runs the step of every waiting node, the lowest first.
  private func compute() {
    forEachPending { node, height in
      let outcome = node.step(node.trigger)
      // A join now depends on a node that is not lower than the join: it waits above that node.
      if node.height > height { return enqueue(Unmanaged.passUnretained(node)) }
      node.outcome = outcome
      queueChildren(of: node, outcome)
    }
  }

  /// Removes every waiting node from its level, the lowest first, including nodes that are queued during the call.
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

  /// Calls the observers, in the order in which they were made, except those that have been released before.
  private func deliver() {
    phase = .delivering
    sortDue()
    serve { observer in _ = observer.step(observer.trigger) }
  }

  @inline(__always)
  private func serve(_ body: (ObserverNode) -> Void) {
    for index in 0..<dueCount {
      due[index]._withUnsafeGuaranteedRef { node in
        let observer = unsafeDowncast(node, to: ObserverNode.self)
        if !observer.hasEnded { body(observer) }
      }
    }
    dueCount = 0
    lastDue = -1
    if !ended.isEmpty { ended = [] }
  }

  /// Heap sort, which allocates nothing.
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

  /// Calls the `willBegin` closures of the observers that the transaction could reach, before any value is computed.
  private func announce() {
    stamp = SignalNode.nextNumber()
    phase = .delivering
    for start in starts { settle(start, .value) }
    forEachPending { node, _ in queueChildren(of: node, .value) }
    sortDue()
    serve { $0.willBegin?() }
  }
}
