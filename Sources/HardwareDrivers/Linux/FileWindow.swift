import CycleCore
import Glibc

/// The bytes of a file, of which no more than a window is in memory: for looking at its structure.
final class FileWindow: RandomAccessCollection {
  private static let length = 1 << 16

  private let descriptor: Int32
  private var window = [UInt8](repeating: 0, count: length)
  private var start = 0
  private var filled = 0

  let startIndex = 0
  let endIndex: Int

  init(_ path: String) throws(DriverError) {
    (descriptor, endIndex) = try FileBytes.open(path)
  }

  deinit { close(descriptor) }

  /// A byte that can't be read is 0. Calls `pread`.
  subscript(place: Int) -> UInt8 {
    if place < start || place >= start + filled {
      start = place & ~(Self.length - 1)
      let count = pread(descriptor, &window, Self.length, off_t(start))
      filled = count < 0 ? 0 : count
    }
    return place < start + filled ? window[place - start] : 0
  }
}
