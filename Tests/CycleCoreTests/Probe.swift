import CycleCore

/// What the probes of one test have done, in order.
final class Log {
  private let told = Told<String>()

  var lines: [String] { told.values }

  func write(_ line: String) { told.add(line) }
}

/// A driver that writes down what the cycle asks of it, and emits what the test tells it to.
final class Probe: Driver {
  enum Event: Equatable, Sendable {
    case value(String)
  }

  let name: String
  let log: Log
  var safeModel: String { "safe" }
  var context: DriverContext<Event>?
  /// What the driver emits when it has rendered a model.
  var answer: (String) -> [String] = { _ in [] }
  var startError: DriverError?
  /// Renders fail with this error while it is set.
  var renderError: DriverError?
  /// Wakes fail with this error while it is set.
  var wakeError: DriverError?
  /// Until then the hardware is on its way to the last model.
  var isAtRest = true
  var onStart: (DriverContext<Event>) -> Void = { _ in }
  var onWake: (Wake) -> Void = { _ in }

  init(_ name: String, _ log: Log = Log()) {
    self.name = name
    self.log = log
  }

  func start(showing model: String, in context: DriverContext<Event>) throws(DriverError) {
    if let startError { throw startError }
    self.context = context
    log.write("\(name) start \(model)")
    onStart(context)
  }

  func render(_ model: String, replacing previous: String?) throws(DriverError) {
    if let renderError {
      log.write("\(name) fail \(model)")
      throw renderError
    }
    log.write("\(name) \(previous ?? "nil")→\(model)")
    for event in answer(model) { context?.emit(.value(event)) }
  }

  func wake(_ wake: Wake) throws(DriverError) {
    log.write("\(name) \(wake)")
    if let wakeError { throw wakeError }
    onWake(wake)
  }

  func stop() {
    log.write("\(name) stop")
  }

  func emit(_ value: String, at moment: Moment? = nil) {
    guard let context else { return }
    context.emit(.value(value), at: moment ?? context.now)
  }
}

extension DriverError {
  static let broken = DriverError(.failed, cannot: "show it", reason: "the lamp is broken", remedy: "Change the lamp.")
}

extension Cycle where Lenses: ~Copyable {
  /// Lets what is due now happen.
  func settle() throws(DriverError) {
    try step(until: .zero)
  }
}
