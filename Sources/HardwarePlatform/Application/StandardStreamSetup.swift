import Glibc
import HardwareDrivers
import HardwareSimulation

/// Prepares the standard streams of a program that drives outputs; must be called first.
///
/// A program killed by a signal leaves its outputs driven, so a write to a stream must not kill it.
public enum StandardStreamSetup {
  /// Ignores SIGPIPE and SIGXFSZ, so that a write to a pipe without a reader, or beyond the limit of a file's size,
  /// fails instead of killing the program. Opens `/dev/null` in place of a standard stream that is closed. Without
  /// that, the next opened file would get its number, and would receive the stream's output. Calls `signal`, `fcntl`
  /// and `open`.
  public static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is the number of this stream.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
