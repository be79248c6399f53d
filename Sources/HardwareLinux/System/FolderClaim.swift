import Glibc
import HardwareDrivers

extension SystemFailure {
  /// Whether a ``FolderClaim`` has failed because another process uses the folder.
  package var isTaken: Bool { function == "flock" && number == EWOULDBLOCK }
}

/// An exclusive claim of this process to a folder: a lock on a file `lock` in it, `flock(2)`, until the object is
/// released or the process ends.
///
/// Only its owner can open the file, so that other users can't prevent a panel from starting. Calls `open`, `flock`,
/// `fstat`, `stat` and `unlink`.
package final class FolderClaim {
  private let path: String
  private let descriptor: Int32

  /// - Parameter folder: the folder, which must exist.
  /// - Throws: number `EWOULDBLOCK` if another process uses the folder; the error of `open` if the file can't be
  ///   created.
  package init(_ folder: String) throws(SystemFailure) {
    path = folder.isEmpty ? "lock" : "\(folder)/lock"
    for _ in 0..<Self.mostTries {
      let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .last("open") }
      var code: Int32
      repeat { code = flock(descriptor, LOCK_EX | LOCK_NB) } while code != 0 && errno == EINTR
      guard code == 0 else {
        let failure = SystemFailure.last("flock")
        close(descriptor)
        throw failure
      }
      // The previous process may have removed the file after this process had opened it.
      if Self.isFile(descriptor, at: path) {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    throw SystemFailure(function: "flock", number: EWOULDBLOCK)
  }

  /// Each further try means that another process has started and ended since.
  private static let mostTries = 100

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_dev == named.st_dev
      && own.st_ino == named.st_ino
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}
