import CycleCore
import Terminal

extension DriverError {
  /// The status that a program ends with because of this, after sysexits.h: 77 (`EX_NOPERM`) where this user may not use the hardware,
  /// 69 (`EX_UNAVAILABLE`) where it can't be had, 1 otherwise.
  public var exitStatus: Int32 {
    switch kind {
    case .notPermitted: ExitStatus.notPermitted
    case .absent, .busy, .lost, .misconfigured, .unsupported: ExitStatus.unavailable
    default: ExitStatus.failed
    }
  }
}
