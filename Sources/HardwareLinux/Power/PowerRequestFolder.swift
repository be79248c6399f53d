import CycleCore
import Glibc
import HardwareDrivers

/// The power of this machine: a request is an empty file, `power-off` or `restart`, in a folder that
/// `panel-power@NAME.path` watches.
///
/// Calls `open` with `O_CREAT` and `O_EXCL`, and `unlink`. The folder is in memory, so no call waits for a disk.
public final class PowerRequestFolder: MachinePower {
  private let folder: String?
  private let fault = MachinePowerErrorFactory()

  /// Opens nothing.
  ///
  /// - Parameter folder: the folder; nil if this program is not run as a service.
  public init(_ folder: String?) { self.folder = folder }

  public func ask(for change: PowerChange) throws(DriverError) {
    guard let folder else { throw fault.noService(change) }
    _ = withdraw()
    let descriptor = open(Self.path(change, in: folder), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let failure = SystemFailure.last("open")
      throw fault.failed(change, failure.kind, "\(folder): \(failure.reason)", cause: failure.cause)
    }
    close(descriptor)
  }

  public func withdraw() -> Bool {
    guard let folder else { return false }
    // Both are tried.
    return PowerChange.allCases.map { unlink(Self.path($0, in: folder)) == 0 }.contains(true)
  }

  private static func path(_ change: PowerChange, in folder: String) -> String {
    switch change {
    case .off: "\(folder)/power-off"
    case .restart: "\(folder)/restart"
    }
  }
}

extension MachinePowerPort: RealPort {
  /// The folder is this port's own one, or the first of `RUNTIME_DIRECTORY`, `systemd.exec(5)`.
  public func makeReal() -> any MachinePower { PowerRequestFolder(folder ?? Self.runtimeFolder) }

  private static var runtimeFolder: String? {
    guard let folders = getenv("RUNTIME_DIRECTORY").map({ String(cString: $0) }) else { return nil }
    return folders.split(separator: ":").first.map(String.init)
  }
}
