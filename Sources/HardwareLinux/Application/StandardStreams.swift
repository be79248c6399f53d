import Glibc
import HardwareDrivers
import HardwareSimulation

/// What a program with outputs does about its standard streams before anything else.
///
/// A program that ends by a signal leaves its outputs driven: writing to a stream must not end it.
public enum StandardStreams {
  /// Ignores SIGPIPE and SIGXFSZ, so that writing to a reader that is gone, or beyond the limit of a file's size, is an error of
  /// `write` and not the end of the program. Opens `/dev/null` in place of a standard stream that is closed: the next file that
  /// is opened would take its number, and get what is written to the stream. Calls `signal`, `fcntl` and `open`.
  public static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // The lowest number that is free is the stream's own.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
