import CycleCore

/// The error of a driver that `body` throws; nil if it throws none. `#expect(throws:)` returns it only since Swift 6.1.
package func driverError(_ body: () throws -> Void) -> DriverError? {
  do {
    try body()
    return nil
  } catch {
    return error as? DriverError
  }
}
