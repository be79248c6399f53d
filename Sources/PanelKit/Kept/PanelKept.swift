import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// What a panel keeps over restarts and power cuts: where, with which numbers it starts, and when they were saved.
///
/// Made before the panel starts: it reads the folder. While the panel works, a thread of ``HardwareDrivers/KeptValues`` uses it.
final class PanelKept {
  /// Where values are kept.
  enum Place {
    /// In memory, in which these numbers are there already.
    case simulated([String: Int] = [:])
    /// In a folder on a disk.
    case folder(String)
    /// Nowhere: each start begins with the initial values.
    case nowhere

    /// Has the folder for one panel alone; nil where a panel keeps nothing, or where nothing can be kept there anyway.
    ///
    /// - Throws: kind `busy` where another panel keeps its values there.
    func claim(for panel: PanelDefinition) throws(DriverError) -> FolderClaim? {
      guard case .folder(let path) = self, panel.keptCount > 0 else { return nil }
      do throws(SystemFailure) {
        return try FolderClaim(path)
      } catch {
        // What else can be wrong with the folder is told as trouble of the values.
        guard error.isTaken else { return nil }
        throw DriverError(
          .busy, of: path, cannot: "keep values in \(path)", reason: "another panel keeps its values there",
          cause: error.cause, remedy: "Stop that one, or give each panel a folder of its own: --state FOLDER.")
      }
    }
  }

  let items: [KeptItem]
  let folder: PanelFolder
  /// What was read.
  private(set) var start: KeptStart
  /// With which number each item starts.
  private(set) var numbers: [Int] = []
  /// When the last save was safe, and how long its file is; nil if there was none since the start.
  private(set) var saved: (moment: Moment, byteCount: Int)?

  /// Reads the folder, which takes as long as the disk does.
  ///
  /// - Returns: nil for a panel that keeps nothing, and where there is no place.
  init?(of panel: PanelDefinition, in place: Place) {
    items = panel.keptItems
    switch place {
    case _ where items.isEmpty: return nil
    case .simulated(let numbers): folder = PanelFolder(simulating: numbers)
    case .folder(let path): folder = PanelFolder(path: path)
    case .nowhere: return nil
    }
    start = KeptStart(reading: folder)
    begin()
  }

  private init(_ items: [KeptItem], in folder: PanelFolder, from start: KeptStart) {
    (self.items, self.folder, self.start) = (items, folder, start)
    begin()
  }

  /// What the next panel keeps, which takes the place of one: what that one has now, and what is in the folder under other names.
  ///
  /// - Parameters:
  ///   - kept: what the panel before has kept; nil if it has kept nothing: then the folder is read.
  ///   - frame: its last one. What it has not saved its driver saves when it is stopped, and the next one's 1 s later again.
  ///   - place: where values are kept.
  static func next(
    of panel: PanelDefinition, after kept: PanelKept?, in frame: PanelFrame, else place: Place
  ) -> PanelKept? {
    guard let kept else { return PanelKept(of: panel, in: place) }
    let items = panel.keptItems
    guard !items.isEmpty else { return nil }
    let numbers = Dictionary(uniqueKeysWithValues: kept.items.map { ($0.name, $0.number(in: frame)) })
    let next = PanelKept(items, in: kept.folder.another, from: kept.start.continued(with: numbers))
    next.saved = kept.saved
    return next
  }

  /// Whether something has to be saved before it is shown.
  var isUrgent: Bool { items.contains { $0.within == .zero } }

  /// With which number each item starts, by its name.
  var numbersByName: [String: Int] { Dictionary(uniqueKeysWithValues: zip(items.map(\.name), numbers)) }

  /// Reads the folder again: the panel starts anew.
  func read() {
    start = KeptStart(reading: folder)
    begin()
  }

  private func begin() {
    numbers = items.map { start.number(of: $0.name, in: $0.range, initial: $0.initial) }
  }

  // MARK: - The power of the simulated folder

  /// Cuts the power: nothing is stored any more.
  func cutPower() { folder.cutPower() }

  /// Gives the power back, and reads what is there.
  func restorePower(using random: inout some RandomNumberGenerator) {
    folder.restorePower(using: &random)
    read()
  }

  // MARK: - What is told

  /// Notes an event of the panel, if it is a save.
  func note(_ event: Any, at moment: Moment) {
    guard case .saved(let byteCount)? = event as? KeptValues<PanelFolder>.Event else { return }
    saved = (moment, byteCount)
  }

  /// Warnings before the start: what was wrong with what was kept, but the first, which the driver reports as trouble; and that
  /// nothing can be saved.
  var warnings: [String] {
    let read = start.warnings.dropFirst().map { "\($0)" }
    guard folder.simulated == nil, access(folder.name, W_OK | X_OK) != 0 else { return read }
    let reason = String(cString: strerror(errno))
    return read + ["values can't be saved in \(folder.name): \(reason). Make the folder, and let this user write it."]
  }
}

extension PanelSession {
  /// What `--state` names.
  static let stateOption = CommandSyntax.Option(
    "--state", value: "FOLDER", help: "Folder for the values that the panel file keeps (keep:).")

  /// Why nothing is kept although the panel file says so; nil if all is well.
  var keptNowhere: String? {
    panel.keptCount > 0 && kept == nil ? "not kept: run it with --state FOLDER" : nil
  }

  /// Logs what is wrong with what is kept, before the start.
  func logKept(to diagnostics: Diagnostics) {
    let names = listed(panel.keptItems.map(\.name))
    for line in (keptNowhere.map { ["\(names): \($0)"] } ?? []) + (kept?.warnings ?? []) {
      diagnostics.write(.warning, "\(panel.name): \(visible(line))")
    }
  }
}
