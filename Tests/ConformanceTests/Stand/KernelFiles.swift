import Glibc

/// Files of sysfs, configfs and procfs.
enum KernelFiles {
  static func make(_ folder: String) throws {
    guard mkdir(folder, 0o755) == 0 else { throw StandFailure("mkdir \(folder): errno \(errno)") }
  }

  static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StandFailure("open \(path): errno \(errno)") }
    defer { close(descriptor) }
    var text = text
    let count = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count == text.utf8.count else { throw StandFailure("write \(text) to \(path): errno \(errno)") }
  }

  static func text(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StandFailure("open \(path): errno \(errno)") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw StandFailure("read \(path): errno \(errno)") }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Opens the file anew, which empties some.
  static func empty(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw StandFailure("open \(path): errno \(errno)") }
    close(descriptor)
  }

  /// The first word.
  static func read(_ path: String) throws -> String {
    String(try text(path).prefix { !$0.isWhitespace })
  }
}

/// The stand itself doesn't work: no finding about a driver.
struct StandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
