// error: type 'Motor' does not conform to protocol 'LineDevice'
import CycleCore
import HardwareDrivers

struct Motor: LineDevice {
  let chip: any GPIOChip
  var lines: [LineConfiguration] { [LineConfiguration("GPIO5", .output(.inactive, .pushPull))] }
  var safeModel: Bool { false }
  mutating func render(_ isOn: Bool, at moment: Moment) {}
}
