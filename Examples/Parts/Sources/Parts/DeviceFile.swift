import CycleCore
import Glibc
import HardwareLinux

/// A device that is a file of the kernel, such as `/dev/ttyACM0`.
///
/// The settings of a serial line, such as its speed, are those that the line has: `stty -F /dev/ttyACM0 raw 9600`.
public final class DeviceFile: ByteSource {
  private let path: String
  private var descriptor: Int32 = -1
  private var watcher: Watcher?

  public init(_ path: String) { self.path = path }

  public func open(for watcher: Watcher) throws(DriverError) {
    descriptor = Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("open", errno) }
    self.watcher = watcher
    do {
      try watcher.watch(descriptor)
    } catch {
      close()
      throw error
    }
  }

  public func read(_ limit: Int) throws(DriverError) -> [UInt8] {
    guard limit > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = Glibc.read(descriptor, &bytes, limit)
    if count > 0 { return Array(bytes[..<count]) }
    let code = count == 0 ? EIO : errno
    if code == EAGAIN || code == EINTR { return [] }
    throw error("read", code)
  }

  public func close() {
    guard descriptor >= 0 else { return }
    watcher?.unwatch(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
    watcher = nil
  }

  private func error(_ function: String, _ code: Int32) -> DriverError {
    // A serial line whose device is gone reads the end of the file, or EIO.
    SystemFailure(function: function, number: code).error(
      of: path, cannot: "\(function) \(path)", kind: code == EIO ? .lost : nil,
      remedy: "Plug the device in, and add the user to the group that owns the file.")
  }
}
