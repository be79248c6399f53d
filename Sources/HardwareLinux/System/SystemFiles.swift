/// Files and folders of the system, for programs that look whether they are there.
package enum SystemFiles {
  /// The first bytes of a file, `limit` at most; nil if it can't be read. Calls `open`, without waiting for a pipe's other end, and
  /// `read`.
  package static func bytes(of path: String, atMost limit: Int) -> [UInt8]? {
    try? SmallFile.bytes(of: path, atMost: limit)
  }

  /// The names of what is in a folder, in no particular order; nil if it can't be read. Calls `opendir` and `readdir`.
  package static func entries(of folder: String) -> [String]? { try? Folder.entries(of: folder) }
}
