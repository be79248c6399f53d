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
  /// A folder, and the names of entries in it.
  struct Place {
    var folder: String
    /// The entries whose changes count; nil for all.
    var names: Set<String>?
  }

  let watcher: Watcher
  private var descriptor: Int32
  /// The names of entries whose changes count, by the number of the watch of their folder; nil for all.
  private var names: [Int32: Set<String>?] = [:]

  /// Calls `inotify_init1` and `inotify_add_watch`.
  ///
  /// - Parameters:
  ///   - folder: the folder of the device's node, such as `/dev`. It must exist.
  ///   - device: the awaited device's name in errors, with its article: `a GPIO chip`.
  ///   - watcher: the watcher of the driver's lens.
  /// - Throws: the kind of the errno, if the folder is missing or the system's limit of watches is reached.
  public convenience init(_ folder: String, for device: String, _ watcher: Watcher) throws(DriverError) {
    try self.init([Place(folder: folder)], for: device, watcher)
  }

  /// Watches those of some folders that exist.
  ///
  /// - Throws: if none of them can be watched, the error of the first.
  init(_ places: [Place], for device: String, _ watcher: Watcher) throws(DriverError) {
    self.watcher = watcher
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    let first = places.first?.folder ?? ""
    if descriptor < 0 { throw Self.failed(first, device, .last("inotify_init1")) }
    let events = UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO)
    var failure: SystemFailure?
    for place in places {
      let watch = inotify_add_watch(descriptor, place.folder, events)
      if watch >= 0 { names[watch] = .some(place.names) } else { failure = failure ?? .last("inotify_add_watch") }
    }
    if names.isEmpty, let failure {
      close(descriptor)
      descriptor = -1
      throw Self.failed(first, device, failure)
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
      while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        if containsNews(UnsafeRawBufferPointer(buffer)[..<count]) { hasNews = true }
      }
    }
    return hasNews
  }

  /// Whether a change that counts is among the events.
  private func containsNews(_ events: Slice<UnsafeRawBufferPointer>) -> Bool {
    let header = MemoryLayout<inotify_event>.size
    var rest = events
    while rest.count >= header {
      let event = UnsafeRawBufferPointer(rebasing: rest).load(as: inotify_event.self)
      rest = rest.dropFirst(header)
      let name = String(decoding: rest.prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self)
      rest = rest.dropFirst(Int(event.len))
      // An overflow of the queue has no folder: what was lost may count.
      guard let counted = names[event.wd], let counted else { return true }
      if counted.contains(name) { return true }
    }
    return false
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
