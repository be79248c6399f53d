import CycleCore

/// When a combination has a value, of those transactions in which any of its signals takes part.
public enum CombineRule: Sendable {
  /// When none of its signals rejects: what a filter holds back, the combination holds back.
  case allFresh
  /// When any of its signals has a new value; for one that rejects, the value that it had before counts.
  case anyFresh
}

/// A signal among several that a step reads: whether it took part, and whether it has had a value.
@usableFromInline
struct SignalSide {
  @usableFromInline let node: Unmanaged<SignalNode>
  /// Whether it has had a value since somebody reads it; a signal with a latest value has always had.
  @usableFromInline let hasValue: UnsafeMutablePointer<Bool>
  /// Computes a volatile signal anew.
  @usableFromInline let refresh: (() -> Bool)?

  @usableFromInline
  init<Value>(_ signal: Signal<Value>) {
    node = Unmanaged.passUnretained(signal)
    hasValue = .allocate(capacity: 1)
    hasValue.initialize(to: signal.latestValue.hasValue)
    let reference = Unmanaged.passUnretained(signal)
    refresh = signal.isVolatile ? { reference._withUnsafeGuaranteedRef { $0.refresh() } } : nil
  }

  @inlinable
  var stamp: Int { node._withUnsafeGuaranteedRef { $0.stamp } }

  /// What became of the signal in the transaction of that stamp.
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

/// Lets go of what sides keep, together with the step that reads them.
@usableFromInline
final class SignalSides {
  @usableFromInline let sides: [SignalSide]

  @usableFromInline
  init(_ sides: [SignalSide]) {
    self.sides = sides
  }

  deinit {
    for side in sides { side.hasValue.deallocate() }
  }
}

extension CombineRule {
  /// The outcome of two signals together, as far as it doesn't depend on their values.
  @inlinable
  func outcome(_ first: SignalOutcome, _ second: SignalOutcome) -> SignalOutcome {
    if first == .rejected || second == .rejected {
      guard self == .anyFresh, first.isFresh || second.isFresh else { return .rejected }
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

/// What the closure makes of the latest values of both signals: once for each transaction in which one of them has a new one,
/// when both have had any.
@inlinable
public func combine<A, B, Result>(
  _ first: Signal<A>, _ second: Signal<B>, rule: CombineRule = .allFresh, _ transform: @escaping (A, B) -> Result
) -> Signal<Result> {
  let cell = SignalCell<Result>()
  let one = SignalSide(first)
  let other = SignalSide(second)
  let sides = SignalSides([one, other])
  let (from, beside) = (first.cell, second.cell)
  return Signal<Result>(
    cell, parents: [first, second], isKept: first.isKept && second.isKept,
    isVolatile: first.isKept && second.isKept && (first.isVolatile || second.isVolatile),
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

/// The latest values of both signals.
@inlinable
public func combine<A, B>(
  _ first: Signal<A>, _ second: Signal<B>, rule: CombineRule = .allFresh
) -> Signal<(A, B)> {
  combine(first, second, rule: rule) { ($0, $1) }
}

/// The latest values of any number of signals.
public func combine<Value>(_ signals: [Signal<Value>], rule: CombineRule = .allFresh) -> Signal<[Value]> {
  let cells = signals.map(\.cell)
  return combined(
    signals, signals.map { SignalSide($0) }, rule, isKept: signals.allSatisfy(\.isKept),
    isVolatile: signals.contains(where: \.isVolatile)
  ) {
    var values: [Value] = []
    for cell in cells {
      guard let value = cell.value else { return nil }
      values.append(value)
    }
    return values
  }
}

/// What the closure makes of the latest values of any number of signals.
public func combine<First, Second, Third, each Value, Result>(
  _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>, _ signal: repeat Signal<each Value>,
  rule: CombineRule = .allFresh,
  _ transform: @escaping (First, Second, Third, repeat each Value) -> Result
) -> Signal<Result> {
  var parents: [SignalNode] = [first, second, third]
  var sides = [SignalSide(first), SignalSide(second), SignalSide(third)]
  var isKept = first.isKept && second.isKept && third.isKept
  var isVolatile = first.isVolatile || second.isVolatile || third.isVolatile
  for signal in repeat each signal {
    parents.append(signal)
    sides.append(SignalSide(signal))
    isKept = isKept && signal.isKept
    isVolatile = isVolatile || signal.isVolatile
  }
  let (one, two, three) = (first.cell, second.cell, third.cell)
  let cells = (repeat (each signal).cell)
  return combined(parents, sides, rule, isKept: isKept, isVolatile: isVolatile) {
    guard let first = one.value, let second = two.value, let third = three.value else { return nil }
    for cell in repeat each cells { guard cell.value != nil else { return nil } }
    return transform(first, second, third, repeat (each cells).values.pointee.last.unsafelyUnwrapped)
  }
}

/// - Parameter read: makes the value of those in the cells; nil if one is missing.
private func combined<Result>(
  _ parents: [SignalNode], _ sides: [SignalSide], _ rule: CombineRule, isKept: Bool, isVolatile: Bool,
  read: @escaping () -> Result?
) -> Signal<Result> {
  let cell = SignalCell<Result>()
  let kept = SignalSides(sides)
  return Signal<Result>(
    cell, parents: parents, isKept: isKept, isVolatile: isKept && isVolatile,
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

/// All values of all signals as they come; of those that come together, the values of the first signal first. It has no latest
/// value.
public func union<Value>(_ signals: Signal<Value>...) -> Signal<Value> {
  union(signals)
}

/// All values of all signals as they come.
@inlinable
public func union<Value>(_ signals: [Signal<Value>]) -> Signal<Value> {
  let cell = SignalCell<Value>()
  let sources = signals.map { (node: Unmanaged<SignalNode>.passUnretained($0), cell: $0.cell) }
  return Signal(cell, parents: signals, isKept: false) { _ in
    var stamp = 0
    for source in sources { stamp = max(stamp, source.node._withUnsafeGuaranteedRef { $0.stamp }) }
    var outcome = SignalOutcome.rejected
    var collector = SignalCollector(cell)
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
  /// What the closure makes of each value and the latest value of another signal, which brings nothing about by itself.
  /// Rejected while the other one has no value.
  public func map<Other, Result>(
    with other: Signal<Other>, _ transform: @escaping (Value, Other) -> Result
  ) -> Signal<Result> {
    let cell = SignalCell<Result>()
    let source = SignalSide(self)
    let side = SignalSide(other)
    let sides = SignalSides([source, side])
    let (from, beside) = (self.cell, other.cell)
    return Signal<Result>(cell, parents: [self, other], isKept: false) { _ in
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

  /// As with one other signal, with two.
  public func map<Second, Third, Result>(
    with second: Signal<Second>, _ third: Signal<Third>, _ transform: @escaping (Value, Second, Third) -> Result
  ) -> Signal<Result> {
    map(with: combine(second, third, rule: .anyFresh).latest()) { transform($0, $1.0, $1.1) }
  }
}

/// Whether both are true; at each new value of either. Nothing is cut short.
@inlinable
public func && (first: Signal<Bool>, second: Signal<Bool>) -> Signal<Bool> {
  combine(first, second) { $0 && $1 }
}

/// Whether one of them is true; at each new value of either.
@inlinable
public func || (first: Signal<Bool>, second: Signal<Bool>) -> Signal<Bool> {
  combine(first, second) { $0 || $1 }
}

/// The opposite of each value.
@inlinable
public func not(_ signal: Signal<Bool>) -> Signal<Bool> {
  signal.map { !$0 }
}
