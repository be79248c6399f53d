import CycleCore

/// The cycle's calls to the probes of one test, in order.
package final class Log {
  private let told = ValueTrace<String>()

  package init() {}

  package var lines: [String] { told.values }

  package func write(_ line: String) { told.add(line) }
}

/// A driver that logs the cycle's calls to it, and emits the events that the test gives it.
package final class Probe: Driver {
  package enum Event: Equatable, Sendable, Codable {
    case value(String)
  }

  package let name: String
  package let log: Log
  package var safeModel: String { "safe" }
  package var context: DriverContext<Event>?
  /// What the driver emits when it has rendered a model.
  package var answer: (String) -> [String] = { _ in [] }
  package var startError: DriverError?
  /// Renders fail with this error while it is set.
  package var renderError: DriverError?
  /// Wakes fail with this error while it is set.
  package var wakeError: DriverError?
  /// False: the hardware has not yet come to where the last model wants it.
  package var isAtRest = true
  package var onStart: (DriverContext<Event>) -> Void = { _ in }
  package var onWake: (Wake) -> Void = { _ in }

  package init(_ name: String, _ log: Log = Log()) {
    self.name = name
    self.log = log
  }

  package func start(showing model: String, in context: DriverContext<Event>) throws(DriverError) {
    if let startError { throw startError }
    self.context = context
    log.write("\(name) start \(model)")
    onStart(context)
  }

  package func render(_ model: String, replacing previous: String?) throws(DriverError) {
    if let renderError {
      log.write("\(name) fail \(model)")
      throw renderError
    }
    log.write("\(name) \(previous ?? "nil")→\(model)")
    for event in answer(model) { context?.emit(.value(event)) }
  }

  package func wake(_ wake: Wake) throws(DriverError) {
    log.write("\(name) \(wake)")
    if let wakeError { throw wakeError }
    onWake(wake)
  }

  package func stop() {
    log.write("\(name) stop")
  }

  package func emit(_ value: String, at moment: Moment? = nil) {
    guard let context else { return }
    context.emit(.value(value), at: moment ?? context.now)
  }
}

extension DriverError {
  package static let broken = DriverError(
    .failed, cannot: "show it", reason: "the lamp is broken", remedy: "Change the lamp.")
}

extension Cycle where Lenses: ~Copyable {
  /// Handles everything that is due now.
  package func settle() throws(DriverError) {
    try step(until: .zero)
  }
}
