import CycleCore

/// The signal inside a signal, and the node that follows it.
private final class JoinState<Inner> {
  unowned(unsafe) var node: SignalNode!
  var inner: Signal<Inner>?
  /// The transaction in which the inner signal was replaced.
  var exchange = -1

  init(inner: Signal<Inner>?) {
    self.inner = inner
  }
}

extension Signal {
  /// Makes a signal with the values of the inner signal, which is this signal's latest value. When the inner signal is
  /// replaced, the latest value of the new one, if it has one, follows immediately.
  public func join<Inner>() -> Signal<Inner> where Value == Signal<Inner> {
    let cell = SignalCell<Inner>()
    let joint = JoinState(inner: value)
    cell.value = joint.inner?.value
    let outer = SignalOperand(self)
    let sides = SignalOperands([outer])
    let from = self.cell
    let signal = Signal<Inner>(cell, parents: [self] + (joint.inner.map { [$0] } ?? []), keepsLatestValue: true) { _ in
      withExtendedLifetime(sides) {
        let node = joint.node!
        let stamp = node.stamp
        if joint.exchange != stamp, outer.outcome(at: stamp).isFresh, let inner = from.value {
          joint.exchange = stamp
          if let old = joint.inner { node.detach(from: old) }
          node.attach(to: inner)
          joint.inner = inner
          if inner.height >= node.height {
            // The new inner signal is not computed yet in this transaction: this step runs again after it.
            node.network.root.raise(node, above: inner)
            return .idle
          }
        }
        guard let inner = joint.inner else { return .rejected }
        if inner.stamp == stamp, !(inner.outcome == .unchanged && joint.exchange == stamp) {
          guard inner.outcome.isFresh else { return inner.outcome }
          if inner.outcome == .several { return cell.take(each: inner.cell) { .value($1) } }
          cell.value = inner.cell.value
          return .value
        }
        guard joint.exchange == stamp else { return outer.outcome(at: stamp) }
        guard let value = inner.value else { return .rejected }
        cell.value = value
        return .value
      }
    }
    joint.node = signal
    return signal
  }
}
