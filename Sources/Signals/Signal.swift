import CycleCore

/// A value that changes, and what follows from it: built from others by `map`, `filter`, `combine` and their like, and never in
/// between two states.
///
///     let temperature = Input(20)
///     let isWarm = temperature.map { $0 >= 25 }.onChange()
///     let output = isWarm --> { print($0) }
///     temperature <-- 30                                          // true
///
/// **A push is a transaction.** It goes through all that depends on the input in the order of heights, so that each signal is
/// computed once, when all it depends on is there; then outputs are called, in the order in which they were made. A signal
/// lives as long as somebody holds it or a signal made of it; an output as long as it is held itself. What a push leads to
/// needs neither stack nor memory, however long the chain.
///
/// **Values between pushes.** ``latestValue`` says what a signal is now, where that makes sense: an input, and what is mapped
/// and combined from inputs, has a latest value; what is filtered, gated or united has events only.
///
/// Signals that are connected belong to one thread.
///
/// After glitch-free propagation by height as in Cooper and Krishnamurthi, "Embedding Dynamic Dataflow in a Call-by-Value
/// Language" (2006).
public class Signal<Value>: SignalNode {
  @usableFromInline final let cell: SignalCell<Value>
  /// Whether it has a latest value as soon as there was one.
  @usableFromInline final let isKept: Bool
  /// Whether its latest value is computed anew whenever somebody asks.
  @usableFromInline final let isVolatile: Bool
  /// Takes the latest value from those of its parents into the cell; false if one of them has none.
  private let recompute: (() -> Bool)?

  /// - Parameters:
  ///   - recompute: for a kept signal that is made of others: its value from theirs.
  @usableFromInline
  init(
    _ cell: SignalCell<Value>, parents: [SignalNode], isKept: Bool, isVolatile: Bool = false,
    recompute: (() -> Bool)? = nil, step: @escaping (SignalOutcome) -> SignalOutcome
  ) {
    self.cell = cell
    self.isKept = isKept
    self.isVolatile = isVolatile
    self.recompute = recompute
    super.init(parents: parents, step: step)
    if isKept, !isVolatile { _ = recompute?() }
  }

  deinit {
    cell.deallocate()
  }

  /// What is known of a signal's value between pushes.
  public enum Latest {
    /// Nothing: it has events only, or nothing was pushed yet.
    case none
    /// It is computed whenever somebody asks.
    case computed(() -> Value)
    /// It is there.
    case stored(Value)

    public var hasValue: Bool {
      if case .none = self { false } else { true }
    }
  }

  /// What is known of the value between pushes.
  public var latestValue: Latest {
    guard isKept else { return .none }
    if isVolatile { return refresh() ? .computed { [self] in value! } : .none }
    guard let value = cell.value else { return .none }
    return recompute == nil ? .stored(value) : .computed { value }
  }

  /// The latest value; nil where there is none.
  public final var value: Value? {
    guard isKept else { return nil }
    if isVolatile { guard refresh() else { return nil } }
    return cell.value
  }

  /// Computes all volatile signals that this one depends on, those first that others depend on.
  @usableFromInline
  final func refresh() -> Bool {
    var open: [any AnySignal] = [self]
    var found: [any AnySignal] = []
    var seen: Set<ObjectIdentifier> = []
    while let signal = open.popLast() {
      guard seen.insert(ObjectIdentifier(signal)).inserted else { continue }
      found.append(signal)
      for case let parent as any AnySignal in signal.parents where parent.isVolatile { open.append(parent) }
    }
    var isComputed = true
    for signal in found.sorted(by: { ($0.height, $0.number) < ($1.height, $1.number) }) {
      isComputed = signal.recomputeOnce() && isComputed
    }
    return isComputed
  }
}

/// A signal of any value.
private protocol AnySignal: SignalNode {
  var isVolatile: Bool { get }
  func recomputeOnce() -> Bool
}

extension Signal: AnySignal {
  fileprivate func recomputeOnce() -> Bool { recompute?() ?? false }
}

/// What a signal's cell holds.
@usableFromInline
struct SignalValues<Value> {
  /// The last value; nil before the first.
  @usableFromInline var last: Value?
  /// The values before the last one, in a transaction with several.
  @usableFromInline var earlier: [Value] = []

  @inlinable
  init() {}
}

/// Where a signal's values lie: behind a pointer, for the steps that read and write them.
@usableFromInline
struct SignalCell<Value> {
  @usableFromInline let values: UnsafeMutablePointer<SignalValues<Value>>

  @inlinable
  init() {
    values = .allocate(capacity: 1)
    values.initialize(to: SignalValues())
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

  /// Each value of a transaction with this outcome.
  @inlinable
  func forEach(of outcome: SignalOutcome, _ body: (Value) -> Void) {
    if outcome == .several { for value in values.pointee.earlier { body(value) } }
    if let last = values.pointee.last { body(last) }
  }
}

/// Puts the values of one transaction into a cell, of which there may be several.
@usableFromInline
struct SignalCollector<Value> {
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

  /// The outcome of all of them; `other` where there are none.
  @inlinable
  func outcome(orElse other: SignalOutcome) -> SignalOutcome {
    count == 0 ? other : count == 1 ? .value : .several
  }
}
