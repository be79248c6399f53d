import CycleCore

/// A value that changes over time. Other signals are derived from it by `map`, `filter`, `combine` and similar
/// functions. A reader never sees a mixture of old and new values.
///
///     let temperature = Input(20)
///     let isWarm = temperature.map { $0 >= 25 }.onChange()
///     let output = isWarm --> { print($0) }
///     temperature <-- 30                                          // true
///
/// **A push is a transaction.** It computes all signals that depend on the input, in the order of heights, so that each
/// is computed once, after all signals on which it depends. Then it calls the observers, in the order in which they
/// were made. A signal lives while it, or a signal made from it, is held; an observer lives while it is held itself. A
/// push neither recurses nor allocates, however long the chain.
///
/// **Values between pushes.** ``latestValue`` is the signal's current value. Inputs have one, and so do signals mapped
/// and combined from inputs. Filtered, gated and united signals have events only.
///
/// Signals that are connected belong to one thread.
///
/// Glitch-free propagation by height follows Cooper and Krishnamurthi, "Embedding Dynamic Dataflow in a Call-by-Value
/// Language" (2006).
public class Signal<Value>: SignalNode {
  @usableFromInline final let cell: SignalCell<Value>
  /// Whether the last value is kept as the latest value.
  @usableFromInline final let keepsLatestValue: Bool
  /// Whether the latest value is computed again each time it is read.
  @usableFromInline final let isComputedOnRead: Bool
  /// Computes the latest value from those of the parents, into the cell. Returns false if a parent has none.
  private let recompute: (() -> Bool)?

  /// - Parameters:
  ///   - recompute: for a signal that keeps its latest value: computes it from the parents' values.
  @usableFromInline
  init(
    _ cell: SignalCell<Value>, parents: [SignalNode], keepsLatestValue: Bool, isComputedOnRead: Bool = false,
    recompute: (() -> Bool)? = nil, step: @escaping (SignalOutcome) -> SignalOutcome
  ) {
    self.cell = cell
    self.keepsLatestValue = keepsLatestValue
    self.isComputedOnRead = isComputedOnRead
    self.recompute = recompute
    super.init(parents: parents, step: step)
    if keepsLatestValue, !isComputedOnRead { _ = recompute?() }
  }

  deinit {
    cell.deallocate()
  }

  /// A signal's value between pushes.
  public enum Latest {
    /// No value: the signal has events only, or nothing was pushed yet.
    case none
    /// A computed value, which the closure returns.
    case computed(() -> Value)
    /// A stored value.
    case stored(Value)

    public var hasValue: Bool {
      if case .none = self { false } else { true }
    }
  }

  /// The value between pushes.
  public var latestValue: Latest {
    guard keepsLatestValue else { return .none }
    if isComputedOnRead { return refresh() ? .computed { [self] in value! } : .none }
    guard let value = cell.value else { return .none }
    return recompute == nil ? .stored(value) : .computed { value }
  }

  /// The latest value; nil if there is none.
  public final var value: Value? {
    guard keepsLatestValue else { return nil }
    if isComputedOnRead { guard refresh() else { return nil } }
    return cell.value
  }

  /// Computes this signal and all volatile signals on which it depends, the lowest first. Returns false if one has no
  /// value.
  @usableFromInline
  final func refresh() -> Bool {
    var open: [any AnySignal] = [self]
    var found: [any AnySignal] = []
    var seen: Set<ObjectIdentifier> = []
    while let signal = open.popLast() {
      guard seen.insert(ObjectIdentifier(signal)).inserted else { continue }
      found.append(signal)
      for case let parent as any AnySignal in signal.parents where parent.isComputedOnRead { open.append(parent) }
    }
    var isComputed = true
    for signal in found.sorted(by: { ($0.height, $0.number) < ($1.height, $1.number) }) {
      isComputed = signal.recomputeOnce() && isComputed
    }
    return isComputed
  }
}

/// A signal without the type of its values.
private protocol AnySignal: SignalNode {
  var isComputedOnRead: Bool { get }
  func recomputeOnce() -> Bool
}

extension Signal: AnySignal {
  fileprivate func recomputeOnce() -> Bool { recompute?() ?? false }
}

/// The content of a signal's cell.
@usableFromInline
struct SignalStorage<Value> {
  /// The last value; nil before the first.
  @usableFromInline var last: Value?
  /// The values before the last one, if a transaction has several.
  @usableFromInline var earlier: [Value] = []

  @inlinable
  init() {}
}

/// A pointer to a signal's values, for the steps that read and write them.
@usableFromInline
struct SignalCell<Value> {
  @usableFromInline let values: UnsafeMutablePointer<SignalStorage<Value>>

  @inlinable
  init() {
    values = .allocate(capacity: 1)
    values.initialize(to: SignalStorage())
  }

  @usableFromInline
  func deallocate() {
    values.deinitialize(count: 1)
    values.deallocate()
  }

  /// The last value; nil before the first.
  @inlinable
  var value: Value? {
    get { values.pointee.last }
    nonmutating set { values.pointee.last = newValue }
  }

  /// Calls `body` with each value of a transaction that has this outcome.
  @inlinable
  func forEach(of outcome: SignalOutcome, _ body: (Value) -> Void) {
    if outcome == .several { for value in values.pointee.earlier { body(value) } }
    if let last = values.pointee.last { body(last) }
  }
}

/// Stores the values of one transaction, one or several, in a cell.
@usableFromInline
struct TransactionWriter<Value> {
  @usableFromInline let cell: SignalCell<Value>
  @usableFromInline var count = 0

  @inlinable
  init(_ cell: SignalCell<Value>) {
    self.cell = cell
    cell.values.pointee.earlier.removeAll(keepingCapacity: true)
  }

  @inlinable
  mutating func add(_ value: Value) {
    if count > 0 { cell.values.pointee.earlier.append(cell.values.pointee.last.unsafelyUnwrapped) }
    cell.values.pointee.last = value
    count += 1
  }

  /// Returns the outcome of all of them; `other` if there are none.
  @inlinable
  func outcome(orElse other: SignalOutcome) -> SignalOutcome {
    count == 0 ? other : count == 1 ? .value : .several
  }
}
