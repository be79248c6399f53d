import CycleCore

/// The error of this type that `body` throws; nil if it throws none. `#expect(throws:)` returns it only since Swift
/// 6.1.
package func thrown<Failure: Error>(_ type: Failure.Type, by body: () throws -> Void) -> Failure? {
  do {
    try body()
    return nil
  } catch {
    return error as? Failure
  }
}

/// The error of a driver that `body` throws; nil if it throws none.
package func driverError(_ body: () throws -> Void) -> DriverError? { thrown(DriverError.self, by: body) }
