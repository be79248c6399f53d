import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("The sounds of a panel")
struct PanelSoundTests {
  @Test("a file is not read before it is played; read into memory, several sounds share its samples")
  func shared() throws {
    let chime = PanelDefinition.SoundSource.file("\(checkoutRoot)/Examples/doorbell/sounds/chime.wav")
    let sounds = PanelSound.all([
      .init(name: "ding", source: chime, loop: false),
      .init(name: "hum", source: .tone(hertz: 440), loop: false),
      .init(name: "dong", source: chime, volume: .fixed(gain: 0.5), loop: true),
    ])
    #expect(sounds.map(\.name) == ["ding", "hum", "dong"])
    #expect(sounds.map { $0.clip != nil } == [false, false, false])
    let loaded = try PanelSound.loaded(sounds, atHertz: 44_100)
    #expect(loaded.map { $0.clip != nil } == [true, false, true])
    #expect(loaded[0].clip === loaded[2].clip && loaded[0].clip?.sampleRateHertz == 44_100)
  }
}

@Suite("What a panel shows")
struct PanelRenderingTests {
  @Test("12 000 states and 20 000 outputs take the memory of what they say, not of their product")
  func large() {
    let stateCount = 12_000
    let outputCount = 20_000
    var panel = PanelDefinition(name: "Large")
    panel.outputs = (0..<outputCount).map { .init(name: "o\($0)", device: LEDKind(line: "L\($0)")) }
    let states = (0..<stateCount).map { state in
      PanelDefinition.State(
        name: "s\(state)", region: 0,
        show: [
          .init(output: outputCount - 1 - state, rule: .always(.level(0.5))), .init(output: state, rule: .always(.on)),
        ])
    }
    panel.states = [.init(name: "", regions: [0], show: [.init(output: 7, rule: .always(.on))])] + states
    panel.regions = [.init(name: nil, initial: 1, states: Array(1...stateCount))]
    let show = PanelRendering(panel: panel)
    let seed = PanelRules(panel: panel).seed
    var frame = seed
    frame[state: 0] = 12_000
    let shown = show.models(of: Array(0..<outputCount), seed: seed, as: { _, appearance, _ in appearance })
    let models = shown.models(in: frame)
    #expect(models.count == outputCount)
    #expect(models.indices.filter { models[$0] != .off } == [7, 8000, 11_999])
    #expect(models[7] == .on && models[8000] == .level(0.5) && models[11_999] == .on)
    #expect(show.appearance(of: 8000, in: frame) == .level(0.5))
  }
}
