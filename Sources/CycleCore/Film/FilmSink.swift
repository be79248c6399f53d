/// Where the lines of a film go while it is recorded: memory, a file, those who watch.
///
/// It is called on the cycle's thread, and may neither wait nor allocate there: what can take longer belongs to a thread
/// of its own, behind a bounded queue.
public protocol FilmSink: AnyObject {
  /// Takes whole lines, ends included; false if there is no room for all of them, and then it takes none.
  func take(_ lines: UnsafeRawBufferPointer) -> Bool
  /// Brings to safety, soon, what was taken: there was trouble, or it was the end.
  func flush()
}

/// Keeps a film in memory, up to a limit.
public final class FilmMemory: FilmSink {
  /// All lines that were taken.
  public private(set) var bytes: [UInt8] = []
  private let limit: Int

  /// - Parameter limit: how many bytes it takes at most.
  public init(limit: Int = 64 << 20) {
    self.limit = limit
  }

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func take(_ lines: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count + lines.count <= limit else { return false }
    bytes.append(contentsOf: lines)
    return true
  }

  public func flush() {}
}
