import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import PanelEngine
import PanelLanguage
import Terminal

/// The values that a panel keeps over restarts and power cuts: the folder, the start values, and the last save.
///
/// Created before the panel starts, because it reads the folder. Later a thread of ``HardwareDrivers/KeptValuesDriver``
/// uses it.
package final class PanelKeptValues {
  /// The place of the kept values.
  package enum Location {
    /// In memory, with these numbers at the start.
    case simulated([String: Int] = [:])
    /// In a folder on a disk.
    case folder(String)
    /// Values are not kept: each start has the initial values.
    case nowhere

    /// Claims the folder for one panel; returns nil if the panel keeps nothing, or if the folder can't be used anyway.
    ///
    /// - Throws: kind `busy` if another panel uses the folder.
    package func claim(for panel: PanelDefinition) throws(DriverError) -> FolderClaim? {
      guard case .folder(let path) = self, panel.keptCount > 0 else { return nil }
      do throws(SystemFailure) {
        return try FolderClaim(path)
      } catch {
        // Other errors of the folder are reported as trouble of the values.
        guard error.isTaken else { return nil }
        throw DriverError(
          .busy, of: path, cannot: "keep values in \(path)", reason: "another panel keeps its values there",
          cause: error.cause, remedy: "Stop that one, or give each panel a folder of its own: --state FOLDER.")
      }
    }
  }

  let items: [KeptItem]
  let folder: KeptValuesFolder
  /// The numbers that were read.
  private(set) var start: KeptStart
  /// The start number of each item.
  package private(set) var numbers: [Int] = []
  /// The time of the last completed save, and the size of its file; nil if there was none since the start.
  private(set) var saved: (moment: Moment, byteCount: Int)?

  /// Reads the folder; blocks until the disk has replied.
  ///
  /// - Returns: nil if the panel keeps nothing, or if values are not kept.
  init?(of panel: PanelDefinition, in place: Location) {
    items = panel.keptItems
    switch place {
    case _ where items.isEmpty: return nil
    case .simulated(let numbers):
      let names = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.storedName) })
      folder = KeptValuesFolder(
        simulating: Dictionary(uniqueKeysWithValues: numbers.map { (names[$0.key] ?? $0.key, $0.value) }))
    case .folder(let path): folder = KeptValuesFolder(path: path)
    case .nowhere: return nil
    }
    start = KeptStart(reading: folder)
    begin()
  }

  private init(_ items: [KeptItem], in folder: KeptValuesFolder, from start: KeptStart) {
    (self.items, self.folder, self.start) = (items, folder, start)
    begin()
  }

  /// Returns the kept values for a panel that replaces another one: its current numbers, and other names from the
  /// folder.
  ///
  /// - Parameters:
  ///   - kept: the kept values of the previous panel; nil if it kept nothing. Then the folder is read.
  ///   - frame: its last frame. Its driver saves unsaved changes when it stops. The next driver saves them again after
  ///     1 s.
  ///   - place: the place of the kept values.
  static func next(
    of panel: PanelDefinition, after kept: PanelKeptValues?, in frame: PanelFrame, else place: Location
  ) -> PanelKeptValues? {
    guard let kept else { return PanelKeptValues(of: panel, in: place) }
    let items = panel.keptItems
    guard !items.isEmpty else { return nil }
    let numbers = Dictionary(uniqueKeysWithValues: kept.items.map { ($0.storedName, $0.number(in: frame)) })
    let next = PanelKeptValues(items, in: kept.folder.another, from: kept.start.continued(with: numbers))
    next.saved = kept.saved
    return next
  }

  /// Whether an item must be saved before it is shown.
  var isUrgent: Bool { items.contains { $0.within == .zero } }

  /// The start number of each item by name.
  var numbersByName: [String: Int] { Dictionary(uniqueKeysWithValues: zip(items.map(\.name), numbers)) }

  /// Reads the folder again for a restart.
  func read() {
    start = KeptStart(reading: folder)
    begin()
  }

  private func begin() {
    numbers = items.map { $0.number(from: &start) }
  }

  // MARK: - The power of the simulated folder

  /// Cuts the power: nothing is stored from now on.
  func cutPower() { folder.cutPower() }

  /// Restores the power and reads the folder.
  func restorePower(using random: inout some RandomNumberGenerator) {
    folder.restorePower(using: &random)
    read()
  }

  // MARK: - Events and warnings

  /// Records an event of the panel if it is a save.
  func note(_ event: Any, at moment: Moment) {
    guard case .saved(let byteCount)? = event as? KeptValuesDriver<KeptValuesFolder>.Event else { return }
    saved = (moment, byteCount)
  }

  /// Warnings before the start: all errors in the kept files except the first, which the driver reports as trouble; and
  /// whether the folder can't be written.
  var warnings: [String] {
    let read = start.warnings.dropFirst().map { "\($0)" }
    guard folder.simulated == nil, access(folder.name, W_OK | X_OK) != 0 else { return read }
    let reason = String(cString: strerror(errno))
    return read + ["values can't be saved in \(folder.name): \(reason). Make the folder, and let this user write it."]
  }
}

extension PanelSession {
  /// The option `--state`, which names the folder.
  package static let stateOption = CommandSyntax.Option(
    "--state", value: "FOLDER", help: "Folder for the values that the panel file keeps (keep:).")

  /// The reason why values are not kept although the panel file requires it; nil if they are.
  var keptNowhere: String? {
    panel.keptCount > 0 && kept == nil ? "not kept: run it with --state FOLDER" : nil
  }

  /// Logs problems with the kept values before the start.
  package func logKept(to diagnostics: Diagnostics) {
    let names = listed(panel.keptItems.map(\.name))
    for line in (keptNowhere.map { ["\(names): \($0)"] } ?? []) + (kept?.warnings ?? []) {
      diagnostics.write(.warning, "\(panel.name): \(visible(line))")
    }
  }
}

extension PanelRendering {
  /// Returns the kept numbers of a frame.
  func kept(_ items: [KeptItem], in frame: PanelFrame) -> KeptValuesDriver<KeptValuesFolder>.Model {
    items.map { .init($0.storedName, $0.number(in: frame), within: $0.within) }
  }
}

extension KeptItem {
  /// The start number. A number that was kept with different decimals is converted.
  package func number(from start: inout KeptStart) -> Int {
    let numbers = start.numbers
    let earlier = earlierNames.lazy.compactMap { earlier in
      numbers[earlier.name].map { Quantity.rescaled($0, from: earlier.decimals, to: decimals) }
    }.first
    let first = earlier.map { min(range.upperBound, max(range.lowerBound, $0)) } ?? initial
    return start.number(of: storedName, in: range, initial: first, called: name) {
      Quantity.text($0, decimals: decimals)
    }
  }
}
