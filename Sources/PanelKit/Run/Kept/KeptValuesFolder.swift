import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// The folder in which a panel keeps its values: on a disk, or a simulated folder whose power can be cut during a save.
package final class KeptValuesFolder: KeptFolder {
  /// A place in a save at which the power is cut.
  package enum PowerCut: String, CaseIterable, Sendable {
    case write, fsync, link, rename
    case fsyncFolder = "fsync-folder"
    case done

    /// The place at the beginning of a step.
    init(before step: KeptStep) {
      self =
        switch step {
        case .write: .write
        case .synchronize: .fsync
        case .link: .link
        case .rename: .rename
        case .synchronizeFolder: .fsyncFolder
        }
    }
  }

  private let disk: StateFolder?
  /// The simulated folder; nil on a disk.
  let simulated: SimulatedStateFolder?
  /// The place at which the power will be cut; nil for none.
  private var cut: PowerCut?

  /// - Parameter path: the path of a folder on a disk.
  init(path: String) {
    (disk, simulated) = (StateFolder(path), nil)
  }

  /// - Parameter numbers: the numbers that are kept already; empty for none.
  init(simulating numbers: [String: Int]) {
    let folder = SimulatedStateFolder()
    if !numbers.isEmpty { folder.set(KeptText.bytes(of: numbers), as: .values) }
    (disk, simulated) = (nil, folder)
  }

  /// The same folder for another driver. On a disk it is a new object, because the previous driver may still use the
  /// old one.
  var another: KeptValuesFolder { disk.map { KeptValuesFolder(path: $0.name) } ?? self }

  package var name: String { disk?.name ?? simulated?.name ?? "" }
  package var needsThread: Bool { disk != nil }

  package func read(_ file: KeptFile) throws(DriverError) -> [UInt8]? {
    if let disk { try disk.read(file) } else { try simulated?.read(file) }
  }

  package func perform(_ step: KeptStep, on clock: WorkClock) throws(DriverError) {
    if let disk { return try disk.perform(step, on: clock) }
    if cut == PowerCut(before: step) { cutPower() }
    try simulated?.perform(step, on: clock)
    if cut == .done, step == .synchronizeFolder { cutPower() }
  }

  // MARK: - The simulated power

  /// Whether the power of the simulated folder is cut. Then nothing is stored.
  var isCut: Bool { simulated?.stepsUntilCut == 0 }

  /// Cuts the power now. Does nothing on a disk.
  func cutPower() {
    cut = nil
    simulated?.stepsUntilCut = 0
  }

  /// Cuts the power when a save reaches a place; nil cancels this.
  func cutPower(at place: PowerCut?) { cut = place }

  /// Restores the power. Data that was not synchronized is kept or lost at random.
  func restorePower(using random: inout some RandomNumberGenerator) {
    simulated?.restore(using: &random)
  }
}
