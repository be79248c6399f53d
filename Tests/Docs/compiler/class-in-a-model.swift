// error: type 'Beeper.Model' does not conform to the 'Sendable' protocol
import CycleCore

final class Volume {}

struct Beeper: Driver {
  struct Model: Equatable {
    var volume: Volume
    static func == (one: Model, other: Model) -> Bool { one.volume === other.volume }
  }
  var safeModel: Model { Model(volume: Volume()) }
  mutating func start(showing model: Model, in context: DriverContext<Never>) throws(DriverError) {}
  mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {}
  mutating func stop() {}
}
