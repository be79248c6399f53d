import CycleCore
import HardwareDrivers

/// A folder for kept values on a disk in memory, whose power can be cut.
///
/// It loses data like a real disk. Content that was not synchronized may be lost after any byte. Names that were not
/// synchronized return to an earlier state, in the order in which they were changed.
///
///     let folder = SimulatedStateFolder()
///     folder.stepsUntilCut = 3
///     …
///     folder.restore(using: &random)
public final class SimulatedStateFolder: KeptFolder {
  /// The reason why a disk refuses a step.
  public enum Refusal: Sendable {
    case full, readOnly
  }

  private final class Content {
    var bytes: [UInt8]
    var isSafe = false

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }
  }

  public let name: String
  public var needsThread: Bool { false }

  // MARK: - The world's side

  /// The reason why the disk refuses steps now; nil if it works.
  public var refusal: Refusal?
  /// The time that each step takes.
  public var stepDuration = Duration.zero
  /// The extra time of the next step; `.seconds(Int64.max)` if it never ends.
  public var hang = Duration.zero
  /// The number of further steps before the power is cut: 0 cuts it before the next one. Nil for never.
  public var stepsUntilCut: Int?
  /// Whether the power is cut: then every step fails until ``restore(using:)``.
  public private(set) var isCut = false
  /// The number of bytes that were written as contents of files.
  public private(set) var writtenByteCount = 0
  /// The number of steps, including failed ones.
  public private(set) var stepCount = 0
  /// The moments at which writing a file began; only the first 100 000.
  public private(set) var writeMoments: [Moment] = []

  private var names: [KeptFile: Content] = [:]
  /// The states of the folder since it was last synchronized, beginning with that state.
  private var history: [[KeptFile: Content]] = [[:]]

  /// - Parameter name: the name in errors.
  public init(_ name: String = "/state") {
    self.name = name
  }

  /// Stores a file, safe on the disk; nil removes it.
  ///
  /// - Parameters:
  ///   - bytes: its content.
  ///   - file: the file to set.
  public func set(_ bytes: [UInt8]?, as file: KeptFile) {
    names[file] = bytes.map(Content.init)
    names[file]?.isSafe = true
    history = [names]
  }

  /// Restores the power after a cut: `random` decides whether unsynchronized steps are lost.
  ///
  /// - Parameter random: the random numbers that decide which steps are lost.
  public func restore(using random: inout some RandomNumberGenerator) {
    names = history.randomElement(using: &random) ?? [:]
    for content in names.values where !content.isSafe {
      content.bytes.removeLast(Int.random(in: 0...content.bytes.count, using: &random))
      content.isSafe = true
    }
    history = [names]
    stepsUntilCut = nil
    isCut = false
  }

  // MARK: - The program's side

  public func read(_ file: KeptFile) throws(DriverError) -> [UInt8]? { names[file]?.bytes }

  public func perform(_ step: KeptStep, on clock: WorkClock) throws(DriverError) {
    clock.sleep(for: stepDuration)
    clock.sleep(for: hang)
    hang = .zero
    stepCount += 1
    if let left = stepsUntilCut {
      if left == 0 { isCut = true } else { stepsUntilCut = left - 1 }
    }
    if isCut { throw failure("its power is cut", "EIO", 5) }
    switch refusal {
    case .full: throw failure("the disk is full", "ENOSPC", 28)
    case .readOnly: throw failure("the disk is read-only", "EROFS", 30)
    case nil: break
    }
    switch step {
    case .write(let bytes):
      if writeMoments.count < 100_000 { writeMoments.append(clock.now) }
      writtenByteCount += bytes.count
      names[.new] = Content(bytes)
      history.append(names)
    case .synchronize: names[.new]?.isSafe = true
    case .link:
      names[.old] = nil
      history.append(names)
      names[.old] = names[.values]
      history.append(names)
    case .rename:
      names[.values] = names[.new]
      names[.new] = nil
      history.append(names)
    case .synchronizeFolder: history = [names]
    }
  }

  private func failure(_ reason: String, _ code: String, _ number: Int32) -> DriverError {
    DriverError(
      .failed, of: name, cannot: "save the values in \(name)", reason: reason,
      cause: DriverError.Cause(function: "write", name: code, number: number),
      remedy: "This failure was asked for; the save is retried.")
  }
}
