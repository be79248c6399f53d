/// The exit statuses of a program, from sysexits.h.
package enum ExitStatus {
  package static let success: Int32 = 0
  package static let failed: Int32 = 1
  /// `EX_USAGE`.
  package static let wrongUsage: Int32 = 64
  /// `EX_DATAERR`.
  package static let wrongContent: Int32 = 65
  /// `EX_NOINPUT`.
  package static let noSuchFile: Int32 = 66
  /// `EX_UNAVAILABLE`.
  package static let unavailable: Int32 = 69
  /// `EX_SOFTWARE`: a forbidden condition was reached.
  package static let propertyViolated: Int32 = 70
  /// `EX_IOERR`.
  package static let cannotWrite: Int32 = 74
  /// `EX_TEMPFAIL`: a limit was reached before there was a result.
  package static let undecided: Int32 = 75
  /// `EX_NOPERM`.
  package static let notPermitted: Int32 = 77
  /// 128 plus the number of SIGINT, as in shells.
  package static let interrupted: Int32 = 130
}
