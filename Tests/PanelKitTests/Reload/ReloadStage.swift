import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

/// A panel on simulated devices, whose place others take.
final class ReloadStage {
  let session: PanelSession
  private let kinds: KindList
  var chip: SimulatedChip { session.chip! }

  /// - Parameters:
  ///   - text: a whole panel file.
  ///   - kinds: the kinds that the file can name.
  ///   - beginning: where the clock stands at first.
  ///   - prepare: is called before the panel starts.
  init(
    _ text: String, kinds: KindList = .standard, beginning: Moment = .zero,
    prepare: (SimulatedChip) throws -> Void = { _ in }
  ) throws {
    self.kinds = kinds
    let panel = try Self.read(text, kinds)
    session = try PanelSession(panel, on: Platform(.simulated, beginning: beginning), isReloadable: true)
    try prepare(session.chip!)
    try session.start()
  }

  deinit { session.stop() }

  static func read(_ text: String, _ kinds: KindList = .standard) throws(Problems) -> PanelDefinition {
    try PanelFile.read(Array(text.utf8), file: "\(checkoutRoot)/stage.panel.yaml", kinds: kinds)
  }

  /// Another panel takes its place.
  ///
  /// - Returns: what it has kept.
  @discardableResult
  func reload(_ text: String) throws -> [String] {
    let panel = try Self.read(text, kinds)
    let sounds = PanelSound.all(panel.sounds, like: session.settings.sounds)
    return try session.reload(to: panel, sounds: sounds)
  }

  /// Takes steps, separated by semicolons, for the panel that is there now: what was not as expected.
  @discardableResult
  func take(_ steps: String) throws -> [String] {
    var failures: [String] = []
    for step in steps.split(separator: ";") {
      guard let placed = try StepLineReader.read(String(step), line: 1, file: "-", names: Names(session.panel)) else {
        continue
      }
      failures += try session.perform(placed.step)
    }
    return failures
  }

  /// The changes of a line's level since the beginning.
  func changes(_ line: LineName) -> Int { chip.line(line).changes.count + chip.line(line).forgottenChanges }
}
