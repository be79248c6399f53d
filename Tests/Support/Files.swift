import Glibc

/// The root of the checkout that the tests were built from.
package let checkoutRoot: String = {
  var folders = #filePath.split(separator: "/")
  while folders.removeLast() != "Tests" {}
  return "/" + folders.joined(separator: "/")
}()

/// The bytes of a file; nil if it can't be read.
package func bytes(of path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
  return bytes
}

/// Writes a file, in place of one that is there.
package func save(_ bytes: [UInt8], at path: String) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  precondition(descriptor >= 0, "\(path) can't be written: errno \(errno)")
  defer { close(descriptor) }
  precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "\(path) is not whole")
}

/// The names in a folder, sorted; none if there is no such folder.
package func names(in folder: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    names.append(
      withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
  }
  return names.filter { $0 != "." && $0 != ".." }.sorted()
}

/// Writes files, given as texts by name, into a new folder, and deletes it after the body.
package func withFiles<Value>(
  _ files: [String: String] = [:], _ body: (_ folder: String) throws -> Value
) rethrows -> Value {
  var name = Array("/tmp/panel-tests-XXXXXX".utf8CString)
  precondition(mkdtemp(&name) != nil, "no folder can be made in /tmp: errno \(errno)")
  let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer {
    for file in names(in: folder) { unlink("\(folder)/\(file)") }
    rmdir(folder)
  }
  for (file, text) in files {
    let descriptor = open("\(folder)/\(file)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    var text = text
    text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }
  return try body(folder)
}
