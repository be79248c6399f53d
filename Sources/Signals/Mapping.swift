import CycleCore

/// What one value is mapped to.
@frozen
@usableFromInline
enum MapResult<Value> {
  case value(Value)
  case unchanged
  case rejected
}

extension Signal {
  /// A signal with what each value of this one is mapped to.
  ///
  /// - Parameters:
  ///   - keepsLatestValue: whether it has a latest value.
  ///   - recompute: computes its latest value from that of this one; nil if that is not always possible.
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

  /// The closure's result for each value.
  @inlinable
  public func map<Result>(_ transform: @escaping (Value) -> Result) -> Signal<Result> {
    lift(keepsLatestValue: keepsLatestValue, recompute: keepsLatestValue ? transform : nil) { _, value in
      .value(transform(value))
    }
  }

  /// The values that satisfy the condition. The others are rejected, also for combinations with this signal.
  @inlinable
  public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value> {
    lift(keepsLatestValue: false) { _, value in isIncluded(value) ? .value(value) : .rejected }
  }

  /// The closure's result for each value; where that is nil, the value is rejected.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Value) -> Result?) -> Signal<Result> {
    lift(keepsLatestValue: false) { _, value in
      if let result = transform(value) { .value(result) } else { .rejected }
    }
  }

  /// An accumulation: the closure gets the previous result and the new value. Its latest value is `initial` from the
  /// beginning, and signals mapped from it start with that.
  @inlinable
  public func reduce<Result>(
    _ initial: Result, _ next: @escaping (Result, Value) -> Result
  ) -> Signal<Result> {
    lift(keepsLatestValue: true, initially: initial) { cell, value in
      .value(next(cell.values.pointee.last.unsafelyUnwrapped, value))
    }
  }

  /// The same values, with the last of them kept as the latest value. A signal that already stores its latest value is
  /// returned itself.
  public func latest() -> Signal<Value> {
    if case .stored = latestValue { return self }
    return lift(keepsLatestValue: true, initially: value) { _, value in .value(value) }
  }

  /// The same values, without a latest one.
  @inlinable
  public func event() -> Signal<Value> {
    lift(keepsLatestValue: false) { _, value in .value(value) }
  }

  /// One value, for ever.
  public static func const(_ value: Value) -> Signal<Value> {
    let cell = SignalCell<Value>()
    cell.value = value
    return Signal(cell, parents: [], keepsLatestValue: true) { _ in .idle }
  }

  /// No value, ever.
  public static func never() -> Signal<Value> {
    Signal(SignalCell(), parents: [], keepsLatestValue: false) { _ in .idle }
  }

  /// A signal that is never pushed; its value is computed each time that it is read.
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
  /// Stores what the several values of `source` are mapped to, and returns their common outcome.
  @inlinable
  func take<Source>(
    each source: SignalCell<Source>, _ transform: (SignalCell, Source) -> MapResult<Value>
  ) -> SignalOutcome {
    var collector = SignalCollector(self)
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
  /// The values that differ from the one before. An equal value counts as unchanged: combinations use the previous one.
  @inlinable
  public func onChange() -> Signal<Value> {
    lift(keepsLatestValue: true, initially: value) { cell, value in cell.value == value ? .unchanged : .value(value) }
  }
}

extension Signal {
  /// The values that are there; nil is rejected.
  @inlinable
  public func notNil<Wrapped>() -> Signal<Wrapped> where Value == Wrapped? {
    compactMap { $0 }
  }

  /// Whether each value is nil.
  @inlinable
  public func isNil<Wrapped>() -> Signal<Bool> where Value == Wrapped? {
    map { $0 == nil }
  }
}

extension Signal where Value: Sequence {
  /// The elements of each value, one after the other in the same transaction. A value without elements is rejected.
  public func flattened() -> Signal<Value.Element> {
    let cell = SignalCell<Value.Element>()
    let source = self.cell
    return Signal<Value.Element>(cell, parents: [self], keepsLatestValue: false) { outcome in
      guard outcome.isFresh else { return outcome }
      var collector = SignalCollector(cell)
      source.forEach(of: outcome) { value in for element in value { collector.add(element) } }
      return collector.outcome(orElse: .rejected)
    }
  }

  /// Each value with its elements mapped by the closure.
  @inlinable
  public func mapElements<Result>(_ transform: @escaping (Value.Element) -> Result) -> Signal<[Result]> {
    map { $0.map(transform) }
  }

  /// Each value with only the elements that satisfy the condition.
  @inlinable
  public func filterElements(_ isIncluded: @escaping (Value.Element) -> Bool) -> Signal<[Value.Element]> {
    map { $0.filter(isIncluded) }
  }

  /// Each value with its elements reduced to one result.
  @inlinable
  public func reduceElements<Result>(
    _ initial: Result, _ next: @escaping (Result, Value.Element) -> Result
  ) -> Signal<Result> {
    map { $0.reduce(initial, next) }
  }
}

extension Signal where Value == Bool {
  /// True whenever the value becomes true. A true at the beginning is not an edge; if there is no value at the
  /// beginning, the first true is one.
  @inlinable
  public func onRisingEdge() -> Signal<Bool> { onChange().filter { $0 } }

  /// False whenever the value becomes false. A false at the beginning is not an edge; if there is no value at the
  /// beginning, the first false is one.
  @inlinable
  public func onFallingEdge() -> Signal<Bool> { onChange().filter { !$0 } }
}
