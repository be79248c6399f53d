import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import HardwarePlatform

@Suite("A simulated application in a terminal")
struct OperatedSwiftApplicationTests {
  private struct Frame: Equatable {
    var count = 0
    var isBeeping = false
  }

  private func makeStage() throws -> OperatedSwiftApplication<Frame> {
    let platform = try Platform(.simulated)
    let cycle = Cycle(seed: Frame()) {
      Lens(
        Button(platform.chip, line: "GPIO17"), name: "bell",
        on: { frame, event in
          if event == .pressed { frame.count += 1 }
          frame.isBeeping = event == .pressed
        })
      Lens(
        Switch(platform.chip, line: "GPIO4", settings: .init(bias: .disabled, isActiveLow: false)), name: "door",
        found: { _, _ in }, on: { _, _ in })
      Lens(LED(platform.chip, line: "GPIO23"), show: { $0.count > 0 ? .on : .off })
      Lens(LED(platform.chip, line: "GPIO24", settings: .init(isActiveLow: true)), show: { _ in .on })
      Lens(AudioPlayer(platform.card), show: { $0.isBeeping ? [.tone(hertz: 440)] : [] })
    }
    let stage = OperatedSwiftApplication(cycle, on: platform)
    try stage.start()
    return stage
  }

  private func picture(_ stage: OperatedSwiftApplication<Frame>) -> [String] {
    ConsolePicture(of: stage, keys: KeyMap(of: stage.controls), closed: [], message: "")
      .lines(columns: 80, rows: 40).dropFirst().map { line in
        line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated()
          .map { place, part in place == 0 ? String(part) : String(part.drop { $0 != "m" }.dropFirst()) }.joined()
      }
  }

  @Test("it shows the lines that the application holds, its frame and its events, and its inputs can be pressed")
  func pressed() throws {
    let stage = try makeStage()
    defer { stage.stop() }
    #expect(stage.controls.map(\.name) == ["GPIO4", "GPIO17"])
    var shown = picture(stage)
    #expect(shown.contains { $0.contains("GPIO23  ○") })
    #expect(shown.contains { $0.contains("GPIO24  ●") }, "a lamp that is lit by low")
    #expect(shown.contains { $0.contains("sound   –") })
    #expect(shown.contains { $0.contains("GPIO17  p") || $0.contains("GPIO17  i") })

    try stage.press(1)
    try stage.bench.advance(by: .milliseconds(100))
    shown = picture(stage)
    #expect(shown.contains { $0.contains("GPIO23  ●") })
    #expect(shown.contains { $0.contains("sound   ♪") })
    #expect(shown.contains { $0.contains("count      1") })
    #expect(shown.contains { $0.contains("isBeeping  true") })
    #expect(shown.contains { $0.hasSuffix("bell: pressed") })

    try stage.release(1)
    try stage.press(0)
    try stage.bench.advance(by: .seconds(1))
    shown = picture(stage)
    #expect(shown.contains { $0.hasSuffix("bell: released") })
    #expect(shown.contains { $0.hasSuffix("door: on") })
    #expect(shown.contains { $0.contains("sound   –") })
  }
}
