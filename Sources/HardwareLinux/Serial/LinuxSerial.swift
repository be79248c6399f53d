internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// A serial line of a real board: the kernel's `/dev/serial0`, `/dev/ttyUSB0`, `/dev/ttyACM0`.
///
///     let line = LinuxSerial("/dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0")
///
/// An open line is locked with `flock` and `TIOCEXCL`: a second program of this kind gets the error `busy`. A line on
/// USB that is pulled out reads its end, and writes give EIO.
public final class LinuxSerial: SerialLine {
  public let name: String
  public let text = SerialTextReader()
  public var needsThread: Bool { true }
  private let system: any SerialSystem

  /// Doesn't open the line.
  ///
  /// - Parameter path: the path of the device node, or of a link to it.
  public convenience init(_ path: String) { self.init(path, system: LinuxSerialSystem()) }

  init(_ path: String, system: any SerialSystem) {
    (name, self.system) = (path, system)
  }

  private var fault: SerialErrorFactory { SerialErrorFactory(name) }

  /// Opens the device's node, locks it, and sets raw bytes and the speed. Calls `stat`, `open`, `flock` and `ioctl`.
  public func open(_ settings: SerialSettings) throws(DriverError) -> any SerialConnection {
    var descriptor: Int32 = -1
    do throws(SystemFailure) {
      // Checked before it is opened, because opening some files has an effect.
      if try system.isDevice(name) { descriptor = try system.open(name) }
    } catch {
      throw refusal(error)
    }
    guard descriptor >= 0 else { throw fault.notSerial() }
    let device = system.device(of: descriptor)
    do throws(DriverError) {
      if let other = OpenNodes.shared.otherName(of: device, than: name) { throw fault.sameLine(as: other) }
      try prepare(descriptor, settings)
    } catch {
      system.close(descriptor)
      throw error
    }
    OpenNodes.shared.add(device, as: name)
    return LinuxSerialConnection(descriptor, device, fault, system)
  }

  private func prepare(_ descriptor: Int32, _ settings: SerialSettings) throws(DriverError) {
    let speed: Int
    do throws(SystemFailure) {
      try system.claim(descriptor)
      speed = try system.configure(descriptor, settings)
      try system.flush(descriptor)
    } catch {
      throw error.number == EINVAL ? fault.unsupported(settings, cause: error.cause) : refusal(error)
    }
    // A receiver reads bytes whose speed differs by up to 4 %.
    guard abs(speed - settings.baud) * 25 <= settings.baud else { throw fault.unsupported(settings) }
  }

  private func refusal(_ failure: SystemFailure) -> DriverError {
    switch failure.number {
    // A node of the kernel without hardware, such as ttyS1 of a board with one line, opens and then gives EIO.
    case ENOTDIR, EIO: fault.absent(cause: failure.cause)
    case EBUSY, EWOULDBLOCK: fault.busy(cause: failure.cause)
    case ENOTTY: fault.notSerial(cause: failure.cause)
    default: failure.error(opening: fault)
    }
  }

  /// Wakes the watcher whenever a device or a link to it appears, goes or changes its permissions. Calls
  /// `inotify_add_watch`.
  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try SerialReturnWatch(name, watcher)
  }
}

/// A line's node, `/dev/ttyUSB0`, that is open and locked.
private final class LinuxSerialConnection: SerialConnection {
  private let fault: SerialErrorFactory
  private let system: any SerialSystem
  private let device: UInt64?
  private var descriptor: Int32
  /// An epoll of the line alone, which is watched in place of it: a watcher can only wait for something to read, but
  /// this one must also wait for room to write.
  private var readiness: Int32 = -1
  private var watcher: Watcher?
  private var wantsRoom = false

  init(_ descriptor: Int32, _ device: UInt64?, _ fault: SerialErrorFactory, _ system: any SerialSystem) {
    (self.descriptor, self.device, self.fault, self.system) = (descriptor, device, fault, system)
  }

