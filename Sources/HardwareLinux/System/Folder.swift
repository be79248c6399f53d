import Glibc
import HardwareDrivers

/// The content of a folder.
package enum Folder {
  /// The names of its entries, in no particular order. Calls `opendir` and `readdir`.
  package static func entries(of path: String) throws(SystemFailure) -> [String] {
    guard let directory = opendir(path) else { throw .last("opendir") }
    defer { closedir(directory) }
    return try entries(of: directory)
  }

  /// The working directory of this process; empty if the system can't return it. Calls `getcwd`.
  package static var current: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// The names of the entries of an open folder that have not been read yet.
  static func entries(of directory: OpaquePointer) throws(SystemFailure) -> [String] {
    var names: [String] = []
    while true {
      // `readdir` returns nil both at the end and on an error; only errno distinguishes them.
      errno = 0
      guard let entry = readdir(directory) else { break }
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    if errno != 0 { throw .last("readdir") }
    return names
  }
}
