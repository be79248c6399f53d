import CycleCore

/// The errors of a device node that can't be opened. The ports of buses, lines and input devices have such nodes.
package protocol OpeningErrorFactory {
  /// The name in errors: `spidev0.1`.
  var subject: String { get }
  /// The object of "cannot open": `i2c-1 for 0x27`.
  var opened: String { get }
  /// The group whose members may open the node.
  var group: String { get }

  /// The error of a node that does not exist, or has no hardware: kind `absent`.
  func absent(cause: DriverError.Cause?) -> DriverError
  /// The error of a node that can't be opened for any other reason.
  func cannotOpen(_ kind: DriverError.Kind, _ reason: String, cause: DriverError.Cause) -> DriverError
}

extension OpeningErrorFactory {
  /// The error of a user who may not open the node: kind `notPermitted`.
  package func refused(_ reason: String, cause: DriverError.Cause?) -> DriverError {
    DriverError(
      .notPermitted, of: subject, cannot: "open \(opened)", reason: reason, cause: cause,
      remedy: "Add this user to the group \"\(group)\" (`sudo usermod -aG \(group) USER`) and log in again.")
  }

  /// The error of a node that can't be opened for any other reason, with the hint at the kernel's log.
  package func other(_ kind: DriverError.Kind, _ reason: String, cause: DriverError.Cause) -> DriverError {
    DriverError(
      kind, of: subject, cannot: "open \(opened)", reason: reason, cause: cause, remedy: "`dmesg` may show the cause.")
  }
}
