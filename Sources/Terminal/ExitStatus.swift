/// How a program ends, after sysexits.h.
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
  /// `EX_IOERR`.
  package static let cannotWrite: Int32 = 74
  /// `EX_NOPERM`.
  package static let notPermitted: Int32 = 77
}
