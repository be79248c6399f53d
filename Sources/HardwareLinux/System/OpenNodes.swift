import Glibc
import Synchronization

/// The device nodes that this process has open for one driver each, by the numbers of their devices. Two names of one
/// device, such as a path and a link to it, are found here.
final class OpenNodes: Sendable {
  /// The nodes of this process.
  static let shared = OpenNodes()

  /// The names under which each device is open.
  private let names = Mutex<[UInt64: [String]]>([:])

  init() {}

  /// The number of the device of an open node; nil if it is no character device.
  static func device(of descriptor: Int32) -> UInt64? {
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFCHR else { return nil }
    return UInt64(info.st_rdev)
  }

  /// Another name under which a device is open; nil for none.
  func otherName(of device: UInt64?, than name: String) -> String? {
    guard let device else { return nil }
    return names.withLock { $0[device]?.first { $0 != name } }
  }

  func add(_ device: UInt64?, as name: String) {
    guard let device else { return }
    names.withLock { $0[device, default: []].append(name) }
  }

  func remove(_ device: UInt64?, as name: String) {
    guard let device else { return }
    names.withLock { names in
      guard let place = names[device]?.firstIndex(of: name) else { return }
      names[device]?.remove(at: place)
      if names[device]?.isEmpty == true { names[device] = nil }
    }
  }
}
