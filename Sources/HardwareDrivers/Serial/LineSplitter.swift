/// Splits the bytes of a device into lines of text.
///
/// A line ends with a carriage return, a line feed, or both. Empty lines are skipped. A line is dropped and counted if
/// it is longer than ``longest``, or if it contains a control character other than a tab: noise, a break, or another
/// baud.
///
///     splitter.take(bytes) { line in … }
public struct LineSplitter {
  /// The greatest number of bytes of a line without its end.
  public static let longest = 4096

  /// The number of lines that were dropped.
  public private(set) var damagedCount = 0
  /// The number of lines that were passed on.
  public private(set) var lineCount = 0
  /// True until the first end of a line has arrived. The next line may be the rest of a longer one.
  public private(set) var isFirst = true
  private var line: [UInt8] = []
  private var isDamaged = false

  public init() {}

  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes in their order.
  ///   - use: called for each line that has ended, with its bytes, and whether it may be the rest of a longer line
  ///     because it is the first one.
  public mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ use: (_ line: [UInt8], _ isFirst: Bool) -> Void
  ) {
    for byte in bytes {
      switch byte {
      case 0x0A, 0x0D: end(use)
      case 0..<0x20 where byte != 0x09, 0x7F:
        isDamaged = true
        line.removeAll(keepingCapacity: true)
      default:
        guard !isDamaged else { continue }
        guard line.count < Self.longest else {
          isDamaged = true
          line.removeAll(keepingCapacity: true)
          continue
        }
        line.append(byte)
      }
    }
  }

  private mutating func end(_ use: ([UInt8], Bool) -> Void) {
    defer {
      line.removeAll(keepingCapacity: true)
      isDamaged = false
      isFirst = false
    }
    if isDamaged {
      // The rest of a line that began before the first byte is no loss.
      if !isFirst { damagedCount += 1 }
    } else if !line.isEmpty {
      lineCount += 1
      use(line, isFirst)
    }
  }
}
