import CycleCore

/// What happens outside when a signal has a value. It lives as long as it is held.
///
///     let output = volume --> { speaker.volume = $0 }            // at each new value
///     let lamp = isOn.observe { lamp.isLit = $0 }                // now, and at each new value
///
/// Receivers are called when all signals of a transaction have their values, in the order in which they were made. One that is
/// let go during a transaction isn't called any more; one that is made during it is called from the next one on.
public final class Receiver {
  private let node: ReceiverNode

  /// - Parameters:
  ///   - begin: a transaction begins that may bring a value. Nothing of it has been computed yet.
  ///   - end: a value.
  ///   - cancel: the transaction has brought none.
  @inlinable
  public convenience init<Value>(
    _ signal: Signal<Value>, begin: (() -> Void)? = nil, end: ((Value) -> Void)? = nil, cancel: (() -> Void)? = nil
  ) {
    let end = end ?? { _ in }
    self.init(
      ReceiverNode(
        signal, begin: begin,
        step: cancel.map { Self.step(signal.cell, end, $0) } ?? Self.step(signal.cell, end)))
  }

  @inlinable
  static func step<Value>(
    _ cell: SignalCell<Value>, _ end: @escaping (Value) -> Void
  ) -> (SignalOutcome) -> SignalOutcome {
    { outcome in
      // What happens at each push comes first, and without looking further.
      if outcome == .value {
        end(cell.values.pointee.last.unsafelyUnwrapped)
      } else if outcome == .several {
        cell.forEach(of: outcome) { end($0) }
      }
      return outcome
    }
  }

  @inlinable
  static func step<Value>(
    _ cell: SignalCell<Value>, _ end: @escaping (Value) -> Void, _ cancel: @escaping () -> Void
  ) -> (SignalOutcome) -> SignalOutcome {
    { outcome in
      if outcome.isFresh { cell.forEach(of: outcome) { end($0) } } else { cancel() }
      return outcome
    }
  }

  @usableFromInline
  init(_ node: ReceiverNode) {
    self.node = node
  }

  deinit {
    node.end()
  }
}

/// The place of a receiver in the network. The network keeps it until a transaction is over: a receiver may be let go by what
/// it does.
@usableFromInline
final class ReceiverNode: SignalNode {
  let begin: (() -> Void)?
  @exclusivity(unchecked) private(set) var hasEnded = false

  @usableFromInline
  init(_ signal: SignalNode, begin: (() -> Void)?, step: @escaping (SignalOutcome) -> SignalOutcome) {
    self.begin = begin
    super.init(parents: [signal], isReceiver: true, step: step)
    if begin != nil { network.root.beginListeners += 1 }
  }

  /// From now on it isn't served any more.
  func end() {
    hasEnded = true
    if begin != nil { network.root.beginListeners -= 1 }
    // Whichever of the networks is at work.
    var here: SignalNetwork? = network
    while let network = here {
      network.keepUntilServed(self)
      here = network.successor
    }
  }
}

/// Calls the closure with each new value, for as long as the receiver is held.
@inlinable
public func --> <Value>(signal: Signal<Value>, receive: @escaping (Value) -> Void) -> Receiver {
  Receiver(ReceiverNode(signal, begin: nil, step: Receiver.step(signal.cell, receive)))
}

/// Pushes each new value into an input, as the transaction after this one, for as long as the receiver is held.
public func --> <Value>(signal: Signal<Value>, input: Input<Value>) -> Receiver {
  Receiver(signal, end: { input.push($0) })
}

extension Signal {
  /// Calls the closure with each new value and, unless told otherwise, with the latest one at once.
  @inlinable
  public func observe(initial: Bool = true, _ receive: @escaping (Value) -> Void) -> Receiver {
    if initial, let value { receive(value) }
    return self --> receive
  }

  /// Calls the closure before each transaction that may bring a value, also one that then brings none.
  public func willOutput(_ announce: @escaping () -> Void) -> Receiver {
    Receiver(self, begin: announce)
  }
}
