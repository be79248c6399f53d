import CycleCore

/// A signal whose values are pushed into it.
///
///     let volume = Input(7)
///     volume <-- 8
///     volume.modify { $0 += 1 }
///
/// Every push starts a transaction, even with an equal value. A push during a transaction (for example, by an observer)
/// starts another one after it.
public final class Input<Value>: Signal<Value>, CustomStringConvertible {
  /// The pushes that wait for their transactions.
  private let waiting: WaitingChanges<Value>
  private let place: String

  /// Makes an input that has a value from the beginning.
  public convenience init(_ initial: Value, file: StaticString = #fileID, line: UInt = #line) {
    self.init(initially: initial, file: file, line: line)
  }

  /// Makes an input without a value until the first push.
  public convenience init(file: StaticString = #fileID, line: UInt = #line) {
    self.init(initially: nil, file: file, line: line)
  }

  private init(initially initial: Value?, file: StaticString, line: UInt) {
    place = "\(file):\(line)"
    let cell = SignalCell<Value>()
    cell.value = initial
    let waiting = WaitingChanges<Value>()
    self.waiting = waiting
    super.init(cell, parents: [], keepsLatestValue: true) { _ in
      switch waiting.queue.removeFirst() {
      case .value(let value): cell.value = value
      case .change(let change):
        guard var value = cell.value else { return .idle }
        change(&value)
        cell.value = value
      }
      return .value
    }
  }

  /// The type of the input and the place in the source where it was made.
  public var description: String { "Input<\(Value.self)> of \(place)" }

  /// Pushes a value. When this returns, all dependent signals are up to date, unless another transaction is running.
  @inlinable
  public func push(_ value: Value) {
    let network = self.network.root
    if network.isFree {
      cell.value = value
      network.run(self)
    } else {
      pushLater(value)
    }
  }

  @usableFromInline
  func pushLater(_ value: Value) {
    stage(value, isLast: true)
    network.root.runWaiting()
  }

  /// Queues a value as part of a transaction.
  func stage(_ value: Value, isLast: Bool) {
    stage(.value(value), isLast: isLast)
  }

  private func stage(_ change: InputChange<Value>, isLast: Bool) {
    waiting.queue.append(change)
    network.root.enqueue(self, isLast: isLast)
  }

  /// Pushes the latest value, changed by the closure. The closure gets the value at the beginning of its transaction,
  /// so several waiting changes don't undo each other. Does nothing if the input has no value by then.
  public func modify(_ change: @escaping (inout Value) -> Void) {
    if network.root.isFree {
      guard var value = cell.value else { return }
      change(&value)
      return push(value)
    }
    stage(.change(change), isLast: true)
    network.root.runWaiting()
  }
}

/// The queue of an input; each of its steps removes the first entry.
private final class WaitingChanges<Value> {
  var queue = Queue<InputChange<Value>>()
}

/// A queued push: a new value, or a change of the latest one.
private enum InputChange<Value> {
  case value(Value)
  case change((inout Value) -> Void)
}

/// `-->` binds weaker than `&&`: in `let output = isOpen && isLit --> { … }` its left operand is `isOpen && isLit`.
precedencegroup SignalPrecedence {
  higherThan: AssignmentPrecedence
  lowerThan: TernaryPrecedence
}

infix operator <-- : AssignmentPrecedence
infix operator --> : SignalPrecedence

/// Pushes a value into an input.
@inlinable
public func <-- <Value>(input: Input<Value>, value: Value) {
  input.push(value)
}

/// Runs several pushes as one transaction: a signal that depends on more than one of the inputs is computed once, with
/// all new values.
///
///     transaction {
///       $0.push(3, into: width)
///       $0.push(4, into: height)
///     }
///
/// If an input is pushed several times, the last value counts. Inputs of separate networks get one transaction for each
/// network. A transaction within the closure of another one becomes part of that one. Until the outermost closure has
/// returned, every signal keeps its previous value.
public func transaction(_ body: (borrowing Transaction) -> Void) {
  if let outer = Transaction.open { return body(Transaction(pushes: outer)) }
  let transaction = Transaction(pushes: TransactionPushes())
  Transaction.$open.withValue(transaction.pushes) { body(transaction) }
  transaction.pushes.run()
}

/// Collects the pushes of a ``transaction(_:)``.
public struct Transaction: ~Copyable {
  /// The pushes of the transaction whose closure is running on this thread.
  @TaskLocal fileprivate static var open: TransactionPushes?

  fileprivate let pushes: TransactionPushes

  /// Pushes the value into the input after the closure has returned.
  public func push<Value>(_ value: Value, into input: Input<Value>) {
    pushes.add(input) { input.stage(value, isLast: $0) }
  }
}

/// The pushes of one transaction. They stay on the thread of their signals.
private final class TransactionPushes: @unchecked Sendable {
  private struct Push {
    let input: SignalNode
    let stage: (_ isLast: Bool) -> Void
  }

  private var pushes: [Push] = []

  func add(_ input: SignalNode, _ stage: @escaping (_ isLast: Bool) -> Void) {
    let push = Push(input: input, stage: stage)
    if let index = pushes.firstIndex(where: { $0.input === input }) {
      pushes[index] = push
    } else {
      pushes.append(push)
    }
  }

  func run() {
    var rest = pushes
    while let first = rest.first {
      let network = first.input.network.root
      let own = rest.filter { $0.input.network.root === network }
      for (index, push) in own.enumerated() { push.stage(index == own.count - 1) }
      rest.removeAll { $0.input.network.root === network }
      network.runWaiting()
    }
  }
}
