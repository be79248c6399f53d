internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// A failed call of the system or of a C library: the function and its errno.
package struct SystemFailure: Error, Equatable {
  package var function: String
  package var number: Int32

  package init(function: String, number: Int32) {
    self.function = function
    self.number = number
  }

  /// The failure of a call that has just returned -1.
  package static func last(_ function: String) -> SystemFailure { SystemFailure(function: function, number: errno) }

  package var cause: DriverError.Cause {
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
  package var reason: String {
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
  package var kind: DriverError.Kind {
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
