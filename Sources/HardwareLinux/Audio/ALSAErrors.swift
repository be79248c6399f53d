internal import CALSA
import HardwareDrivers

/// What libasound tells on standard error.
enum ALSAErrors {
  /// Tells nothing any more: whoever calls tells errors itself. The handler is libasound's own, one for the process, so it is
  /// set once.
  static func silence() { _ = isSilent }

  private static let isSilent: Bool = calsa_silence_errors() == 0
}
