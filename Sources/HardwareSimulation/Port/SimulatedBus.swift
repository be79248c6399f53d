import CycleCore
import HardwareDrivers

/// A bus in memory, with the failures that the world's side asks for: ``SimulatedI2CBus``, ``SimulatedSPIBus``.
public protocol SimulatedBus: SimulatedHardware {
  var bench: Bench { get }
  /// The name of the bus in messages.
  var name: String { get }
  /// The names of the connected devices in messages.
  var deviceNames: [String] { get }
  /// The next opening fails with this error, once.
  var nextOpenError: DriverError? { get set }
  /// The next transfer fails with this error, once, before it uses the wire.
  var nextTransferError: DriverError? { get set }
  /// The number of transfers that succeed before the one that fails with ``nextTransferError``.
  var transfersBeforeError: Int { get set }
  /// Every transfer fails with this error until it is set to nil, before it uses the wire.
  var lastingTransferError: DriverError? { get set }
  /// Whether a transfer that fails with one of these errors uses the wire and takes effect nevertheless.
  var failedTransfersTakeEffect: Bool { get set }
  /// The number of open connections to devices.
  var openCount: Int { get }
  /// The number of requested transfers, including failed ones.
  var transferCount: Int { get }

  /// Calls `listener` at the end of each transfer.
  func onTransaction(_ listener: @escaping () -> Void)
}

extension SimulatedBus {
  /// Begins a transfer: throws the error that it fails with if it uses the wire no more; returns the one to throw after
  /// it has taken effect.
  func takeTransferError() throws(DriverError) -> DriverError? {
    if nextTransferError != nil, transfersBeforeError > 0 {
      transfersBeforeError -= 1
      return nil
    }
    guard let error = nextTransferError ?? lastingTransferError else { return nil }
    nextTransferError = nil
    guard failedTransfersTakeEffect else { throw error }
    return error
  }
}
