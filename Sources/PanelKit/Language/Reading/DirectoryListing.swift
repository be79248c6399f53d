import Glibc
import Terminal

/// Lists folders of files that a command reads.
package enum DirectoryListing {
  /// Returns the names in a folder, sorted. Calls `opendir` and `readdir`.
  package static func sorted(in folder: String) throws(Problems) -> [String] {
    let directory = (PathBytes.bytes(of: folder) + [0]).withUnsafeBytes { bytes in
      opendir(bytes.assumingMemoryBound(to: CChar.self).baseAddress!)
    }
    guard let directory else {
      let isForbidden = errno == EACCES || errno == EPERM
      let remedy =
        isForbidden
        ? "let this user read it (chmod)" : errno == ENOENT ? "create it (mkdir)" : "give the path of a folder"
      let text = "can't be read: \(String(cString: strerror(errno))); \(remedy)"
      throw Problems(
        kind: isForbidden ? .notPermitted : .noSuchFile, file: folder,
        list: [Problem(line: 0, column: 0, text: text)])
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        PathBytes.text(of: Array(bytes.prefix { $0 != 0 }))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
