import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelKit
@testable import PanelLanguage
@testable import PanelRun

/// The panels of the examples that this command reads.
private let panels =
  TestPlan(["\(checkoutRoot)/Examples"]).suites.map(\.panel).filter { !$0.contains("/ColourLamp/") }

@Suite("The start of a panel: the examples")
struct ExampleStartTests {
  /// The starts that are tried: each contact operated, each sensor at its ends and in its middle, and all together.
  private func starts(of panel: PanelDefinition) -> [Scenario.Start] {
    var all = Scenario.Start()
    var starts = [Scenario.Start()]
    for (input, definition) in panel.inputs.enumerated() {
      let control = type(of: definition.device).control
      if let scale = definition.device.scale {
        let range = scale.range
        for number in [range.lowerBound, (range.lowerBound + range.upperBound) / 2, range.upperBound] {
          starts.append(Scenario.Start(readings: [input: number]))
        }
        all.readings[input] = range.upperBound
      } else if control == .button || control == .switch {
        starts.append(Scenario.Start(positions: [input: 1]))
        all.positions[input] = 1
      }
    }
    return starts + [all]
  }

  @Test("close no relay and open it again within 100 ms, however their inputs are", arguments: panels)
  func relays(file: String) throws {
    let panel = try PanelFile.read(try PanelFile.text(path: file), file: file, folder: PanelFile.folder(of: file))
    let relays = panel.outputs.filter { $0.device is RelayKind }.flatMap { output in
      output.device.lines.map { (chip: panel.chip(of: output.device), line: LineName($0)) }
    }
    guard !relays.isEmpty else { return }
    for start in starts(of: panel) {
      let session = try PanelSession(panel, on: Platform(.simulated))
      try session.world.prepare(start)
      try session.start()
      defer { session.stop() }
      try session.bench.advance(by: .seconds(1))
      guard let chips = session.chips else { continue }
      for (chip, name) in relays {
        let changes = chips[chip].line(name).changes.filter { $0.moment >= .zero }
        let spans = zip(changes.dropFirst(), changes).map { $0.moment - $1.moment }
        #expect(spans.allSatisfy { $0 >= .milliseconds(100) }, "\(name): \(changes), \(start)")
      }
    }
  }
}
