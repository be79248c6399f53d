import CycleCore
import Glibc
import HardwareLinux
import PanelLanguage
import Terminal

/// The folder of a running panel, `/run/panel/NAME`. It holds the accepted file for `panel safe --last`, and the
/// ``StartRecord``. Only the owner can write the files, with any umask, because `panel safe` uses them.
///
/// The folder is in memory, so writes are not synchronized. After a power cut it is empty; a power cut does not count
/// as a crash.
struct RunFolder {
  let path: String

  /// The mode of the files in the folder.
  static let mode: mode_t = 0o640

  /// The starts of the panel that have not ended.
  var starts: StartRecord { StartRecord(path: "\(path)/starts") }

  /// - Throws: ``Problems`` if the folder does not exist, or can't be written.
  func check() throws(Problems) {
    guard access(path.isEmpty ? "." : path, W_OK | X_OK) != 0 else { return }
    let text =
      "\(String(cString: strerror(errno))); give --socket a path in a folder that is there and that this user may write to"
    throw Problems(kind: .cannotWrite, file: path, list: [Problem(line: 0, column: 0, text: text)])
  }

  /// Keeps the text of an accepted panel file. Replaces the previous one atomically.
  ///
  /// - Throws: ``Problems`` if the file can't be written.
  func keep(_ text: [UInt8]) throws(Problems) {
    try TextFile.replace(String(decoding: text, as: UTF8.self), path: "\(path)/safe", mode: Self.mode)
  }

  /// Claims the folder for this process.
  ///
  /// - Throws: kind `busy` if another panel uses the folder, other kinds if it can't be locked.
  func claim() throws(DriverError) -> FolderClaim {
    do throws(SystemFailure) {
      return try FolderClaim(path)
    } catch {
      let isTaken = error.isTaken
      throw DriverError(
        isTaken ? .busy : error.kind, of: path, cannot: "run a panel with its socket in \(path.isEmpty ? "." : path)",
        reason: isTaken ? "another panel runs with that folder" : error.reason, cause: error.cause,
        remedy: isTaken
          ? "Stop that one, or give --socket a path in a folder of its own."
          : "Give --socket a path in a folder that this user may write to.")
    }
  }
}
