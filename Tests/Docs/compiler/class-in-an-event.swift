// error: type 'Beeper.Event' does not conform to the 'Sendable' protocol
import CycleCore

final class Box {}

struct Beeper: Driver {
  enum Event { case opened(Box) }
  var safeModel: Bool { false }
  mutating func start(showing model: Bool, in context: DriverContext<Event>) throws(DriverError) {}
  mutating func render(_ model: Bool, replacing previous: Bool?) throws(DriverError) {}
  mutating func stop() {}
}
