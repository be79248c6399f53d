// error: type 'Motor' does not conform to protocol 'StepTaker'
import CycleCore
import HardwareDrivers

struct Motor: LineDevice, StepTaker {
  typealias Event = Never
  let chip: any GPIOChip
  var lines: [LineConfiguration] { [LineConfiguration("GPIO5", .output(.inactive, .pushPull))] }
  var safeModel: Bool { false }
  var outputs: LineValues { [] }
  mutating func render(_ isOn: Bool, at moment: Moment) {}
  mutating func addStep(to steps: inout LineSteps) {}
  mutating func finishSteps(at clock: Moment, emit: Emit) {}
  mutating func abandonSteps() {}
  mutating func loseLines() {}
}
