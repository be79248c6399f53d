internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// A failed call of the system or of a C library, for the errors of a port:
///
///     guard descriptor >= 0 else {
///       throw SystemFailure.last("open").error(of: path, cannot: "open \(path)", remedy: "Plug the device in.")
///     }
public struct SystemFailure: Error, Equatable, Sendable {
  /// The C function: `open`.
  public var function: String
  /// The errno.
  public var number: Int32

  public init(function: String, number: Int32) {
    self.function = function
    self.number = number
  }

  /// The failure of a call that has just returned -1. Reads `errno`.
  public static func last(_ function: String) -> SystemFailure { SystemFailure(function: function, number: errno) }

  /// The failure as an error of a driver, with the errno's ``reason`` and ``cause``.
  ///
  /// - Parameters:
  ///   - subject: the hardware, as the configuration names it: a path, an address.
  ///   - operation: the failed operation, as it follows the word "cannot": `open /dev/ttyACM0`.
  ///   - kind: the kind of the error; that of the errno unless given.
  ///   - remedy: the remedy, in complete sentences.
  public func error(
    of subject: String, cannot operation: String, kind: DriverError.Kind? = nil, remedy: String
  ) -> DriverError {
    DriverError(
      kind ?? self.kind, of: subject, cannot: operation, reason: reason, cause: cause, remedy: remedy)
  }

  /// The function and the errno, with its name.
  public var cause: DriverError.Cause {
    DriverError.Cause(function: function, name: Self.name(of: number), number: number)
  }

  /// The name of an errno, as in `EBUSY`.
  static func name(of number: Int32) -> String {
    // ENOTSUPP is internal to the kernel and not defined for programs, but some drivers return it.
    if number == 524 { return "ENOTSUPP" }
    guard let name = clinux_errno_name(number) else { return "errno \(number)" }
    return String(cString: name)
  }

  /// A short description of the errno.
  public var reason: String {
    switch number {
    case EBUSY: "busy"
    case EACCES: "permission denied"
    case EPERM: "not permitted"
    case ENOENT: "not there"
    case ENODEV: "the device is gone"
    case EINVAL: "not accepted by the device"
    case EMFILE: "this program has too many files open"
    case ENFILE: "the system has too many files open"
    case ENOMEM: "out of memory"
    case ENOSPC: "a limit of the system is reached"
    case ENXIO: "the device has no interrupt for it"
    case ENOSYS, ENOTSUP, ENOTTY, 524: "not supported"
    default: "the system refused it"
    }
  }

  /// The kind of error for the errno; callers with more information choose a different one.
  public var kind: DriverError.Kind {
    switch number {
    case EBUSY: .busy
    case EACCES, EPERM: .notPermitted
    case ENOENT: .absent
    case ENODEV: .lost
    case EINVAL, ENXIO, ENOSYS, ENOTSUP, ENOTTY, 524: .unsupported
    default: .failed
    }
  }
}

extension SystemFailure {
  /// The error of a call that opens a device node, by the number: no node or no hardware, no right, or any other.
  func error(opening fault: some OpeningErrorFactory) -> DriverError {
    switch number {
    case ENOENT, ENODEV, ENXIO, ESHUTDOWN: fault.absent(cause: cause)
    case EACCES, EPERM: fault.refused(reason, cause: cause)
    default: fault.cannotOpen(kind, reason, cause: cause)
    }
  }
}
