import CycleCore
import Glibc
import HardwareDrivers

/// A folder on a disk in which values are kept, for example `/var/lib/panel/doorbell`.
///
/// It must exist; the files in it are `values`, `values.old` and, during a save, `values.new`. Calls `open`, `write`,
/// `fdatasync`, `unlink`, `link`, `rename` and `fsync`; no link in the folder is followed. Two programs must not keep
/// values in the same folder: the panel program holds a lock on a file `lock` in it.
public final class StateFolder: KeptFolder {
  public let name: String
  public var needsThread: Bool { true }
  private var file: WritableFile?

  /// Doesn't open the folder.
  ///
  /// - Parameter path: the folder's path.
  public init(_ path: String) {
    name = path
  }

  public func read(_ file: KeptFile) throws(DriverError) -> [UInt8]? {
    do throws(SystemFailure) {
      return try SmallFile.bytes(of: path(file), atMost: KeptText.longest + 1, followsLinks: false)
    } catch {
      if error.function == "open", error.number == ENOENT { return nil }
      throw failure("read \(path(file))", error)
    }
  }

  public func perform(_ step: KeptStep, on clock: WorkClock) throws(DriverError) {
    do throws(SystemFailure) {
      switch step {
      case .write(let bytes):
        // A link of this name is not followed.
        let file = try WritableFile(new: path(.new))
        self.file = file
        try write(bytes, to: file)
      case .synchronize:
        try file?.synchronize()
        file = nil
      case .link:
        if unlink(path(.old)) != 0, errno != ENOENT { throw .last("unlink") }
        if link(path(.values), path(.old)) != 0 { throw .last("link") }
      case .rename:
        if rename(path(.new), path(.values)) != 0 { throw .last("rename") }
      case .synchronizeFolder: try synchronizeFolder()
      }
    } catch {
      file = nil
      throw failure("save the values in \(name)", error)
    }
  }

  private func write(_ bytes: [UInt8], to file: WritableFile) throws(SystemFailure) {
    var failure: SystemFailure?
    bytes.withUnsafeBytes { content in
      do throws(SystemFailure) { try file.write(content) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func synchronizeFolder() throws(SystemFailure) {
    let descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open") }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw .last("fsync") }
  }

  private func path(_ file: KeptFile) -> String { "\(name)/\(file.rawValue)" }

  private func failure(_ operation: String, _ failure: SystemFailure) -> DriverError {
    Self.failure(operation, failure, of: name)
  }

  static func failure(_ operation: String, _ failure: SystemFailure, of name: String) -> DriverError {
    let (reason, remedy) =
      switch failure.number {
      case ENOSPC, EDQUOT: ("the disk is full", "Free some space; the save is retried.")
      case EROFS: ("the disk is read-only", "Mount it for writing; the save is retried.")
      case ELOOP: ("one of its files is a link", "Remove the link; values are kept only in files of this folder.")
      case ENOENT: ("the folder does not exist", "Create the folder, or name another one.")
      case EACCES, EPERM: ("permission denied", "Let this user write the folder.")
      default: (failure.reason, "Check the disk; the save is retried.")
      }
    return DriverError(
      failure.kind, of: name, cannot: operation, reason: reason, cause: failure.cause, remedy: remedy)
  }
}
