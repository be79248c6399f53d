import CycleCore
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelLanguage

@Suite("What outputs show, frame by frame")
struct ModelCacheTests {
  private static let text = """
    panel: Shown
    inputs: { a: { button: GPIO1 }, b: { button: GPIO2 }, pad: { buttons: [GPIO3, GPIO4] } }
    outputs:
      plain: { led: GPIO10 }
      level: { led: GPIO11 }
      inner: { led: GPIO12 }
      shared: { led: GPIO13, shown-by: [right, left] }
      row: { leds: [GPIO14, GPIO15, GPIO16] }
      chosen: { led: GPIO17 }
      range: { leds: [GPIO18, GPIO19, GPIO20] }
    values: { n: { initial: 1, min: 0, max: 4 } }
    show:
      plain: { blink: 1s }
      chosen: { when: { n > 2: on, state.left == two: { level: n } } }
      range: { when: { state.right == light: { from: 2, to: n }, n == 4: { only: 1 } } }
    on: { pad.pressed: { set: { n: +1 } } }
    regions:
      left:
        initial: off
        states:
          off: { on: { a.pressed: on } }
          on:
            show: { plain: on, level: { level: n }, shared: { blink: 100ms }, row: { only: n } }
            on: { a.pressed: off }
            initial: one
            states:
              one: { show: { inner: on }, on: { b.pressed: two } }
              two: { show: { inner: { pulse: 2s }, plain: off, chosen: { when: { n == 3: { level: n }, else: { blink: 1s } } } } }
      right:
        initial: dark
        states: { dark: { on: { b.pressed: light } }, light: { show: { shared: on }, on: { b.pressed: dark } } }
    """

  @Test("are what each frame shows for itself, in whatever order the frames come", arguments: 0..<20)
  func random(seed: Int) throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "shown.panel.yaml")
    let (rules, show) = (PanelRules(panel: panel), PanelRendering(panel: panel))
    let outputs = Array(panel.outputs.indices)
    var chance = SeededGenerator(seed: UInt64(seed))
    var frames = [rules.seed]
    for _ in 0..<40 {
      var frame = frames[frames.count - 1]
      rules.react(to: .input(Int.random(in: 0..<4, using: &chance), 0), at: .zero, in: &frame)
      frames.append(frame)
    }
    var stopped = frames[20]
    stopped.stop(.endless([1]))
    frames.append(stopped)
    let values = ModelCache(of: outputs, in: show, readsValues: true, seed: rules.seed) { _, appearance, values in
      Shown(appearance: appearance, share: values.share(of: 0))
    }
    let appearances = ModelCache(of: outputs, in: show, readsValues: false, seed: rules.seed) { _, appearance, _ in
      appearance
    }
    for _ in 0..<200 {
      let frame = frames[Int.random(in: frames.indices, using: &chance)]
      let wanted = outputs.map { show.appearance(of: $0, in: frame) }
      #expect(appearances.models(in: frame) == wanted, "seed \(seed)")
      let shown = values.models(in: frame)
      #expect(shown.map(\.appearance) == wanted, "seed \(seed)")
      for (appearance, model) in zip(wanted, shown) where appearance.dependsOnValues {
        #expect(model.share == show.values(in: frame).share(of: 0), "seed \(seed)")
      }
    }
    #expect(Set(frames.map { show.stateText(in: $0) }).count > 2, "the walk comes around")
  }

  private struct Shown: Equatable {
    var appearance: OutputAppearance
    var share: Double
  }

  @Test("are told where they change, and there only")
  func changes() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "shown.panel.yaml")
    let (rules, show) = (PanelRules(panel: panel), PanelRendering(panel: panel))
    let shown = ModelCache(of: Array(panel.outputs.indices), in: show, readsValues: false, seed: rules.seed) {
      _, appearance, _ in appearance
    }
    func changed(by input: Int, _ frame: inout PanelFrame) -> [String] {
      rules.react(to: .input(input, 0), at: .zero, in: &frame)
      var places: [Int] = []
      shown.update(to: frame) { places.append($0) }
      return places.sorted().map { panel.outputs[$0].name }
    }
    var frame = rules.seed
    #expect(changed(by: 0, &frame) == ["plain", "level", "inner", "shared", "row(1)"])
    #expect(changed(by: 1, &frame) == ["plain", "inner", "shared", "chosen"])
    #expect(changed(by: 2, &frame) == ["row(1)", "row(2)", "range(2)"])
    #expect(changed(by: 3, &frame) == ["row(2)", "row(3)", "chosen", "range(3)"])
  }
}
