// error: type 'Beeper' does not conform to protocol 'Driver'
import CycleCore

struct Beeper: Driver {
  enum Model: Equatable { case off, on }
  enum Event { case beeped }
  var safeModel: Model { .off }
  mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {}
  mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {}
}
