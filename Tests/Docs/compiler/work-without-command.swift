// error: cannot convert value of type 'Int' to expected argument type 'Never'
import CycleCore

struct BeepWork: Work {
  var state: DriverError?
  mutating func step(in context: WorkContext<Self>) -> WorkWait { .forCommand }
}

func beep(_ worker: Worker<BeepWork>) throws {
  try worker.send(440)
}
