import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

@Suite("The event `changed` of a sensor")
struct SensorChangeTests {
  private static let text = """
    panel: P
    inputs: { pot: { sensor: { file: /run/pot }, min: 0, max: 10, decimals: 1, if-lost: 0 } }
    values: { turned: { initial: 0, min: 0, max: 99 }, high: { initial: 0, min: 0, max: 99 } }
    on: { pot.changed: [ { if: pot > 5, set: { high: +1, turned: +1 } }, { set: { turned: +1 } } ] }
    initial: x
    states: { x: {} }

    """

  @Test("it occurs when the number differs in its decimals, and its condition sees the new number")
  func occurs() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("sense pot=2; wait 2s; expect turned=0; sense pot=2.5; wait 2s; expect turned=1") == [])
    #expect(
      try stage.take("sense pot=2.5; wait 5s; expect turned=1; sense pot=6; wait 2s; expect turned=2 high=1") == [])
  }

  @Test("it occurs neither at the first reading nor at a loss or a return")
  func neither() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("sense pot=2; wait 2s; unplug pot; wait 2s; expect pot=lost turned=0") == [])
    #expect(
      try stage.take("sense pot=3; plug pot; wait 3s; expect turned=0; sense pot=4; wait 2s; expect turned=1") == [])
  }

  private func violations(_ never: String, _ on: String) throws -> Int {
    let text = """
      panel: P
      inputs: { pot: { sensor: { file: /run/pot }, min: 0, max: 10, decimals: 1 } }
      values: { n: { initial: 0, min: 0, max: 3 } }
      never: { \(never) }
      on: { \(on) }
      initial: x
      states: { x: { when: { pot > 5: y } }, y: { when: { pot <= 5: x } } }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let model = ProofModel(PropertySlice(whole: panel), sounds: [])
    let search = Search(model, within: Search.Bounds(), hasTimeLeft: { true })
    search.run()
    return search.isComplete || !search.marks.violations.isEmpty ? search.marks.violations.count : -1
  }

  @Test("a proof also tries a change to a number that is equal in all comparisons")
  func proved() throws {
    #expect(try violations("often: n == 2 and pot < 5", "pot.changed: { if: pot < 5, set: { n: +1 } }") == 1)
    #expect(try violations("twice: n == 2", "pot.changed: { if: pot < 0, set: { n: +1 } }") == 0)
  }
}
