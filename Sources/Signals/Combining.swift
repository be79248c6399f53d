import CycleCore

/// The transactions in which a combination has a new value.
public enum CombineRule: Sendable {
  /// If one of its signals has a new value and none rejects: if a filter rejects a value, the combination rejects it
  /// too.
  case unlessRejected
  /// If one of its signals has a new value. A signal that rejects contributes its previous value.
  case onAnyValue
}

/// One of several signals that a step reads: its outcome, and whether it has had a value.
@usableFromInline
struct SignalOperand {
  @usableFromInline let node: Unmanaged<SignalNode>
  /// Whether the signal has had a value since this operand was made; true from the start if it has a latest value then.
  @usableFromInline let hasValue: UnsafeMutablePointer<Bool>
  /// Computes a volatile signal again, and returns whether it has a value; nil for other signals.
  @usableFromInline let refresh: (() -> Bool)?

  @usableFromInline
  init<Value>(_ signal: Signal<Value>) {
    node = Unmanaged.passUnretained(signal)
    hasValue = .allocate(capacity: 1)
    hasValue.initialize(to: signal.latestValue.hasValue)
    let reference = Unmanaged.passUnretained(signal)
    refresh = signal.isComputedOnRead ? { reference._withUnsafeGuaranteedRef { $0.refresh() } } : nil
  }

  @inlinable
  var stamp: Int { node._withUnsafeGuaranteedRef { $0.stamp } }

  /// Returns the outcome of the signal in the transaction with that stamp.
  @inlinable
  func outcome(at stamp: Int) -> SignalOutcome {
    node._withUnsafeGuaranteedRef { node in
      guard node.stamp == stamp else { return absent() }
      if node.outcome.isFresh { hasValue.pointee = true }
      return node.outcome
    }
  }

  @inlinable
  func absent() -> SignalOutcome {
    if let refresh { hasValue.pointee = refresh() }
    return .idle
  }
}

/// Frees the memory of the sides, together with the step that reads them.
@usableFromInline
final class SignalOperands {
  @usableFromInline let sides: [SignalOperand]

  @usableFromInline
  init(_ sides: [SignalOperand]) {
    self.sides = sides
  }

  deinit {
    for side in sides { side.hasValue.deallocate() }
  }
}

extension CombineRule {
  /// Returns the common outcome of two signals, which doesn't depend on their values.
  @inlinable
  func outcome(_ first: SignalOutcome, _ second: SignalOutcome) -> SignalOutcome {
    if first == .rejected || second == .rejected {
      guard self == .onAnyValue, first.isFresh || second.isFresh else { return .rejected }
      return .value
    }
    return first.isFresh || second.isFresh ? .value : first == .unchanged ? first : second
  }
}

extension SignalOutcome {
  /// Whether there is a new value.
  @inlinable
  var isFresh: Bool { self == .value || self == .several }
}

/// Makes a signal with the closure's results for the latest values of both signals. It has one result for each
/// transaction in which either signal has a new value, after both have had one.
@inlinable
public func combine<A, B, Result>(
  _ first: Signal<A>, _ second: Signal<B>, rule: CombineRule = .unlessRejected, _ transform: @escaping (A, B) -> Result
) -> Signal<Result> {
  let cell = SignalCell<Result>()
  let one = SignalOperand(first)
  let other = SignalOperand(second)
  let sides = SignalOperands([one, other])
  let (from, beside) = (first.cell, second.cell)
  return Signal<Result>(
    cell, parents: [first, second], keepsLatestValue: first.keepsLatestValue && second.keepsLatestValue,
    isComputedOnRead: first.keepsLatestValue && second.keepsLatestValue
      && (first.isComputedOnRead || second.isComputedOnRead),
    recompute: {
      guard let a = from.value, let b = beside.value else { return false }
      cell.value = transform(a, b)
      return true
    },
    step: { _ in
      withExtendedLifetime(sides) {
        let stamp = max(one.stamp, other.stamp)
        let outcome = rule.outcome(one.outcome(at: stamp), other.outcome(at: stamp))
        guard outcome == .value else { return outcome }
        guard one.hasValue.pointee, other.hasValue.pointee else { return .rejected }
        cell.value = transform(from.values.pointee.last.unsafelyUnwrapped, beside.values.pointee.last.unsafelyUnwrapped)
        return .value
      }
    })
}

/// Makes a signal with the latest values of both signals.
@inlinable
public func combine<A, B>(
  _ first: Signal<A>, _ second: Signal<B>, rule: CombineRule = .unlessRejected
) -> Signal<(A, B)> {
  combine(first, second, rule: rule) { ($0, $1) }
}

/// Makes a signal with the latest values of any number of signals.
public func combine<Value>(_ signals: [Signal<Value>], rule: CombineRule = .unlessRejected) -> Signal<[Value]> {
  let cells = signals.map(\.cell)
  return combined(
    signals, signals.map { SignalOperand($0) }, rule, keepsLatestValue: signals.allSatisfy(\.keepsLatestValue),
    isComputedOnRead: signals.contains(where: \.isComputedOnRead)
  ) {
    var values: [Value] = []
    for cell in cells {
      guard let value = cell.value else { return nil }
      values.append(value)
    }
    return values
  }
}

