import CycleCore
import Glibc
import HardwareDrivers

/// An input device of the kernel: `/dev/input/event0` (`Documentation/input/input`).
///
///     let reader = LinuxKeys(.named("Sycreader USB Reader"))
///
/// The device is found each time that it is opened, because its number changes when it is plugged in again.
public final class LinuxKeys: KeyDevice {
  private let choice: KeyChoice
  private let fault: KeyErrorFactory
  private let finder: KeyDeviceFinder
  private let system: any KeySystem
  private let deviceFolder: String

  /// Opens nothing.
  public convenience init(_ choice: KeyChoice) {
    self.init(choice, files: LinuxSysfsAccess(), system: LinuxKeySystem())
  }

  /// - Parameter deviceFolder: the folder of the nodes.
  init(_ choice: KeyChoice, files: any SysfsAccess, system: any KeySystem, deviceFolder: String = "/dev/input") {
    self.choice = choice
    self.system = system
    self.deviceFolder = deviceFolder
    finder = KeyDeviceFinder(files: files, deviceFolder: deviceFolder)
    fault = KeyErrorFactory(choice)
  }

  public var name: String { choice.text }
  public var isPresent: Bool { finder.path(of: choice) != nil }

  /// Calls `open`, and `ioctl` with `EVIOCSCLOCKID` and `EVIOCGRAB`.
  public func open(isGrabbed: Bool) throws(DriverError) -> any KeyConnection {
    guard let path = finder.path(of: choice) else { throw fault.absent() }
    let descriptor: Int32
    do throws(SystemFailure) {
      descriptor = try system.open(path)
    } catch {
      throw error.error(opening: fault)
    }
    let device = system.device(of: descriptor)
    if let other = OpenNodes.shared.otherName(of: device, than: choice.text) {
      system.close(descriptor)
      throw fault.sameDevice(as: other)
    }
    do throws(SystemFailure) {
      try system.setClock(descriptor)
      if isGrabbed { try system.grab(descriptor) }
    } catch {
      system.close(descriptor)
      throw error.number == EBUSY ? fault.busy(cause: error.cause) : error.error(opening: fault)
    }
    OpenNodes.shared.add(device, as: choice.text)
    return LinuxKeyConnection(descriptor, device, fault, system)
  }

  /// Wakes the watcher whenever a device appears, goes or changes its permissions. Calls `inotify_add_watch`.
  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    // A folder is there while the machine has a device in it.
    var folders = [deviceFolder, "/dev"]
    if case .path(let path) = choice, let end = path.lastIndex(of: "/") { folders.insert(String(path[..<end]), at: 0) }
    let folder = folders.first { access($0, F_OK) == 0 } ?? "/dev"
    return try FolderWatch(folder, for: "an input device", watcher)
  }
}

/// An open device node.
private final class LinuxKeyConnection: KeyConnection {
  private let fault: KeyErrorFactory
  private let system: any KeySystem
  private let device: UInt64?
  private var descriptor: Int32
  private var watcher: Watcher?

  init(_ descriptor: Int32, _ device: UInt64?, _ fault: KeyErrorFactory, _ system: any KeySystem) {
    self.descriptor = descriptor
    self.device = device
    self.fault = fault
    self.system = system
  }

  deinit { close() }

  func watch(_ watcher: Watcher) throws(DriverError) {
    try watcher.watch(descriptor)
    self.watcher = watcher
  }

  /// Calls `read`.
  func read(into events: inout [KeyEvent]) throws(DriverError) {
    do throws(SystemFailure) {
      try system.read(descriptor, into: &events)
    } catch {
      throw failure(error)
    }
  }

  /// Calls `ioctl` with `EVIOCGKEY`, which removes the events of keys from the kernel's queue.
  func pressedKeys() throws(DriverError) -> Set<KeyCode> {
    do throws(SystemFailure) {
      return try system.pressedKeys(descriptor)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ failure: SystemFailure) -> DriverError {
    failure.number == ENODEV
      ? fault.lost(cause: failure.cause)
      : fault.failed("read", failure.kind, failure.reason, cause: failure.cause)
  }

  func close() {
    guard descriptor >= 0 else { return }
    watcher?.unwatch(descriptor)
    watcher = nil
    // The kernel ends the grab with the file.
    system.close(descriptor)
    OpenNodes.shared.remove(device, as: fault.subject)
    descriptor = -1
  }
}
