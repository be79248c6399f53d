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
  mutating func note(_ fault: DriverError?, of device: Int) -> Trouble? {
    guard fault != faults[device] else { return nil }
    if faults[device] != nil { count -= 1 }
    if fault != nil { count += 1 }
    faults[device] = fault
    if let fault { return .failed(fault) }
    return count == 0 ? .restored : nil
  }

  /// The devices have lost their lines, and their faults with them.
  mutating func forget() {
    self = ToldFaults(deviceCount: faults.count)
  }
}
