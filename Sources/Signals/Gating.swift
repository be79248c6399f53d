import CycleCore

/// A value that waits for a gate to open.
private final class Gate<Value> {
  var pending: Value?

  init(pending: Value?) {
    self.pending = pending
  }
}

extension Signal where Value == Bool {
  /// Makes a signal with the values of `source` while this signal is true. Of the values that arrive while it is false,
  /// the last one follows, once, when it becomes true.
  ///
  ///     source   1  2  3  .  4
  ///     gate     T  F  .  T  .
  ///     result   1  .  .  3  4
  ///
  /// If both change in one transaction, the gate's new value decides. An initial value of the source also waits, unless
  /// the gate is open at the beginning.
  public func gate<Source>(_ source: Signal<Source>) -> Signal<Source> {
    let cell = SignalCell<Source>()
    let gate = Gate<Source>(pending: value == true ? nil : source.value)
    let own = SignalOperand(self)
    let other = SignalOperand(source)
    let sides = SignalOperands([own, other])
    let (isOpen, from) = (self.cell, source.cell)
    return Signal<Source>(cell, parents: [self, source], keepsLatestValue: false) { _ in
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
        // If the source rejects a value, the waiting one is still delivered.
        guard let pending = gate.pending else { return outcome == .idle ? .unchanged : outcome }
        gate.pending = nil
        cell.value = pending
        return .value
      }
    }
  }

  /// Calls the closure with the values that pass the gate while the observer is held.
  public func gate<Source>(_ source: Signal<Source>, _ receive: @escaping (Source) -> Void) -> SignalObserver {
    gate(source) --> receive
  }
}

extension Signal {
  /// Makes a signal with the values while the other signal is false. Of the values that arrive while it is true (for
  /// example, because something moves), the last one follows when it becomes false.
  public func held(while isHeld: Signal<Bool>) -> Signal<Value> {
    not(isHeld).gate(self)
  }
}

extension SignalCell {
  /// Copies the values of another cell.
  fileprivate func take(each source: SignalCell, of outcome: SignalOutcome) -> SignalOutcome {
    values.pointee.last = source.values.pointee.last
    if outcome == .several { values.pointee.earlier = source.values.pointee.earlier }
    return outcome
  }
}
