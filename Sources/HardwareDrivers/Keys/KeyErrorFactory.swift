import CycleCore

/// Errors of an input device: the real one and the simulated one report the same text. Throw them in a ``KeyDevice`` of
/// your own.
public struct KeyErrorFactory: OpeningErrorFactory {
  /// The device as the configuration names it.
  public var subject: String

  public init(_ choice: KeyChoice) { subject = choice.text }

  init(name: String) { subject = name }

  private var device: String { "the input device \"\(subject)\"" }
  package var opened: String { device }
  package var group: String { "input" }

  package func cannotOpen(_ kind: DriverError.Kind, _ reason: String, cause: DriverError.Cause) -> DriverError {
    other(kind, reason, cause: cause)
  }

  /// The error of a device that is not there: kind `absent`.
  public func absent(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .absent, of: subject, cannot: "open \(device)", reason: "there is no such device", cause: cause,
      remedy: "Plug it in; `cat /proc/bus/input/devices` lists the names of all input devices.")
  }

  /// The error of a device that another program has grabbed: kind `busy`.
  public func busy(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .busy, of: subject, cannot: "grab \(device)", reason: "another program has grabbed it", cause: cause,
      remedy: "Stop that program; `sudo fuser -v /dev/input/event*` names it.")
  }

  /// The error of a device that this program reads by another name: kind `misconfigured`.
  public func sameDevice(as other: String) -> DriverError {
    DriverError(
      .misconfigured, of: subject, cannot: "open \(device)",
      reason: "it is the same device as \"\(other)\", which this program reads",
      remedy: "Only one entry can use an input device: remove one, or name another device.")
  }

  /// The error of a user who may not open the device: kind `notPermitted`.
  public func notPermitted(_ reason: String = "permission denied", cause: DriverError.Cause? = nil) -> DriverError {
    refused(reason, cause: cause)
  }

  /// The error of a device that is unplugged while it is open: kind `lost`.
  public func lost(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .lost, of: subject, cannot: "read \(device)", reason: "the device is gone", cause: cause,
      remedy: "Plug it in again.")
  }

  /// The error of any other failure.
  public func failed(
    _ operation: String, _ kind: DriverError.Kind = .failed, _ reason: String, cause: DriverError.Cause
  ) -> DriverError {
    DriverError(
      kind, of: subject, cannot: "\(operation) \(device)", reason: reason, cause: cause,
      remedy: "`dmesg` may show the cause.")
  }

  /// The report of events that the kernel has dropped because they were not read in time.
  public func dropped() -> DriverError {
    DriverError(
      .failed, of: subject, cannot: "read all keys of \(device)", reason: "the kernel's queue was full",
      remedy: "Some presses are missing; the keys that are down now are known.")
  }

  /// The report of steps of an axis that the kernel has dropped, or that are too many.
  func droppedSteps(_ reason: String) -> DriverError {
    DriverError(
      .failed, of: subject, cannot: "read all steps of \(device)", reason: reason, remedy: "Some steps are missing.")
  }

  /// The report of a code that is not one of the known ones, so that a person can learn it.
  func unknown(code: String) -> DriverError {
    DriverError(
      .failed, of: subject, cannot: "name the code \"\(code)\"", reason: "it is not in the list of known codes",
      remedy: "Add it to the list, or ignore this message.")
  }

  /// The report of a code that was dropped.
  func dropped(code reason: String, remedy: String) -> DriverError {
    DriverError(.failed, of: subject, cannot: "read a code of \(device)", reason: reason, remedy: remedy)
  }
}
