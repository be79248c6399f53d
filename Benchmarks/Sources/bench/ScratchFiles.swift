import Glibc

/// Writes a file into a folder that is removed at the end of this process. Returns its path.
func makeFile(_ name: String, _ text: String) -> String { makeFile(name, Array(text.utf8)) }

/// As ``makeFile(_:_:)-(_,String)``, of bytes.
func makeFile(_ name: String, _ bytes: [UInt8]) -> String {
  let path = "\(ScratchFiles.folder)/\(name)"
  let file = fopen(path, "w")
  precondition(file != nil && fwrite(bytes, 1, bytes.count, file) == bytes.count, "cannot write \(path)")
  fclose(file)
  return path
}

private enum ScratchFiles {
  static let folder: String = {
    let folder = path
    mkdir(folder, 0o700)
    atexit {
      let folder = ScratchFiles.path
      guard let files = opendir(folder) else { return }
      while let file = readdir(files) {
        let name = withUnsafeBytes(of: &file.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        unlink("\(folder)/\(name)")
      }
      closedir(files)
      rmdir(folder)
    }
    return folder
  }()

  private static var path: String { "/tmp/hardware-panels-bench.\(getpid())" }
}
