import CycleCore
import Terminal

extension DriverError {
  /// The exit status for this error, after sysexits.h: 77 (`EX_NOPERM`) without permission, 69 (`EX_UNAVAILABLE`) if
  /// the hardware is absent, busy, lost, misconfigured or unsupported, 66 (`EX_NOINPUT`) if there is no such file, 1 otherwise.
  public var exitStatus: Int32 {
    switch kind {
    case .notPermitted: ExitStatus.notPermitted
    case .noSuchFile: ExitStatus.noSuchFile
    case .absent, .busy, .lost, .misconfigured, .unsupported: ExitStatus.unavailable
    default: ExitStatus.failed
    }
  }
}

extension DriverError.Kind {
  /// There is no such file, or it is a folder.
  public static let noSuchFile = DriverError.Kind(rawValue: "noSuchFile")
}
