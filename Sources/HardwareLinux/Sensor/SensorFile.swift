import CycleCore
import Glibc
import HardwareDrivers

/// A file of the kernel or of another program, with a number or a word. It is opened for each reading.
struct SensorFile {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  /// The first number in the file. Calls `stat`, then `open` and `read`.
  ///
  /// - Throws: errors of the source that the file belongs to; `absent` if the file is missing.
  func number(for fault: NumberErrorFactory) throws(DriverError) -> Double {
    let bytes: [UInt8]
    do throws(Refusal) {
      bytes = try contents()
    } catch {
      throw explain(error, fault)
    }
    guard bytes.contains(where: { $0 > 0x20 || $0 == 0 }) else { throw fault.empty(path) }
    guard let number = NumberText.firstNumber(in: bytes) else {
      throw fault.noNumber(path, text: NumberText.excerpt(of: bytes))
    }
    return number
  }

  /// The first line of the file; nil if it can't be read.
  var word: String? {
    guard let bytes = try? contents() else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  enum Refusal: Error {
    /// The path is a folder, a pipe or a device.
    case noFile(String)
    case system(SystemFailure)
  }

  /// The first bytes of the file, up to ``NumberText/longest``.
  private func contents() throws(Refusal) -> [UInt8] {
    var info = stat()
    // Checked before it is opened, because opening some devices has an effect: opening a watchdog starts it.
    guard stat(path, &info) == 0 else { throw .system(.last("stat")) }
    if let what = Self.kind(info.st_mode) { throw .noFile(what) }
    do throws(SystemFailure) {
      return try SmallFile.bytes(of: path, atMost: NumberText.longest)
    } catch {
      throw .system(error)
    }
  }

  /// The kind of a file that is not a regular file.
  private static func kind(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  private func explain(_ refusal: Refusal, _ fault: NumberErrorFactory) -> DriverError {
    switch refusal {
    case .noFile(let what): fault.noFile(path, what: what)
    case .system(let failure): explain(failure, fault)
    }
  }

  /// Explains the errno of a file. The numbers from drivers of `iio` and `hwmon` describe the hardware's bus.
  func explain(_ failure: SystemFailure, _ fault: NumberErrorFactory) -> DriverError {
    switch failure.number {
    case EACCES, EPERM: fault.notPermitted(path, cause: failure.cause)
    case ENOENT, ENOTDIR:
      fault.absent(
        "there is no \(path)", cause: failure.cause, remedy: "Check the path; the file is read when it exists.")
    case ENODEV, ENXIO, EREMOTEIO, ESHUTDOWN: fault.lost(cause: failure.cause)
    case EBUSY: fault.busy(cause: failure.cause)
    case ENODATA:
      fault.failed("it is disabled", cause: failure.cause, remedy: "Enable it by the file beside \(path).")
    case EAGAIN:
      fault.failed("it has no number yet", cause: failure.cause, remedy: "It is read again.")
    case ETIMEDOUT, EIO:
      fault.failed(
        "its reading failed", cause: failure.cause,
        remedy: "Check its wires and its supply; `dmesg` may show the cause.")
    default:
      fault.failed(failure.reason, cause: failure.cause, remedy: "Check \(path); `dmesg` may show the cause.")
    }
  }
}
