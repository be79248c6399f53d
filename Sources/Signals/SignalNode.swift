import CycleCore
import Synchronization

/// What became of a signal in a transaction.
@frozen
@usableFromInline
enum SignalOutcome: UInt8 {
  /// It took no part.
  case idle
  /// It has one new value.
  case value
  /// It has several new values, which a union of sources gives.
  case several
  /// It took part and has the value that it had. A combination goes on without it.
  case unchanged
  /// A filter or a closed gate lets nothing through. A combination of it has no value in this transaction.
  case rejected
}

/// A place in a network of signals: what it depends on, what depends on it, and the step from the one to the other.
///
/// Steps are closures formed where a network is put together: there the compiler knows all types. They work on cells behind
/// pointers, so that a push counts no references and allocates nothing.
public class SignalNode {
  // What a transaction touches comes first, and lies together.

  /// What it does in a transaction: gets the outcome that brought it there, ``SignalOutcome/idle`` where the transaction begins
  /// with it.
  final let step: (SignalOutcome) -> SignalOutcome
  /// Everything that a step may read comes before it in a transaction: the longest way from an input.
  @usableFromInline @exclusivity(unchecked) final var height: Int
  @usableFromInline @exclusivity(unchecked) final var stamp = 0
  /// The node behind this one among those that wait at the same height.
  @exclusivity(unchecked) final var next: Unmanaged<SignalNode>?
  @usableFromInline @exclusivity(unchecked) final var outcome = SignalOutcome.idle
  /// The outcome that brought this node into the transaction: of its one parent, or of one of them.
  @exclusivity(unchecked) final var trigger = SignalOutcome.idle
  @exclusivity(unchecked) final var children = SignalNodeList()
  /// Which one it is of all nodes: they are served in the order of their making.
  final let number: Int
  @exclusivity(unchecked) final var parents: [SignalNode]
  @usableFromInline @exclusivity(unchecked) final var network: SignalNetwork

  /// The height of what is served when all signals have their values.
  static let receiverHeight = Int.max

  @usableFromInline
  init(parents: [SignalNode], isReceiver: Bool = false, step: @escaping (SignalOutcome) -> SignalOutcome) {
    self.parents = parents
    self.step = step
    number = Self.nextNumber()
    network = SignalNetwork.joining(parents)
    let top = parents.reduce(-1) { max($0, $1.height) }
    height = isReceiver ? Self.receiverHeight : top + 1
    if !isReceiver { network.reserve(height) }
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

  /// Takes part in the transactions of another node, too.
  final func attach(to parent: SignalNode) {
    parents.append(parent)
    parent.children.append(Unmanaged.passUnretained(self))
    network = SignalNetwork.joining([self, parent])
  }

  /// No longer takes part in them.
  final func detach(from parent: SignalNode) {
    guard let index = parents.lastIndex(where: { $0 === parent }) else { return }
    parent.children.remove(Unmanaged.passUnretained(self))
    parents.remove(at: index)
  }
}

/// Nodes without counting references to them, in an order of their own. The first one lies in place: most have no more.
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

  /// Takes out the last of equal ones.
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
