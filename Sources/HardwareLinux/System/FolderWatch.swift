internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// Wakes a driver when an entry of a folder is created, moved in or deleted, or changes its permissions.
///
/// udev creates a device's node first and sets its group afterwards, so the driver is woken for both. A driver of your
/// own returns it from ``CycleCore/Driver/watchForReturn(_:)``:
///
///     try FolderWatch("/dev", for: "a scanner", watcher)
public final class FolderWatch: ReturnWatch {
  let watcher: Watcher
  private var descriptor: Int32

  /// Calls `inotify_init1` and `inotify_add_watch`.
  ///
  /// - Parameters:
  ///   - folder: the folder of the device's node, such as `/dev`. It must exist.
  ///   - device: the awaited device's name in errors, with its article: `a GPIO chip`.
  ///   - watcher: the watcher of the driver's lens.
  /// - Throws: the kind of the errno, if the folder is missing or the system's limit of watches is reached.
  public init(_ folder: String, for device: String, _ watcher: Watcher) throws(DriverError) {
    self.watcher = watcher
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    if descriptor < 0 { throw Self.failed(folder, device, .last("inotify_init1")) }
    let events = UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO)
    if inotify_add_watch(descriptor, folder, events) < 0 {
      let failure = SystemFailure.last("inotify_add_watch")
      close(descriptor)
      descriptor = -1
      throw Self.failed(folder, device, failure)
    }
    do throws(DriverError) {
      try watcher.watch(descriptor)
    } catch {
      close(descriptor)
      descriptor = -1
      throw error
    }
  }

  deinit {
    release()
  }

  @discardableResult
  public func acknowledge() -> Bool {
    guard descriptor >= 0 else { return false }
    var hasNews = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 { hasNews = true }
    }
    return hasNews
  }

  public func release() {
    guard descriptor >= 0 else { return }
    watcher.unwatch(descriptor)
    close(descriptor)
    descriptor = -1
  }

  private static func failed(_ folder: String, _ device: String, _ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind, of: folder, cannot: "watch \(folder) for the return of \(device)", reason: failure.reason,
      cause: failure.cause,
      remedy: "Raise fs.inotify.max_user_instances or the limit of open files; the folder must be there.")
  }
}
