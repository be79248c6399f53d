import CycleCore

extension DriverError {
  /// The status that a program ends with because of this, after sysexits.h: 77 (`EX_NOPERM`) where this user may not use the hardware,
  /// 69 (`EX_UNAVAILABLE`) where it can't be had, 1 otherwise.
  public var exitStatus: Int32 {
    switch kind {
    case .notPermitted: 77
    case .absent, .busy, .lost, .misconfigured, .unsupported: 69
    default: 1
    }
  }
}
