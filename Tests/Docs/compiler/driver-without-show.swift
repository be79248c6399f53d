// error: referencing initializer 'init(_:name:on:trouble:isRequired:laneCapacity:)' on 'Lens' requires the types 'Bool' and 'NoModel' be equivalent
import CycleCore

struct Beeper: Driver {
  enum Event { case beeped }
  var safeModel: Bool { false }
  mutating func start(showing model: Bool, in context: DriverContext<Event>) throws(DriverError) {}
  mutating func render(_ model: Bool, replacing previous: Bool?) throws(DriverError) {}
  mutating func stop() {}
}

func bell() -> any Application<Int> {
  Cycle(seed: 0) {
    Lens(Beeper(), on: { frame, event in frame += 1 })
  }
}
