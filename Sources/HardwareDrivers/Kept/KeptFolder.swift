import CycleCore

/// A file of the folder in which values are kept.
public enum KeptFile: String, CaseIterable, Sendable {
  /// The last set that was saved.
  case values
  /// The set before, for when the last one can't be read.
  case old = "values.old"
  /// The set that is being saved.
  case new = "values.new"
}

/// The steps of saving. The power may be cut after and within each: `values` or `values.old` is always whole.
public enum KeptStep: Equatable, Sendable {
  /// Writes `values.new`, in place of one that is there.
  case write([UInt8])
  /// Has the disk store the content of `values.new`: `fdatasync`.
  case synchronize
  /// Gives `values` the second name `values.old`, in place of the file that has it.
  case link
  /// Gives `values.new` the name `values`.
  case rename
  /// Has the disk store the names: `fsync` of the folder.
  case synchronizeFolder
}

/// The interface between ``KeptValues`` and a backend: a folder on a disk.
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
  /// - Returns: its bytes, ``KeptText/longest`` and one at most; nil if there is none.
  /// - Throws: why it can't be read.
  func read(_ file: KeptFile) throws(DriverError) -> [UInt8]?

  /// Does one step of saving.
  ///
  /// - Parameters:
  ///   - step: the step to do.
  ///   - clock: the worker's.
  /// - Throws: why the disk refuses it, with the folder as the error's subject.
  func perform(_ step: KeptStep, on clock: WorkClock) throws(DriverError)
}
