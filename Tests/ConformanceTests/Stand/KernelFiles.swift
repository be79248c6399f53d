import Glibc
import TestSupport

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

  /// The number of files that this process has open and whose paths contain `part`, also if they are removed.
  static func openCount(containing part: String) -> Int {
    names(in: "/proc/self/fd").count { name in
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard readlink("/proc/self/fd/\(name)", &target, target.count - 1) > 0 else { return false }
      return target.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }.contains(part)
    }
  }

  /// Gives this process the rights of the superuser, or those of `nobody`.
  static func permit(_ isPermitted: Bool) throws {
    guard seteuid(isPermitted ? 0 : 65534) == 0 else { throw StandFailure("seteuid: errno \(errno)") }
  }

  /// Gives the files of this thread the rights of the superuser, or those of `nobody`.
  static func permitThread(_ isPermitted: Bool) throws {
    typealias Setter = @convention(c) (uid_t) -> Int32
    // Glibc's Swift module doesn't have setfsuid. It returns the user before, so a second call shows the new one.
    guard let symbol = dlsym(nil, "setfsuid") else { throw StandFailure("no setfsuid") }
    let set = unsafeBitCast(symbol, to: Setter.self)
    let user: uid_t = isPermitted ? 0 : 65534
    _ = set(user)
    guard set(user) == Int32(user) else { throw StandFailure("setfsuid: errno \(errno)") }
  }

  /// Who holds a line of a chip, and as what; nil if nobody does. `/sys/kernel/debug/gpio` has, of `gpio-sim`:
  ///
  ///     gpiochip0: GPIOs 512-539, parent: platform/gpio-sim.0, lab, can sleep:
  ///      gpio-512 (<unused>) input,pull-down
  ///      gpio-513 (doorbell) output-high,pull-down
  static func lineUse(_ line: Int, of chip: String) throws -> (consumer: String, isOutput: Bool)? {
    let text = String(decoding: TestSupport.bytes(of: "/sys/kernel/debug/gpio") ?? [], as: UTF8.self)
    var rows = text.split(separator: "\n").drop { !$0.hasPrefix("\(chip):") }.dropFirst()
    rows = rows.prefix { $0.hasPrefix(" gpio-") }
    guard line < rows.count else { throw StandFailure("\(chip) has no line \(line) in /sys/kernel/debug/gpio") }
    let row = rows[rows.startIndex + line]
    guard let start = row.firstIndex(of: "("), let end = row.lastIndex(of: ")") else {
      throw StandFailure("in /sys/kernel/debug/gpio: \(row)")
    }
    let consumer = String(row[row.index(after: start)..<end])
    return consumer == "<unused>" ? nil : (consumer, row[end...].hasPrefix(") output"))
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

/// Links in a folder of their own.
struct PathLinks {
  private let folder: String
  private let names: [String]

  init(to targets: [String: String]) throws {
    folder = "/tmp/links-\(getpid())"
    names = Array(targets.keys)
    try KernelFiles.make(folder)
    for (name, target) in targets {
      guard symlink(target, "\(folder)/\(name)") == 0 else { throw StandFailure("symlink \(name): errno \(errno)") }
    }
  }

  subscript(name: String) -> String { "\(folder)/\(name)" }

  func remove() {
    for name in names { unlink(self[name]) }
    rmdir(folder)
  }
}
