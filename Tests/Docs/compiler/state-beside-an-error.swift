// error: referencing instance method 'reportTrouble()' on 'Worker' requires the types 'BeepState' and 'DriverError?' be equivalent
import CycleCore

struct BeepState: Equatable {
  var error: DriverError?
  var beeps = 0
}

struct BeepWork: Work {
  typealias Command = Int
  var state = BeepState()
  mutating func step(in context: WorkContext<Self>) -> WorkWait { .forCommand }
}

func report(_ worker: Worker<BeepWork>) {
  worker.reportTrouble()
}
