import CycleCore
import Synchronization

/// The outcome of a transaction for one signal.
@frozen
@usableFromInline
enum SignalOutcome: UInt8 {
  /// It was not part of the transaction.
  case idle
  /// It has one new value.
  case value
  /// It has several new values, from a union of sources.
  case several
  /// It was part of the transaction and keeps its value. A combination uses that value.
  case unchanged
  /// A filter or a closed gate has rejected the value. With ``CombineRule/unlessRejected``, a combination then has no
  /// value in this transaction.
  case rejected
}

/// A node in a network of signals: its sources, its dependents, and the step that computes its value.
///
/// Steps are closures formed where a network is built: there the compiler knows all types. They use cells through
/// pointers, so that a push counts no references and allocates nothing.
public class SignalNode {
  // The properties used in a transaction are declared first, so that they are adjacent in memory.

  /// The step of the node in a transaction. The argument is its trigger; ``SignalOutcome/idle`` if the transaction
  /// begins at this node.
  final let step: (SignalOutcome) -> SignalOutcome
  /// The length of the longest path from an input. Lower nodes are computed first, so every value that a step reads is
  /// up to date.
  @usableFromInline @exclusivity(unchecked) final var height: Int
  @usableFromInline @exclusivity(unchecked) final var stamp = 0
  /// The next node among those that wait at the same height.
  @exclusivity(unchecked) final var next: Unmanaged<SignalNode>?
  @usableFromInline @exclusivity(unchecked) final var outcome = SignalOutcome.idle
  /// The outcome of the parent that queued this node in the transaction.
  @exclusivity(unchecked) final var trigger = SignalOutcome.idle
  @exclusivity(unchecked) final var children = SignalNodeList()
  /// The number of the node in the order in which all nodes were made. Observers are called in this order.
  final let number: Int
  @exclusivity(unchecked) final var parents: [SignalNode]
  @usableFromInline @exclusivity(unchecked) final var network: SignalNetwork

  /// The height of observers, which are called after all signals have their values.
  static let observerHeight = Int.max

  @usableFromInline
  init(parents: [SignalNode], isObserver: Bool = false, step: @escaping (SignalOutcome) -> SignalOutcome) {
    self.parents = parents
    self.step = step
    number = Self.nextNumber()
    network = SignalNetwork.joining(parents)
    let top = parents.reduce(-1) { max($0, $1.height) }
    height = isObserver ? Self.observerHeight : top + 1
    if !isObserver { network.reserve(height) }
    for parent in parents { parent.children.append(Unmanaged.passUnretained(self)) }
  }

  deinit {
    let root = network.root
    for parent in parents { parent.children.remove(Unmanaged.passUnretained(self)) }
    root.forget(self)
    children.deallocate()
    root.release(&parents)
  }

  static func nextNumber() -> Int { made.add(1, ordering: .relaxed).newValue }

  private static let made = Atomic<Int>(0)

  /// Adds a parent: the node also becomes part of its transactions.
  final func attach(to parent: SignalNode) {
    parents.append(parent)
    parent.children.append(Unmanaged.passUnretained(self))
    network = SignalNetwork.joining([self, parent])
  }

  /// Removes a parent.
  final func detach(from parent: SignalNode) {
    guard let index = parents.lastIndex(where: { $0 === parent }) else { return }
    parent.children.remove(Unmanaged.passUnretained(self))
    parents.remove(at: index)
  }
}

/// An ordered list of nodes, without reference counts. The first one is stored inline, because most lists have only
/// one.
struct SignalNodeList {
  typealias Element = Unmanaged<SignalNode>

  private var first: Element?
  private var others: UnsafeMutablePointer<Element>?
  private var capacity: Int32 = 0
  private var storedCount: Int32 = 0

  var count: Int { Int(storedCount) }

  subscript(index: Int) -> Element {
    get { index == 0 ? first.unsafelyUnwrapped : others.unsafelyUnwrapped[index - 1] }
    set { if index == 0 { first = newValue } else { others.unsafelyUnwrapped[index - 1] = newValue } }
  }

  mutating func append(_ node: Element) {
    if storedCount > 0, storedCount - 1 == capacity { grow() }
    storedCount += 1
    self[count - 1] = node
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(2, 2 * Int(capacity)))
    if let others {
      larger.moveInitialize(from: others, count: Int(capacity))
      others.deallocate()
    }
    others = larger
    capacity = max(2, 2 * capacity)
  }

  /// Removes a node; if it occurs several times, its last occurrence.
  mutating func remove(_ node: Element) {
    var index = count - 1
    while index >= 0, self[index].toOpaque() != node.toOpaque() { index -= 1 }
    guard index >= 0 else { return }
    for place in index..<count - 1 { self[place] = self[place + 1] }
    storedCount -= 1
  }

  mutating func deallocate() {
    others?.deallocate()
    others = nil
    capacity = 0
    storedCount = 0
  }
}
