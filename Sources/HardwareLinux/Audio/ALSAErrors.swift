internal import CALSA
import HardwareDrivers

/// The messages that libasound prints on standard error.
enum ALSAErrors {
  /// Suppresses the messages: callers of libasound throw its errors instead. libasound has one handler for the whole
  /// process, so it is set once.
  static func silence() { _ = isSilent }

  private static let isSilent: Bool = calsa_silence_errors() == 0
}
