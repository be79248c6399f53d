import CycleCore

/// A file of the folder in which values are kept.
public enum KeptFile: String, CaseIterable, Sendable {
  /// The last set that was saved.
  case values
  /// The previous set, used if the last one can't be read.
  case old = "values.old"
  /// The set that is being saved.
  case new = "values.new"
}

/// The steps of saving. The power may be cut before, between and within them: `values` or `values.old` is always
/// complete.
public enum KeptStep: Equatable, Sendable {
  /// Writes `values.new`, replacing an existing one.
  case write([UInt8])
  /// Synchronizes the content of `values.new` to the disk: `fdatasync`.
  case synchronize
  /// Gives `values` the second name `values.old`, replacing the file of that name.
  case link
  /// Gives `values.new` the name `values`.
  case rename
  /// Synchronizes the names to the disk: `fsync` of the folder.
  case synchronizeFolder
}

/// The interface between ``KeptValuesDriver`` and a backend: a folder on a disk.
///
/// `StateFolder` is one on Linux, `SimulatedStateFolder` lives in memory. A step may take long, so it is made in the
/// step of a ``CycleCore/Worker``; one at a time.
public protocol KeptFolder {
  /// The folder's path in errors.
  var name: String { get }
  /// Whether a step blocks its thread while the disk works: true for a real disk. If false, it returns immediately
  /// and advances the ``CycleCore/WorkClock`` by that time.
  var needsThread: Bool { get }

  /// Reads a file. Called before the application starts.
  ///
  /// - Parameter file: the file to read.
  /// - Returns: its first bytes, at most ``KeptText/longest`` and one more; nil if the file is missing.
  /// - Throws: an error if it can't be read.
  func read(_ file: KeptFile) throws(DriverError) -> [UInt8]?

  /// Does one step of saving.
  ///
  /// - Parameters:
  ///   - step: the step to do.
  ///   - clock: the worker's clock.
  /// - Throws: the reason of the disk's refusal, with the folder as the error's subject.
  func perform(_ step: KeptStep, on clock: WorkClock) throws(DriverError)
}
