import CycleCore

/// The faults of a group's devices that were last reported to the application.
struct ReportedFaults {
  private var faults: [DriverError?]
  /// The number of these devices that have a fault.
  private(set) var count = 0

  init(deviceCount: Int) {
    faults = Array(repeating: nil, count: deviceCount)
  }

  /// Whether one of these devices has a fault.
  @inline(__always)
  static func exist<Device: LineDevice>(in devices: UnsafeMutableBufferPointer<Device>) -> Bool {
    for index in devices.indices where isFaulty(devices[index]) { return true }
    return false
  }

  // The compiler removes this call for device types without faults; a comparison with nil would still copy the fault.
  @inline(__always)
  private static func isFaulty(_ device: borrowing some LineDevice) -> Bool {
    if case .some = device.fault { true } else { false }
  }

  /// Records the device's fault, or that it has none. Returns the trouble to report: `restored` when the last fault of
  /// the driver is gone; nil if there is nothing to report.
  ///
  /// - Parameter total: the number of the driver's devices that have a fault, including those of other groups.
  mutating func note(_ fault: DriverError?, of device: Int, _ total: inout Int) -> Trouble? {
    guard fault != faults[device] else { return nil }
    let change = (fault == nil ? 0 : 1) - (faults[device] == nil ? 0 : 1)
    count += change
    total += change
    faults[device] = fault
    if let fault { return .failed(fault) }
    return total == 0 ? .restored : nil
  }

  /// Drops all faults: the devices have lost their lines.
  mutating func forget(_ total: inout Int) {
    total -= count
    self = ReportedFaults(deviceCount: faults.count)
  }
}
