import CycleCore

/// Calls closures with a signal's values while the observer is held.
///
///     let output = volume --> { speaker.volume = $0 }            // at each new value
///     let lamp = isOn.observe { lamp.isLit = $0 }                // now, and at each new value
///
/// Observers are called, in the order in which they were made, after all signals of a transaction have their values. An
/// observer that is released during a transaction isn't called any more. An observer that is made during one is called
/// from the next one on.
public final class SignalObserver {
  private let node: ObserverNode

  /// - Parameters:
  ///   - willBegin: called when a transaction begins that could give a value, before anything is computed.
  ///   - onValue: called with each value.
  ///   - onNoValue: called if the transaction has given no value.
  ///   - signal: the signal.
  @inlinable
  public convenience init<Value>(
    _ signal: Signal<Value>, willBegin: (() -> Void)? = nil, onValue: ((Value) -> Void)? = nil,
    onNoValue: (() -> Void)? = nil
  ) {
    let onValue = onValue ?? { _ in }
    self.init(
      ObserverNode(
        signal, willBegin: willBegin,
        step: onNoValue.map { Self.step(signal.cell, onValue, $0) } ?? Self.step(signal.cell, onValue)))
  }

  @inlinable
  static func step<Value>(
    _ cell: SignalCell<Value>, _ onValue: @escaping (Value) -> Void
  ) -> (SignalOutcome) -> SignalOutcome {
    { outcome in
      // The most common case, one value, is tested first.
      if outcome == .value {
        onValue(cell.values.pointee.last.unsafelyUnwrapped)
      } else if outcome == .several {
        cell.forEach(of: outcome) { onValue($0) }
      }
      return outcome
    }
  }

  @inlinable
  static func step<Value>(
    _ cell: SignalCell<Value>, _ onValue: @escaping (Value) -> Void, _ onNoValue: @escaping () -> Void
  ) -> (SignalOutcome) -> SignalOutcome {
    { outcome in
      if outcome.isFresh { cell.forEach(of: outcome) { onValue($0) } } else { onNoValue() }
      return outcome
    }
  }

  @usableFromInline
  init(_ node: ObserverNode) {
    self.node = node
  }

  deinit {
    node.end()
  }
}

/// The node of an observer. The network retains it until the end of a transaction, because an observer's closure may
/// release the observer.
@usableFromInline
final class ObserverNode: SignalNode {
  let willBegin: (() -> Void)?
  @exclusivity(unchecked) private(set) var hasEnded = false

  @usableFromInline
  init(_ signal: SignalNode, willBegin: (() -> Void)?, step: @escaping (SignalOutcome) -> SignalOutcome) {
    self.willBegin = willBegin
    super.init(parents: [signal], isObserver: true, step: step)
    if willBegin != nil { network.root.beginListeners += 1 }
  }

  /// Ends the observer: it isn't called any more.
  func end() {
    hasEnded = true
    if willBegin != nil { network.root.beginListeners -= 1 }
    // Any of the merged networks may be the one that runs a transaction: all of them keep the node.
    var here: SignalNetwork? = network
    while let network = here {
      network.keepUntilServed(self)
      here = network.successor
    }
  }
}

/// Calls the closure with each new value while the observer is held.
@inlinable
public func --> <Value>(signal: Signal<Value>, receive: @escaping (Value) -> Void) -> SignalObserver {
  SignalObserver(ObserverNode(signal, willBegin: nil, step: SignalObserver.step(signal.cell, receive)))
}

/// Pushes each new value into an input, as the transaction after this one, while the observer is held.
public func --> <Value>(signal: Signal<Value>, input: Input<Value>) -> SignalObserver {
  SignalObserver(signal, onValue: { input.push($0) })
}

extension Signal {
  /// Calls the closure with each new value and, by default, immediately with the latest one.
  @inlinable
  public func observe(initial: Bool = true, _ receive: @escaping (Value) -> Void) -> SignalObserver {
    if initial, let value { receive(value) }
    return self --> receive
  }

  /// Calls the closure before each transaction that could give a value, even if it then gives none.
  public func willOutput(_ announce: @escaping () -> Void) -> SignalObserver {
    SignalObserver(self, willBegin: announce)
  }
}
