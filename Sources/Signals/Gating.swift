import CycleCore

/// A value that waits for a gate to open.
private final class Gate<Value> {
  var pending: Value?

  init(pending: Value?) {
    self.pending = pending
  }
}

extension Signal where Value == Bool {
  /// The values of a signal while this one is true. Of those that come meanwhile the last one follows when this becomes true, once.
  ///
  ///     source   1  2  3  .  4
  ///     gate     T  F  .  T  .
  ///     result   1  .  .  3  4
  ///
  /// Where both change together the gate's new value decides. A value that the source has from the beginning waits, too, unless
  /// the gate is open then.
  public func gate<Source>(_ source: Signal<Source>) -> Signal<Source> {
    let cell = SignalCell<Source>()
    let gate = Gate<Source>(pending: value == true ? nil : source.value)
    let own = SignalSide(self)
    let other = SignalSide(source)
    let sides = SignalSides([own, other])
    let (isOpen, from) = (self.cell, source.cell)
    return Signal<Source>(cell, parents: [self, source], isKept: false) { _ in
      withExtendedLifetime(sides) {
        let stamp = max(own.stamp, other.stamp)
        _ = own.outcome(at: stamp)
        let outcome = other.outcome(at: stamp)
        guard own.hasValue.pointee, isOpen.value == true else {
          if outcome.isFresh { gate.pending = from.value }
          return outcome == .idle ? .unchanged : outcome.isFresh ? .rejected : outcome
        }
        if outcome.isFresh {
          gate.pending = nil
          return cell.take(each: from, of: outcome)
        }
        // What a source takes back does not take back what it gave before.
        guard let pending = gate.pending else { return outcome == .idle ? .unchanged : outcome }
        gate.pending = nil
        cell.value = pending
        return .value
      }
    }
  }

  /// Calls the closure with the values that pass the gate, for as long as the receiver is held.
  public func gate<Source>(_ source: Signal<Source>, _ receive: @escaping (Source) -> Void) -> Receiver {
    gate(source) --> receive
  }
}

extension Signal {
  /// The values that come while the other signal is false, as while something moves: the last one of those that are held follows
  /// afterwards.
  public func held(while isHeld: Signal<Bool>) -> Signal<Value> {
    not(isHeld).gate(self)
  }
}

extension SignalCell {
  /// Takes the values of another cell.
  fileprivate func take(each source: SignalCell, of outcome: SignalOutcome) -> SignalOutcome {
    values.pointee.last = source.values.pointee.last
    if outcome == .several { values.pointee.earlier = source.values.pointee.earlier }
    return outcome
  }
}
