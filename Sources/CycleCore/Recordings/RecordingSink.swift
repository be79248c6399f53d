/// A destination for the lines of a recording while it is recorded: memory, a file, watchers.
///
/// It is called on the cycle's thread, and must neither wait nor allocate there. Slower work belongs on a separate
/// thread, after a bounded queue.
public protocol RecordingSink: AnyObject {
  /// Takes whole lines with their ends. Returns false, and takes none, if they do not all fit.
  ///
  /// - Parameters:
  ///   - lines: the lines; valid only during the call.
  ///   - part: the kind of the lines.
  func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool
  /// Saves, soon, the lines that were taken: a file is written to the disk.
  ///
  /// - Parameter occasion: the reason for the flush.
  func flush(_ occasion: RecordingFlush)
  /// The counts of the records that were passed to it; ``RecordingAccount/offered`` is their number.
  var account: RecordingAccount { get }
  /// The parts that it requires besides the records. It never changes.
  var form: RecordingForm { get }
  /// Whether the next whole frame must begin a new recording, after a header; for example because a file is full.
  var wantsNewRecording: Bool { get }
}

extension RecordingSink {
  public var form: RecordingForm { RecordingForm() }
  public var wantsNewRecording: Bool { false }
}

/// The kind of the lines that a sink receives.
public enum RecordingPart: Equatable, Sendable {
  /// A header of this length, and a whole frame: a recording begins.
  case beginning(headerBytes: Int)
  /// A whole frame. It may report records that were left out before it.
  case keyframe
  /// The record of a cause, by its number.
  case cause(Int)
  /// A model as it would be rendered.
  case model
  /// A check, a step, an edge, a note, an approval, the end.
  case other
}

/// The reason for a flush.
public enum RecordingFlush: Equatable, Sendable {
  /// A driver has reported a trouble.
  case trouble
  /// A user or a program has requested it.
  case request
  /// The recording has ended.
  case end
}

/// The parts that a sink requires besides the records.
public struct RecordingForm: Equatable, Sendable {
  /// The maximum number of bytes between two whole frames.
  public var bytesOfKeyframe: Int
  /// The maximum number of causes between two whole frames.
  public var causesOfKeyframe: Int
  /// Whether it gets checks and the end. With them, a reader detects changes in a recording that is read from its
  /// beginning.
  public var isChecked: Bool

  /// - Parameters:
  ///   - bytesOfKeyframe: the maximum number of bytes between two whole frames.
  ///   - causesOfKeyframe: the maximum number of causes between two whole frames.
  ///   - isChecked: whether it gets checks and the end.
  public init(bytesOfKeyframe: Int = 65_536, causesOfKeyframe: Int = 4_096, isChecked: Bool = true) {
    self.bytesOfKeyframe = bytesOfKeyframe
    self.causesOfKeyframe = causesOfKeyframe
    self.isChecked = isChecked
  }
}

/// Counts of records: offered = written + lost + pending.
public struct RecordingAccount: Equatable, Sendable {
  /// All causes of frames: events, troubles, and events and frames from outside.
  public var offered: Int
  /// The records that have reached their destination.
  public var written: Int
  /// The records for which there was no room.
  public var lost: Int
  /// The records that wait.
  public var pending: Int

  /// - Parameters:
  ///   - offered: all causes.
  ///   - written: the records that have reached their destination.
  ///   - lost: the records for which there was no room.
  ///   - pending: the records that wait.
  public init(offered: Int = 0, written: Int = 0, lost: Int = 0, pending: Int = 0) {
    self.offered = offered
    self.written = written
    self.lost = lost
    self.pending = pending
  }
}

/// Stores a recording in memory, up to a limit.
public final class RecordingBuffer: RecordingSink {
  /// All lines that were taken.
  public private(set) var bytes: [UInt8] = []
  public private(set) var account = RecordingAccount()
  private let limit: Int

  /// - Parameter limit: the maximum number of bytes that it takes.
  public init(limit: Int = 64 << 20) {
    self.limit = limit
  }

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    guard bytes.count + lines.count <= limit else { return false }
    bytes.append(contentsOf: lines)
    if case .cause = part {
      account.offered += 1
      account.written += 1
    }
    return true
  }

  public func flush(_ occasion: RecordingFlush) {}
}
