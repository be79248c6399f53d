import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

/// A panel from text on simulated devices, taken through steps in virtual time.
final class Stage {
  let session: PanelSession
  let names: Names
  var chip: SimulatedChip { session.chip! }
  var card: SimulatedCard { session.card! }

  /// - Parameter states: what comes after a bell, a key, a mute switch, a knob, a lamp, a bar of four, a lock, two
  ///   tones and a level of 0 to 10 at 5.
  convenience init(_ states: String, waitsForLines: Bool = false, prepare: (Stage) -> Void = { _ in }) throws {
    let text = """
      panel: Stage
      inputs:
        bell: { button: GPIO1, hold: 500ms, double-click: 200ms }
        key:  { button: GPIO2 }
        mute: { switch: GPIO3 }
        knob: { encoder: [GPIO4, GPIO5] }
      outputs:
        lamp: { led: GPIO10 }
        bar:  { bar: [GPIO11, GPIO12, GPIO13, GPIO14] }
        lock: { relay: GPIO15, active: low }
      sounds:
        high: { tone: 880Hz, volume: 0.1 }
        chime: { file: Examples/doorbell/sounds/chime.wav }
      values:
        level: { initial: 5, min: 0, max: 10 }

      """
    try self.init(panel: text + states, waitsForLines: waitsForLines, prepare: prepare)
  }

  /// - Parameter text: a whole panel file.
  init(
    panel text: String, kinds: KindList = .standard, waitsForLines: Bool = false, isReloadable: Bool = false,
    kept: [String: Int] = [:], prepare: (Stage) -> Void = { _ in }
  ) throws {
    let panel = try PanelFile.read(Array(text.utf8), file: "\(checkoutRoot)/stage.panel.yaml", kinds: kinds)
    // What check accepts an editor must not refuse.
    if let value = JSON(yaml: text) {
      let faults = try SchemaValidator(root: FileSchemas(kinds: kinds).panel).faults(of: value)
      #expect(faults == [], "the schema of panel files refuses what check accepts")
    }
    session = try PanelSession(
      panel, on: Platform(.simulated), waitsForLines: waitsForLines, keeping: .simulated(kept),
      isReloadable: isReloadable)
    names = Names(panel)
    prepare(self)
    try session.start()
  }

  deinit { session.stop() }

  /// Takes steps, separated by semicolons: what was not as expected.
  @discardableResult
  func take(_ steps: String) throws -> [String] {
    var failures: [String] = []
    for step in steps.split(separator: ";") {
      guard let placed = try StepLineReader.read(String(step), line: 1, file: "-", names: names) else { continue }
      failures += try session.perform(placed.step)
    }
    return failures
  }

  // MARK: - What is there

  private var frame: PanelFrame { session.application.frame }

  func list(_ name: String) -> [Int] {
    session.panel.values.first { $0.name == name }?.list.map { Array(frame.elements(of: $0)) } ?? []
  }

  func value(_ name: String) -> Int {
    frame[value: session.panel.values.firstIndex { $0.name == name } ?? -1]
  }

  /// How the members of a group of outputs look.
  func look(_ group: String) -> [ObservedOutput] {
    let members = session.panel.outputGroups.first { $0.name == group }?.members ?? 0..<0
    return members.map { session.outputs.look(of: $0, at: session.now) }
  }

  /// The innermost current state of the first region.
  var state: String {
    let show = session.application.show
    return session.panel.states[show.toldState(of: show.toldRegions[0], in: frame)].name
  }

  var audible: [String] { session.application.show.audible(in: frame).map { session.panel.sounds[$0].name } }

  func sense(_ name: String, _ number: Int) throws { _ = try session.perform(.sense(input: input(name), number)) }
  func unplug(_ name: String) throws { _ = try session.perform(.unplugSensor(input: input(name))) }
  private func input(_ name: String) -> Int { session.panel.inputs.firstIndex { $0.name == name } ?? -1 }
}

extension PanelDefinition {
  /// A panel that stops when its button is pressed: two `when` follow each other without end.
  static func endless() throws(Problems) -> PanelDefinition {
    try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { a: { button: GPIO1 } }
        values: { n: { initial: 0, min: 0, max: 9 } }
        initial: x
        states:
          x: { on: { a.pressed: y } }
          y: { when: { n < 9: z } }
          z: { when: { n < 8: y }, on: { a.released: x } }
        """.utf8), file: "p")
  }
}
