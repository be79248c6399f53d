internal import CLinux
import CycleCore
import Glibc

/// The secrets that requests contain: one for watching, and one for control if that is allowed.
public struct MonitorTokens: Equatable, Sendable {
  /// 32 hexadecimal digits.
  public let watch: String
  /// 32 hexadecimal digits; nil if control is not allowed.
  public let control: String?

  /// Makes new tokens. Calls `getrandom`.
  public static func random(hasControl: Bool) -> MonitorTokens {
    MonitorTokens(watch: randomHex(), control: hasControl ? randomHex() : nil)
  }

  public init(watch: String, control: String?) {
    self.watch = watch
    self.control = control
  }

  /// Returns 128 random bits from the system, in hexadecimal digits.
  static func randomHex() -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { getrandom($0.baseAddress! + count, $0.count - count, 0) }
      // For so few bytes it fails only at a signal during boot.
      if got > 0 { count += got }
    }
    return hex(bytes)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func isToken(_ text: Substring) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Reads the tokens from a file, or creates it with new tokens if it is missing. The file contains the watch token
  /// and the control token, one per line. Only the owner can read it.
  public static func kept(in path: String, hasControl: Bool) throws(DriverError) -> MonitorTokens {
    if let text = try readFile(path) {
      let lines = text.split(separator: "\n")
      guard lines.count == 2, lines.allSatisfy(isToken), lines[0] != lines[1] else {
        throw DriverError(
          .misconfigured, of: path, cannot: "read the tokens in \(path)",
          reason: "two lines of 32 hexadecimal digits are missing",
          remedy: "Remove the file: the monitor writes another one.")
      }
      return MonitorTokens(watch: String(lines[0]), control: hasControl ? String(lines[1]) : nil)
    }
    let (watch, control) = (randomHex(), randomHex())
    try writeFile(path, "\(watch)\n\(control)\n")
    return MonitorTokens(watch: watch, control: hasControl ? control : nil)
  }

  private static func readFile(_ path: String) throws(DriverError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      throw failure(path, "open", "read")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0 else {
      throw DriverError(
        .notPermitted, of: path, cannot: "use the tokens in \(path)", reason: "others may read the file",
        remedy: "chmod 600 \(path), or remove it: the monitor writes another one.")
    }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw failure(path, "read", "read") }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func writeFile(_ path: String, _ text: String) throws(DriverError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, "open", "write") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw failure(path, "write", "write") }
  }

  private static func failure(_ path: String, _ function: String, _ verb: String) -> DriverError {
    let number = errno
    return DriverError(
      number == EACCES ? .notPermitted : .failed, of: path, cannot: "\(verb) the tokens in \(path)",
      reason: number == EACCES ? "permission denied" : "the system refused it",
      cause: .system(function, number),
      remedy: "Name a file in a folder that this program may write.")
  }

  /// Returns the access that a token allows; the higher one if both tokens match.
  func access(with token: String) -> Access {
    let mayControl = control.map { Self.isEqual($0, token) } ?? false
    let mayWatch = Self.isEqual(watch, token)
    return mayControl ? .control : mayWatch ? .watch : .none
  }

  /// Compares in constant time: the duration doesn't depend on where tokens of the right length differ.
  static func isEqual(_ secret: String, _ given: String) -> Bool {
    let (secret, given) = (Array(secret.utf8), Array(given.utf8))
    guard secret.count == given.count else { return false }
    var difference: UInt8 = 0
    for index in secret.indices { difference |= secret[index] ^ given[index] }
    return difference == 0
  }
}
