import CycleCore
import Terminal

extension DriverError.Kind {
  /// A file that a command names is missing, or is a folder.
  public static let noSuchFile = DriverError.Kind(rawValue: "noSuchFile")
  /// A file that a command names can't be created, for example because its folder is missing.
  public static let cannotWrite = DriverError.Kind(rawValue: "cannotWrite")
}

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
