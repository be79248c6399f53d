import CycleCore

/// A signal that is pushed into.
///
///     let volume = Input(7)
///     volume <-- 8
///     volume.modify { $0 += 1 }
///
/// Every push counts, also one of the same value. What is pushed while a transaction runs, as by an output, becomes the
/// transaction after it.
public final class Input<Value>: Signal<Value>, CustomStringConvertible {
  /// Values that wait for their transactions.
  private let waiting: WaitingValues<Value>
  private let place: String

  /// An input that has a value from the beginning.
  public convenience init(_ initial: Value, file: StaticString = #fileID, line: UInt = #line) {
    self.init(initially: initial, file: file, line: line)
  }

  /// An input without a value until the first push.
  public convenience init(file: StaticString = #fileID, line: UInt = #line) {
    self.init(initially: nil, file: file, line: line)
  }

  private init(initially initial: Value?, file: StaticString, line: UInt) {
    place = "\(file):\(line)"
    let cell = SignalCell<Value>()
    cell.value = initial
    let waiting = WaitingValues<Value>()
    self.waiting = waiting
    super.init(cell, parents: [], isKept: true) { _ in
      cell.value = waiting.queue.removeFirst()
      return .value
    }
  }

  /// The input of which type it is and where it was made.
  public var description: String { "Input<\(Value.self)> of \(place)" }

  /// Pushes a value: everything that depends on it is up to date when this returns, unless a transaction is under way.
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
    waiting.queue.append(value)
    network.root.enqueue(self, isLast: isLast)
  }

  /// Pushes what becomes of the latest value. An input without one is left alone.
  public func modify(_ change: (inout Value) -> Void) {
    guard var value = cell.value else { return }
    change(&value)
    push(value)
  }
}

/// The queue of an input, which its step takes from.
private final class WaitingValues<Value> {
  var queue = Queue<Value>()
}

/// `let output = isOpen && isLit --> { … }`: what is on the left goes, as a whole, to what is on the right.
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

/// Several pushes as one transaction: what depends on more than one of the inputs is computed once, with all of them.
///
///     transaction {
///       $0.push(3, into: width)
///       $0.push(4, into: height)
///     }
///
/// An input has one value in a transaction: the last one that is pushed. Where the inputs aren't connected, each network has a
/// transaction of its own.
public func transaction(_ body: (inout Transaction) -> Void) {
  var transaction = Transaction()
  body(&transaction)
  transaction.run()
}

/// The pushes of one ``transaction(_:)``.
public struct Transaction {
  private struct Push {
    let input: SignalNode
    let stage: (_ isLast: Bool) -> Void
  }

  private var pushes: [Push] = []

  fileprivate init() {}

  public mutating func push<Value>(_ value: Value, into input: Input<Value>) {
    let push = Push(input: input, stage: { input.stage(value, isLast: $0) })
    if let index = pushes.firstIndex(where: { $0.input === input }) {
      pushes[index] = push
    } else {
      pushes.append(push)
    }
  }

  fileprivate func run() {
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
