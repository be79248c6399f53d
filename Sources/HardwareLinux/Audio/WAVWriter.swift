import CycleCore
import Glibc
import HardwareDrivers

/// Writes 16-bit samples to a WAV file. The sizes in its header lag by at most one second of samples, so that a program
/// that is killed leaves a playable file.
final class WAVWriter {
  /// Writes bytes at an offset: `pwrite`, or a test's replacement.
  typealias Writing = (_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ offset: Int) -> Int

  private let path: String
  private let descriptor: Int32
  private let channelCount: Int
  private let sampleRateHertz: Int
  private let write: Writing
  /// Bytes of samples written.
  private var size = 0
  /// Bytes of samples according to the header in the file.
  private var headerSays = 0

  private static let headerSize = 44
  /// The sizes in the header have 32 bits.
  private static let largest = Int(UInt32.max) - headerSize

  /// Creates the file, or empties an existing one, without blocking; throws for anything but a regular file.
  init(
    path: String, channelCount: Int, sampleRateHertz: Int,
    write: @escaping Writing = { pwrite($0, $1, $2, off_t($3)) }
  ) throws(DriverError) {
    self.path = path
    self.channelCount = channelCount
    self.sampleRateHertz = sampleRateHertz
    self.write = write
    // Without O_NONBLOCK, opening a FIFO that has no reader would block for ever. Without O_TRUNC, the file is emptied
    // below, after the check that it is a regular file.
    descriptor = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o644)
    var info = stat()
    if descriptor < 0 ? errno == ENXIO : fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT != S_IFREG {
      throw DriverError(
        .unsupported, of: path, cannot: "write \(path)", reason: "not a regular file",
        remedy: "Name a file; a new one is created.")
    }
    guard descriptor >= 0 else { throw Self.failure(path, SystemFailure.last("open")) }
    guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path, SystemFailure.last("ftruncate")) }
    try writeHeader()
  }

  deinit {
    close(descriptor)
  }

  private static func failure(_ path: String, _ failure: SystemFailure) -> DriverError {
    let kind: DriverError.Kind = failure.number == ENOENT ? .absent : failure.kind
    return DriverError(
      kind, of: path, cannot: "write \(path)", reason: failure.reason, cause: failure.cause,
      remedy: "Check the folder, its permissions and the free space.")
  }

  private var bytesPerSecond: Int { sampleRateHertz * channelCount * 2 }

  func write(_ samples: UnsafeBufferPointer<Int16>) throws(DriverError) {
    try checkSize(samples.count * 2)
    // Samples are little-endian in the file as in the memory of every machine that this runs on.
    try write(UnsafeRawBufferPointer(samples), at: Self.headerSize + size)
    size += samples.count * 2
    if size - headerSays >= bytesPerSecond { try writeHeader() }
  }

  /// Checks after a failed write whether one second of samples can be written now; throws if not. The file keeps its
  /// content: silence is appended and cut off again.
  func checkRoom() throws(DriverError) {
    try checkSize(bytesPerSecond)
    let silence = [UInt8](repeating: 0, count: bytesPerSecond)
    var failure: DriverError?
    silence.withUnsafeBytes { bytes in
      do throws(DriverError) { try write(bytes, at: Self.headerSize + size) } catch { failure = error }
    }
    ftruncate(descriptor, off_t(Self.headerSize + size))
    if let failure { throw failure }
  }

  private func checkSize(_ count: Int) throws(DriverError) {
    guard size + count > Self.largest else { return }
    throw DriverError(
      .failed, of: path, cannot: "write \(path)", reason: "a WAV file holds at most 4 GiB",
      remedy: "Record a shorter time.")
  }

  /// Updates the sizes in the header.
  func finish() throws(DriverError) {
    try writeHeader()
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DriverError) {
    var written = 0
    while written < bytes.count {
      let count = write(descriptor, bytes.baseAddress! + written, bytes.count - written, offset + written)
      if count > 0 {
        written += count
      } else if count == 0 {
        // `pwrite` returned 0 and set no errno.
        throw DriverError(
          .failed, of: path, cannot: "write \(path)", reason: "the file accepts no more data",
          remedy: "Check the folder, its permissions and the free space.")
      } else if errno != EINTR {
        throw Self.failure(path, SystemFailure.last("pwrite"))
      }
    }
  }

  private func writeHeader() throws(DriverError) {
    var header: [UInt8] = []
    func put(_ text: String) { header += Array(text.utf8) }
    func put(_ number: Int, bytes: Int) {
      for index in 0..<bytes { header.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
    put("RIFF")
    put(36 + size, bytes: 4)
    put("WAVEfmt ")
    put(16, bytes: 4)
    put(1, bytes: 2)
    put(channelCount, bytes: 2)
    put(sampleRateHertz, bytes: 4)
    put(bytesPerSecond, bytes: 4)
    put(channelCount * 2, bytes: 2)
    put(16, bytes: 2)
    put("data")
    put(size, bytes: 4)
    var failure: DriverError?
    header.withUnsafeBytes { bytes in
      do throws(DriverError) { try write(bytes, at: 0) } catch { failure = error }
    }
    if let failure { throw failure }
    headerSays = size
  }
}