/// Makes a signal with the closure's results for the latest values of three or more signals.
public func combine<First, Second, Third, each Value, Result>(
  _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>, _ signal: repeat Signal<each Value>,
  rule: CombineRule = .unlessRejected,
  _ transform: @escaping (First, Second, Third, repeat each Value) -> Result
) -> Signal<Result> {
  var parents: [SignalNode] = [first, second, third]
  var sides = [SignalOperand(first), SignalOperand(second), SignalOperand(third)]
  var keepsLatestValue = first.keepsLatestValue && second.keepsLatestValue && third.keepsLatestValue
  var isComputedOnRead = first.isComputedOnRead || second.isComputedOnRead || third.isComputedOnRead
  for signal in repeat each signal {
    parents.append(signal)
    sides.append(SignalOperand(signal))
    keepsLatestValue = keepsLatestValue && signal.keepsLatestValue
    isComputedOnRead = isComputedOnRead || signal.isComputedOnRead
  }
  let (one, two, three) = (first.cell, second.cell, third.cell)
  let cells = (repeat (each signal).cell)
  return combined(parents, sides, rule, keepsLatestValue: keepsLatestValue, isComputedOnRead: isComputedOnRead) {
    guard let first = one.value, let second = two.value, let third = three.value else { return nil }
    for cell in repeat each cells { guard cell.value != nil else { return nil } }
    return transform(first, second, third, repeat (each cells).values.pointee.last.unsafelyUnwrapped)
  }
}

/// - Parameter read: computes the value from those in the cells; nil if one is missing.
private func combined<Result>(
  _ parents: [SignalNode], _ sides: [SignalOperand], _ rule: CombineRule, keepsLatestValue: Bool,
  isComputedOnRead: Bool,
  read: @escaping () -> Result?
) -> Signal<Result> {
  let cell = SignalCell<Result>()
  let kept = SignalOperands(sides)
  return Signal<Result>(
    cell, parents: parents, keepsLatestValue: keepsLatestValue, isComputedOnRead: keepsLatestValue && isComputedOnRead,
    recompute: {
      guard let value = read() else { return false }
      cell.value = value
      return true
    },
    step: { _ in
      var stamp = 0
      for side in kept.sides { stamp = max(stamp, side.stamp) }
      var outcome = SignalOutcome.idle
      var haveValues = true
      for side in kept.sides {
        outcome = rule.outcome(outcome, side.outcome(at: stamp))
        haveValues = haveValues && side.hasValue.pointee
      }
      guard outcome == .value else { return outcome }
      guard haveValues, let value = read() else { return .rejected }
      cell.value = value
      return .value
    })
}

/// Makes a signal with the values of all signals. Values of the same transaction are in the order of the signals. It
/// has no latest value.
public func union<Value>(_ signals: Signal<Value>...) -> Signal<Value> {
  union(signals)
}

/// Makes a signal with all values of all signals.
@inlinable
public func union<Value>(_ signals: [Signal<Value>]) -> Signal<Value> {
  let cell = SignalCell<Value>()
  let sources = signals.map { (node: Unmanaged<SignalNode>.passUnretained($0), cell: $0.cell) }
  return Signal(cell, parents: signals, keepsLatestValue: false) { _ in
    var stamp = 0
    for source in sources { stamp = max(stamp, source.node._withUnsafeGuaranteedRef { $0.stamp }) }
    var outcome = SignalOutcome.rejected
    var collector = TransactionWriter(cell)
    for source in sources {
      source.node._withUnsafeGuaranteedRef { node in
        guard node.stamp == stamp else { return }
        if node.outcome == .unchanged { outcome = .unchanged }
        guard node.outcome.isFresh else { return }
        source.cell.forEach(of: node.outcome) { collector.add($0) }
      }
    }
    return collector.outcome(orElse: outcome)
  }
}

extension Signal {
  /// Makes a signal with the closure's results for each value and the latest value of another signal. A new value of
  /// the other signal alone gives no result. A value is rejected while the other signal has none.
  public func map<Other, Result>(
    with other: Signal<Other>, _ transform: @escaping (Value, Other) -> Result
  ) -> Signal<Result> {
    let cell = SignalCell<Result>()
    let source = SignalOperand(self)
    let side = SignalOperand(other)
    let sides = SignalOperands([source, side])
    let (from, beside) = (self.cell, other.cell)
    return Signal<Result>(cell, parents: [self, other], keepsLatestValue: false) { _ in
      withExtendedLifetime(sides) {
        let stamp = max(source.stamp, side.stamp)
        let outcome = source.outcome(at: stamp)
        _ = side.outcome(at: stamp)
        guard outcome.isFresh else { return outcome == .idle ? .unchanged : outcome }
        guard side.hasValue.pointee, let second = beside.value else { return .rejected }
        if outcome == .several { return cell.take(each: from) { .value(transform($1, second)) } }
        cell.value = transform(from.values.pointee.last.unsafelyUnwrapped, second)
        return .value
      }
    }
  }

  /// Makes such a signal with the latest values of two other signals.
  public func map<Second, Third, Result>(
    with second: Signal<Second>, _ third: Signal<Third>, _ transform: @escaping (Value, Second, Third) -> Result
  ) -> Signal<Result> {
    map(with: combine(second, third, rule: .onAnyValue).latest()) { transform($0, $1.0, $1.1) }
  }
}

/// Makes a signal that is true while both are true, with a value for each new value of either. Both sides are always
/// evaluated.
@inlinable
public func && (first: Signal<Bool>, second: Signal<Bool>) -> Signal<Bool> {
  combine(first, second) { $0 && $1 }
}

/// Makes a signal that is true while at least one is true, with a value for each new value of either.
@inlinable
public func || (first: Signal<Bool>, second: Signal<Bool>) -> Signal<Bool> {
  combine(first, second) { $0 || $1 }
}

/// Makes a signal with the opposite of each value.
@inlinable
public func not(_ signal: Signal<Bool>) -> Signal<Bool> {
  signal.map { !$0 }
}
