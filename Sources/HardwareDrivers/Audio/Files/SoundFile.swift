import CycleCore

/// A sound in a file. A player reads it beside the cycle: whole if it is short, and piece by piece while it plays if it
/// is longer than 10 s.
///
/// Creating one reads nothing. Two are equal if they name the same file and it has not changed in between.
public struct SoundFile: Equatable, Sendable {
  /// The path of the file, which is its name in errors, too.
  public let path: String
  /// Whether the file is read piece by piece while it plays; nil for a file that is longer than 10 s. A sound that is
  /// read whole needs 192 kB of memory for each second of stereo, and any other 0.5 MB.
  public var isStreamed: Bool?
  /// Differs between two versions of the file.
  private let version: [Int]
  /// Opens the file. The clock is that of the worker that reads it.
  let open: @Sendable (WorkClock) throws(DriverError) -> any SampleReader

  /// - Parameters:
  ///   - path: the path of the file.
  ///   - version: differs between two versions of the file, such as its size and the time of its last change.
  ///   - isStreamed: see ``isStreamed``.
  ///   - open: opens the file. It may take long; a simulated disk sleeps on the clock.
  package init(
    _ path: String, version: [Int] = [], isStreamed: Bool? = nil,
    open: @escaping @Sendable (WorkClock) throws(DriverError) -> any SampleReader
  ) {
    self.path = path
    self.version = version
    self.isStreamed = isStreamed
    self.open = open
  }

  public static func == (one: SoundFile, other: SoundFile) -> Bool {
    one.path == other.path && one.version == other.version && one.isStreamed == other.isStreamed
  }

  /// A file that is longer is read piece by piece.
  package static let longestWhole = Duration.seconds(10)
  /// The longest file that is read piece by piece.
  package static let longest = Duration.seconds(24 * 60 * 60)

  /// Whether a file of this length is read piece by piece.
  package func isStreamed(atLength duration: Duration) -> Bool { isStreamed ?? (duration > Self.longestWhole) }
}

/// Encodes the path only, because recordings contain no samples.
extension SoundFile: Encodable {
  private enum CodingKeys: CodingKey { case path }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
  }
}
