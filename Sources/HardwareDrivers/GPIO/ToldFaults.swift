import CycleCore

/// The faults of some devices, as the application knows of them.
struct ToldFaults {
  private var faults: [DriverError?]
  /// How many devices have one.
  private(set) var count = 0

  init(deviceCount: Int) {
    faults = Array(repeating: nil, count: deviceCount)
  }

  /// What is to be told now that the device has this fault, or none; `restored` when the last one is gone.
  ///
  /// - Parameter total: how many devices of the driver have a fault, those of other groups included.
  mutating func note(_ fault: DriverError?, of device: Int, _ total: inout Int) -> Trouble? {
    guard fault != faults[device] else { return nil }
    let change = (fault == nil ? 0 : 1) - (faults[device] == nil ? 0 : 1)
    count += change
    total += change
    faults[device] = fault
    if let fault { return .failed(fault) }
    return total == 0 ? .restored : nil
  }

  /// The devices have lost their lines, and their faults with them.
  mutating func forget(_ total: inout Int) {
    total -= count
    self = ToldFaults(deviceCount: faults.count)
  }
}
