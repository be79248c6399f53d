/// A destination for the lines of a film while it is recorded: memory, a file, watchers.
///
/// It is called on the cycle's thread, and may neither wait nor allocate there. Slower work belongs on a thread of its
/// own, after a bounded queue.
public protocol FilmSink: AnyObject {
  /// Takes whole lines with their ends. False if there is no room for all of them; it then takes none.
  ///
  /// - Parameters:
  ///   - lines: valid only during the call.
  ///   - part: the kind of the lines.
  func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool
  /// Brings to safety, soon, what was taken.
  ///
  /// - Parameter occasion: why.
  func flush(_ occasion: FilmFlush)
  /// The account of the records that were passed to it: ``FilmAccount/offered`` of them.
  var account: FilmAccount { get }
  /// The parts that it wants besides the records; never changes.
  var form: FilmForm { get }
  /// Whether it wants the next whole frame at the beginning of a new film, after a header, as a file that is full does.
  var wantsNewFilm: Bool { get }
}

extension FilmSink {
  public var form: FilmForm { FilmForm() }
  public var wantsNewFilm: Bool { false }
}

/// The kind of the lines that a sink receives.
public enum FilmPart: Equatable, Sendable {
  /// A header of this length, and a whole frame: a film begins.
  case beginning(headerBytes: Int)
  /// A whole frame; it may report records that were left out before it.
  case keyframe
  /// The record of a cause, by its number.
  case cause(Int)
  /// A model as it would be rendered.
  case model
  /// A check, a step, an edge, a note, an approval, the end.
  case other
}

/// Why a film is to be brought to safety.
public enum FilmFlush: Equatable, Sendable {
  /// A driver has reported a trouble.
  case trouble
  /// A user or a program has requested it.
  case request
  /// The recording has ended.
  case end
}

/// The parts that a sink wants besides the records.
public struct FilmForm: Equatable, Sendable {
  /// How many bytes lie between two whole frames at most.
  public var bytesOfKeyframe: Int
  /// How many causes lie between two whole frames at most.
  public var causesOfKeyframe: Int
  /// Whether it gets checks and the end: with them a reader detects changes in a film that is read from its beginning.
  public var isChecked: Bool

  /// - Parameters:
  ///   - bytesOfKeyframe: how many bytes lie between two whole frames at most.
  ///   - causesOfKeyframe: how many causes lie between two whole frames at most.
  ///   - isChecked: whether it gets checks and the end.
  public init(bytesOfKeyframe: Int = 65_536, causesOfKeyframe: Int = 4_096, isChecked: Bool = true) {
    self.bytesOfKeyframe = bytesOfKeyframe
    self.causesOfKeyframe = causesOfKeyframe
    self.isChecked = isChecked
  }
}

/// Counts of records. Law: offered = written + lost + pending.
public struct FilmAccount: Equatable, Sendable {
  /// All causes of frames: events, troubles, and what was put in or set from outside.
  public var offered: Int
  /// Those that are where they were to go.
  public var written: Int
  /// Those that there was no room for.
  public var lost: Int
  /// Those that wait.
  public var pending: Int

  /// - Parameters:
  ///   - offered: all causes.
  ///   - written: those that are where they were to go.
  ///   - lost: those that there was no room for.
  ///   - pending: those that wait.
  public init(offered: Int = 0, written: Int = 0, lost: Int = 0, pending: Int = 0) {
    self.offered = offered
    self.written = written
    self.lost = lost
    self.pending = pending
  }
}

/// Keeps a film in memory, up to a limit.
public final class FilmMemory: FilmSink {
  /// All lines that were taken.
  public private(set) var bytes: [UInt8] = []
  public private(set) var account = FilmAccount()
  private let limit: Int

  /// - Parameter limit: how many bytes it takes at most.
  public init(limit: Int = 64 << 20) {
    self.limit = limit
  }

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    guard bytes.count + lines.count <= limit else { return false }
    bytes.append(contentsOf: lines)
    if case .cause = part {
      account.offered += 1
      account.written += 1
    }
    return true
  }

  public func flush(_ occasion: FilmFlush) {}
}
