// error: type 'Never' has no member 'rung'
import CycleCore
import HardwareDrivers

struct Doorbell: LineDevice, AlarmReceiver {
  enum Ring { case rung }
  let chip: any GPIOChip
  var lines: [LineConfiguration] { [LineConfiguration("GPIO5", .output(.inactive, .pushPull))] }
  var alarm: Moment? { nil }
  mutating func ring(at moment: Moment, emit: Emit) { emit(.rung, moment) }
}
