import CycleCore
import Glibc

/// Writes a WAV file of 16-bit samples as they come.
final class WAVWriter {
  private let path: String
  private let descriptor: Int32
  private let channelCount: Int
  private let sampleRateHertz: Int
  /// Bytes of samples written.
  private var size = 0

  private static let headerSize = 44
  /// The sizes in the header have 32 bits.
  private static let largest = Int(UInt32.max) - headerSize

  /// Creates the file, or replaces it.
  init(path: String, channelCount: Int, sampleRateHertz: Int) throws(DriverError) {
    self.path = path
    self.channelCount = channelCount
    self.sampleRateHertz = sampleRateHertz
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure(path, SystemFailure.last("open")) }
    try writeHeader()
  }

  deinit {
    close(descriptor)
  }

  private static func failure(_ path: String, _ failure: SystemFailure) -> DriverError {
    let kind: DriverError.Kind = failure.number == ENOENT ? .absent : failure.kind
    return DriverError(
      kind, cannot: "write \(path)", reason: failure.reason, cause: failure.cause,
      remedy: "Check the folder, its permissions and the free space.")
  }

  func write(_ samples: UnsafeBufferPointer<Int16>) throws(DriverError) {
    guard size + samples.count * 2 <= Self.largest else {
      throw DriverError(
        .failed, cannot: "write \(path)", reason: "a WAV file holds at most 4 GiB", remedy: "Record a shorter time.")
    }
    // Samples are little-endian in the file as in the memory of every machine that this runs on.
    try write(UnsafeRawBufferPointer(samples), at: Self.headerSize + size)
    size += samples.count * 2
  }

  /// Brings the sizes in the header up to date.
  func finish() throws(DriverError) {
    try writeHeader()
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DriverError) {
    var written = 0
    while written < bytes.count {
      let count = pwrite(descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(offset + written))
      if count > 0 {
        written += count
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
    put(sampleRateHertz * channelCount * 2, bytes: 4)
    put(channelCount * 2, bytes: 2)
    put(16, bytes: 2)
    put("data")
    put(size, bytes: 4)
    var failure: DriverError?
    header.withUnsafeBytes { bytes in
      do throws(DriverError) { try write(bytes, at: 0) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
