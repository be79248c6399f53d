import CycleCore
import Glibc
import HardwareDrivers

/// The part of a file system that is in use, in percent, as `df` shows it: blocks that only root may use are not free.
///
/// Calls `statvfs`.
public struct DiskUsage: NumberLocation, NumberSource {
  private let path: String

  /// - Parameter path: any file or folder of the file system.
  public init(of path: String) { self.path = path }

  public var name: String { "disk \(path)" }
  public var unit: String { "%" }

  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    var info = statvfs()
    guard statvfs(path, &info) == 0 else {
      throw SensorFile(path).explain(.last("statvfs"), NumberErrorFactory(name))
    }
    let used = Double(info.f_blocks) - Double(info.f_bfree)
    let all = used + Double(info.f_bavail)
    guard all > 0 else {
      throw NumberErrorFactory(name).failed(
        "the file system has no blocks", remedy: "Name a folder of a disk, such as / or /var.")
    }
    return used / all * 100
  }
}
