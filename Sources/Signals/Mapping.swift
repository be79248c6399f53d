import CycleCore

/// What becomes of one value.
@frozen
@usableFromInline
enum Lifted<Value> {
  case value(Value)
  case unchanged
  case rejected
}

extension Signal {
  /// A signal with what becomes of each value of this one.
  ///
  /// - Parameters:
  ///   - isKept: whether it has a latest value.
  ///   - recompute: how that follows from the latest value of this one, where it always does.
  @inlinable
  func lift<Result>(
    isKept: Bool, initially: Result? = nil, recompute: ((Value) -> Result)? = nil,
    _ transform: @escaping (SignalCell<Result>, Value) -> Lifted<Result>
  ) -> Signal<Result> {
    let cell = SignalCell<Result>()
    cell.value = initially
    let source = self.cell
    return Signal<Result>(
      cell, parents: [self], isKept: isKept, isVolatile: recompute != nil && isVolatile,
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

  /// What the closure makes of each value.
  @inlinable
  public func map<Result>(_ transform: @escaping (Value) -> Result) -> Signal<Result> {
    lift(isKept: isKept, recompute: isKept ? transform : nil) { _, value in .value(transform(value)) }
  }

  /// The values that satisfy the condition. The others are rejected, for combinations too.
  @inlinable
  public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value> {
    lift(isKept: false) { _, value in isIncluded(value) ? .value(value) : .rejected }
  }

  /// What the closure makes of each value; where that is nil the value is rejected.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Value) -> Result?) -> Signal<Result> {
    lift(isKept: false) { _, value in
      if let result = transform(value) { .value(result) } else { .rejected }
    }
  }

  /// What has come together: the closure takes each value in. It has a latest value from the beginning, `initial`: what is mapped of it is
  /// mapped of that first.
  @inlinable
  public func reduce<Result>(
    _ initial: Result, _ next: @escaping (Result, Value) -> Result
  ) -> Signal<Result> {
    lift(isKept: true, initially: initial) { cell, value in
      .value(next(cell.values.pointee.last.unsafelyUnwrapped, value))
    }
  }

  /// The same values, and the last of them as the latest value. A signal that has that anyway is returned itself.
  public func latest() -> Signal<Value> {
    if case .stored = latestValue { return self }
    return lift(isKept: true, initially: value) { _, value in .value(value) }
  }

  /// The same values, without a latest one.
  @inlinable
  public func event() -> Signal<Value> {
    lift(isKept: false) { _, value in .value(value) }
  }

  /// One value, for ever.
  public static func const(_ value: Value) -> Signal<Value> {
    let cell = SignalCell<Value>()
    cell.value = value
    return Signal(cell, parents: [], isKept: true) { _ in .idle }
  }

  /// No value, ever.
  public static func never() -> Signal<Value> {
    Signal(SignalCell(), parents: [], isKept: false) { _ in .idle }
  }

  /// Never pushes; its value is computed whenever somebody asks.
  public static func computed(_ compute: @escaping () -> Value) -> Signal<Value> {
    let cell = SignalCell<Value>()
    return Signal(
      cell, parents: [], isKept: true, isVolatile: true,
      recompute: {
        cell.value = compute()
        return true
      }, step: { _ in .idle })
  }
}

extension SignalCell {
  /// Takes what becomes of several values: the outcome of all of them.
  @inlinable
  func take<Source>(
    each source: SignalCell<Source>, _ transform: (SignalCell, Source) -> Lifted<Value>
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
  /// The values that differ from the one before. A value that doesn't is no news; combinations go on without it.
  @inlinable
  public func onChange() -> Signal<Value> {
    lift(isKept: true, initially: value) { cell, value in cell.value == value ? .unchanged : .value(value) }
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
    return Signal<Value.Element>(cell, parents: [self], isKept: false) { outcome in
      guard outcome.isFresh else { return outcome }
      var collector = SignalCollector(cell)
      source.forEach(of: outcome) { value in for element in value { collector.add(element) } }
      return collector.outcome(orElse: .rejected)
    }
  }

  /// What the closure makes of each element of each value.
  @inlinable
  public func mapElements<Result>(_ transform: @escaping (Value.Element) -> Result) -> Signal<[Result]> {
    map { $0.map(transform) }
  }

  /// The elements of each value that satisfy the condition.
  @inlinable
  public func filterElements(_ isIncluded: @escaping (Value.Element) -> Bool) -> Signal<[Value.Element]> {
    map { $0.filter(isIncluded) }
  }

  /// The elements of each value, taken together.
  @inlinable
  public func reduceElements<Result>(
    _ initial: Result, _ next: @escaping (Result, Value.Element) -> Result
  ) -> Signal<Result> {
    map { $0.reduce(initial, next) }
  }
}

extension Signal where Value == Bool {
  /// True whenever the value becomes true. The value at the beginning is no edge; on a signal without one the first true is.
  @inlinable
  public func onRisingEdge() -> Signal<Bool> { onChange().filter { $0 } }

  /// False whenever the value becomes false. The value at the beginning is no edge; on a signal without one the first false is.
  @inlinable
  public func onFallingEdge() -> Signal<Bool> { onChange().filter { !$0 } }
}
