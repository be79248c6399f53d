/// Where the lines of a film go while it is recorded: memory, a file, those who watch.
///
/// It is called on the cycle's thread, and may neither wait nor allocate there: what can take longer belongs to a thread
/// of its own, behind a bounded queue.
public protocol FilmSink: AnyObject {
  /// Takes whole lines, ends included; false if there is no room for all of them, and then it takes none.
  ///
  /// - Parameters:
  ///   - lines: valid only during the call.
  ///   - part: what the lines are.
  func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool
  /// Brings to safety, soon, what was taken.
  ///
  /// - Parameter occasion: why.
  func flush(_ occasion: FilmFlush)
  /// What has become of the records that it has taken: ``FilmAccount/offered`` of them.
  var account: FilmAccount { get }
  /// What it wants besides the records; the same for as long as it exists.
  var form: FilmForm { get }
  /// Whether it wants the next whole frame at the beginning of a new film, behind a header, as a file that is full.
  var wantsNewFilm: Bool { get }
}

extension FilmSink {
  public var form: FilmForm { FilmForm() }
  public var wantsNewFilm: Bool { false }
}

/// What lines are that a sink is given.
public enum FilmPart: Equatable, Sendable {
  /// A header, of so many bytes, and a whole frame: a film begins.
  case beginning(headerBytes: Int)
  /// A whole frame; records that were left out before it may be told with it.
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
  /// A driver has told a trouble.
  case trouble
  /// Somebody has asked for it.
  case request
  /// The recording has ended.
  case end
}

/// What a sink wants besides the records.
public struct FilmForm: Equatable, Sendable {
  /// How many bytes lie between two whole frames at most.
  public var bytesOfKeyframe: Int
  /// How many causes lie between two whole frames at most.
  public var causesOfKeyframe: Int
  /// Whether it gets checks and the end: they tell what has been changed in a film that is read from its beginning.
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

/// What has become of records. Law: offered = written + lost + pending.
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
