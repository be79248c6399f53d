import CycleCore
import Terminal

extension DriverError {
  /// The exit status for this error, after sysexits.h:
  /// - 66 (`EX_NOINPUT`) for a missing file, 74 (`EX_IOERR`) for a file that can't be written;
  /// - 77 (`EX_NOPERM`) without permission;
  /// - 69 (`EX_UNAVAILABLE`) if the hardware is absent, busy, lost, misconfigured or unsupported;
  /// - 1 for all other errors.
  public var exitStatus: Int32 {
    switch kind {
    case .noSuchFile: ExitStatus.noSuchFile
    case .cannotWrite: ExitStatus.cannotWrite
    case .notPermitted: ExitStatus.notPermitted
    case .absent, .busy, .lost, .misconfigured, .unsupported: ExitStatus.unavailable
    default: ExitStatus.failed
    }
  }
}