  deinit { close() }

  func watch(_ watcher: Watcher) throws(DriverError) {
    precondition(descriptor >= 0, "a connection that has been closed is not used any more")
    if readiness < 0 {
      readiness = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard readiness >= 0, setReadiness(EPOLL_CTL_ADD) else {
        let failure = SystemFailure.last("epoll_create1")
        throw fault.failed(failure.reason, cause: failure.cause)
      }
    }
    try watcher.watch(readiness)
    self.watcher = watcher
  }

  private func setReadiness(_ operation: Int32) -> Bool {
    guard readiness >= 0 else { return true }
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | (wantsRoom ? EPOLLOUT.rawValue : 0)
    return epoll_ctl(readiness, operation, descriptor, &event) == 0
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int {
    precondition(descriptor >= 0, "a connection that has been closed is not used any more")
    do throws(SystemFailure) {
      let count = try system.read(descriptor, buffer)
      // A line that was pulled out reads its end.
      guard count > 0 else { throw SystemFailure(function: "read", number: EIO) }
      return count
    } catch {
      return try check(error)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(DriverError) -> Int {
    precondition(descriptor >= 0, "a connection that has been closed is not used any more")
    var count = 0
    if !bytes.isEmpty {
      do throws(SystemFailure) {
        count = try system.write(descriptor, bytes)
      } catch {
        count = try check(error)
      }
    }
    if wantsRoom != (count < bytes.count) {
      wantsRoom.toggle()
      _ = setReadiness(EPOLL_CTL_MOD)
    }
    return count
  }

  /// Calls `poll` and `read`.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, until moment: Moment, on clock: WorkClock
  ) throws(DriverError) -> Int {
    while true {
      let count = try read(into: buffer)
      let rest = (moment - clock.now).wholeNanoseconds
      guard count == 0, rest > 0 else { return count }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // Rounded up, so that it does not return just before the moment.
      _ = poll(&polled, 1, Int32(min((rest + 999_999) / 1_000_000, 60_000)))
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, on clock: WorkClock) throws(DriverError) -> Int { try write(bytes) }

  /// Returns 0 if there is nothing now. Throws all other failures.
  private func check(_ failure: SystemFailure) throws(DriverError) -> Int {
    switch failure.number {
    case EAGAIN, EINTR: return 0
    case EIO, ENODEV, ENXIO, ENOENT, ESHUTDOWN: throw fault.lost(cause: failure.cause)
    default: throw fault.failed(failure.reason, cause: failure.cause)
    }
  }

  func close() {
    guard descriptor >= 0 else { return }
    if readiness >= 0 {
      watcher?.unwatch(readiness)
      _ = Glibc.close(readiness)
      readiness = -1
    }
    system.close(descriptor)
    OpenNodes.shared.remove(device, as: fault.path)
    descriptor = -1
    watcher = nil
  }
}

/// Watches the folder of a node, and `/dev`, in which the folder of links appears with the first adapter.
private final class SerialReturnWatch: ReturnWatch {
  private var watches: [FolderWatch] = []

  init(_ path: String, _ watcher: Watcher) throws(DriverError) {
    let folders = Self.folders(of: path)
    for folder in folders { watches.append(try FolderWatch(folder, for: "a serial line", watcher)) }
  }

  /// The folders to watch, each once: the nearest one of the path that exists, and the place of the nodes.
  private static func folders(of path: String) -> [String] {
    var folder = path
    repeat {
      let parts = folder.split(separator: "/").dropLast()
      folder = "/" + parts.joined(separator: "/")
    } while folder != "/" && access(folder, F_OK) != 0
    return folder == "/dev" ? [folder] : [folder, "/dev"]
  }

  func acknowledge() -> Bool {
    var hasNews = false
    for watch in watches where watch.acknowledge() { hasNews = true }
    return hasNews
  }

  func release() {
    for watch in watches { watch.release() }
  }
}
