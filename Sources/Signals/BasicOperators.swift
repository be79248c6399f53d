import CycleCore

/// The result of mapping one value.
@frozen
@usableFromInline
enum MapResult<Value> {
  case value(Value)
  case unchanged
  case rejected
}

extension Signal {
  /// Makes a signal with the result for each value of this one.
  ///
  /// - Parameters:
  ///   - keepsLatestValue: whether the new signal has a latest value.
  ///   - recompute: computes its latest value from that of this signal; nil if that is not always possible.
  @inlinable
  func lift<Result>(
    keepsLatestValue: Bool, initially: Result? = nil, recompute: ((Value) -> Result)? = nil,
    _ transform: @escaping (SignalCell<Result>, Value) -> MapResult<Result>
  ) -> Signal<Result> {
    let cell = SignalCell<Result>()
    cell.value = initially
    let source = self.cell
    return Signal<Result>(
      cell, parents: [self], keepsLatestValue: keepsLatestValue, isComputedOnRead: recompute != nil && isComputedOnRead,
      recompute: recompute.map { recompute in
        {
          guard let value = source.value else { return false }
          cell.value = recompute(value)
          return true
        }
      },
      step: { outcome in
        guard outcome == .value else { return outcome == .several ? cell.take(each: source, transform) : outcome }
        switch transform(cell, source.values.pointee.last.unsafelyUnwrapped) {
        case .value(let value):
          cell.value = value
          return .value
        case .unchanged: return .unchanged
        case .rejected: return .rejected
        }
      })
  }

  /// Makes a signal with the closure's result for each value.
  @inlinable
  public func map<Result>(_ transform: @escaping (Value) -> Result) -> Signal<Result> {
    lift(keepsLatestValue: keepsLatestValue, recompute: keepsLatestValue ? transform : nil) { _, value in
      .value(transform(value))
    }
  }

  /// Makes a signal with the values that satisfy the condition. The others are rejected, also for combinations with
  /// this signal.
  @inlinable
  public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value> {
    lift(keepsLatestValue: false) { _, value in isIncluded(value) ? .value(value) : .rejected }
  }

  /// Makes a signal with the closure's result for each value. If the result is nil, the value is rejected.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Value) -> Result?) -> Signal<Result> {
    lift(keepsLatestValue: false) { _, value in
      if let result = transform(value) { .value(result) } else { .rejected }
    }
  }

  /// Makes a signal that accumulates values: the closure gets the previous result and the new value. Its latest value
  /// is `initial` from the beginning, and signals mapped from it start with that.
  @inlinable
  public func reduce<Result>(
    _ initial: Result, _ next: @escaping (Result, Value) -> Result
  ) -> Signal<Result> {
    lift(keepsLatestValue: true, initially: initial) { cell, value in
      .value(next(cell.values.pointee.last.unsafelyUnwrapped, value))
    }
  }

  /// Makes a signal with the same values that stores the last one as its latest value. Returns this signal if it
  /// already stores its latest value.
  public func latest() -> Signal<Value> {
    if case .stored = latestValue { return self }
    return lift(keepsLatestValue: true, initially: value) { _, value in .value(value) }
  }

  /// Makes a signal with the same values, without a latest one.
  @inlinable
  public func event() -> Signal<Value> {
    lift(keepsLatestValue: false) { _, value in .value(value) }
  }

  /// Makes a signal with one constant value.
  public static func const(_ value: Value) -> Signal<Value> {
    let cell = SignalCell<Value>()
    cell.value = value
    return Signal(cell, parents: [], keepsLatestValue: true) { _ in .idle }
  }

  /// Makes a signal that never has a value.
  public static func never() -> Signal<Value> {
    Signal(SignalCell(), parents: [], keepsLatestValue: false) { _ in .idle }
  }

  /// Makes a signal that is never pushed; its value is computed each time it is read.
  public static func computed(_ compute: @escaping () -> Value) -> Signal<Value> {
    let cell = SignalCell<Value>()
    return Signal(
      cell, parents: [], keepsLatestValue: true, isComputedOnRead: true,
      recompute: {
        cell.value = compute()
        return true
      }, step: { _ in .idle })
  }
}

extension SignalCell {
  /// Stores the results for the several values of `source`, and returns their common outcome.
  @inlinable
  func take<Source>(
    each source: SignalCell<Source>, _ transform: (SignalCell, Source) -> MapResult<Value>
  ) -> SignalOutcome {
    var collector = TransactionWriter(self)
    var outcome = SignalOutcome.rejected
    source.forEach(of: .several) { value in
      switch transform(self, value) {
      case .value(let result): collector.add(result)
      case .unchanged: outcome = .unchanged
      case .rejected: break
      }
    }
    return collector.outcome(orElse: outcome)
  }
}

extension Signal where Value: Equatable {
  /// Makes a signal with the values that differ from the one before. An equal value counts as unchanged: combinations
  /// use the previous one.
  @inlinable
  public func onChange() -> Signal<Value> {
    lift(keepsLatestValue: true, initially: value) { cell, value in cell.value == value ? .unchanged : .value(value) }
  }
}

extension Signal {
  /// Makes a signal with the values that are not nil; rejects nil.
  @inlinable
  public func notNil<Wrapped>() -> Signal<Wrapped> where Value == Wrapped? {
    compactMap { $0 }
  }

  /// Makes a signal with true for each value that is nil, and false for each other value.
  @inlinable
  public func isNil<Wrapped>() -> Signal<Bool> where Value == Wrapped? {
    map { $0 == nil }
  }
}

extension Signal where Value: Sequence {
  /// Makes a signal with the elements of each value, one after the other in the same transaction. A value without
  /// elements is rejected.
  public func flattened() -> Signal<Value.Element> {
    let cell = SignalCell<Value.Element>()
    let source = self.cell
    return Signal<Value.Element>(cell, parents: [self], keepsLatestValue: false) { outcome in
      guard outcome.isFresh else { return outcome }
      var collector = TransactionWriter(cell)
      source.forEach(of: outcome) { value in for element in value { collector.add(element) } }
      return collector.outcome(orElse: .rejected)
    }
  }

  /// Makes a signal with each value's elements, mapped by the closure.
  @inlinable
  public func mapElements<Result>(_ transform: @escaping (Value.Element) -> Result) -> Signal<[Result]> {
    map { $0.map(transform) }
  }

  /// Makes a signal with each value's elements that satisfy the condition.
  @inlinable
  public func filterElements(_ isIncluded: @escaping (Value.Element) -> Bool) -> Signal<[Value.Element]> {
    map { $0.filter(isIncluded) }
  }

  /// Makes a signal with each value's elements, reduced to one result.
  @inlinable
  public func reduceElements<Result>(
    _ initial: Result, _ next: @escaping (Result, Value.Element) -> Result
  ) -> Signal<Result> {
    map { $0.reduce(initial, next) }
  }
}

extension Signal where Value == Bool {
  /// Makes a signal that is true whenever the value becomes true. An initial true is not an edge. If there is no
  /// initial value, the first true is an edge.
  @inlinable
  public func onRisingEdge() -> Signal<Bool> { onChange().filter { $0 } }

  /// Makes a signal that is false whenever the value becomes false. An initial false is not an edge. If there is no
  /// initial value, the first false is an edge.
  @inlinable
  public func onFallingEdge() -> Signal<Bool> { onChange().filter { !$0 } }
}
