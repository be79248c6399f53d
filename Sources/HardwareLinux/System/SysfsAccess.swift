import Glibc
import HardwareDrivers

/// The system calls of backends on the files of sysfs, as a protocol that tests implement with a simulated kernel.
protocol SysfsAccess: AnyObject {
  /// Opens a file for reading and writing.
  func open(_ path: String) throws(SystemFailure) -> Int32
  func close(_ descriptor: Int32)
  /// Writes the text at the beginning of the file.
  func write(_ text: String, to descriptor: Int32) throws(SystemFailure)
  /// Opens a file for writing only, and writes the text.
  func write(_ text: String, to path: String) throws(SystemFailure)
  /// The text at the beginning of the file, without the end of the line.
  func read(_ descriptor: Int32) throws(SystemFailure) -> String
  /// Locks an open file for this process, without waiting: `flock`.
  func lock(_ descriptor: Int32) throws(SystemFailure)
  /// The first bytes of a short file; nil if it can't be read.
  func bytes(of path: String) -> [UInt8]?
  /// The names of the entries of a folder, in no particular order; empty if it is missing.
  func entries(of folder: String) -> [String]
  func exists(_ path: String) -> Bool
  /// The target of a link; nil if the path is not a link.
  func target(of link: String) -> String?
  /// Blocks the thread.
  func sleep(milliseconds: Int)
}

/// The implementation with Linux's system calls.
final class LinuxSysfsAccess: SysfsAccess {
  func open(_ path: String) throws(SystemFailure) -> Int32 {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    if descriptor < 0 { throw .last("open") }
    return descriptor
  }

  func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  func write(_ text: String, to descriptor: Int32) throws(SystemFailure) {
    if pwrite(descriptor, text, text.utf8.count, 0) < 0 { throw .last("write") }
  }

  func write(_ text: String, to path: String) throws(SystemFailure) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { throw .last("open") }
    defer { close(descriptor) }
    try write(text, to: descriptor)
  }

  func read(_ descriptor: Int32) throws(SystemFailure) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    if count < 0 { throw .last("read") }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  func lock(_ descriptor: Int32) throws(SystemFailure) {
    if flock(descriptor, LOCK_EX | LOCK_NB) < 0 { throw .last("flock") }
  }

  func bytes(of path: String) -> [UInt8]? { try? SmallFile.bytes(of: path, atMost: 4096) }

  func entries(of folder: String) -> [String] { (try? Folder.entries(of: folder)) ?? [] }

  func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      let count = readlink(link, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
      return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }

  func sleep(milliseconds: Int) { usleep(UInt32(milliseconds) * 1_000) }
}
