import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelRun

@Suite("What is told of lost edges")
struct LostEdgeLogTests {
  static let text = """
    panel: T
    inputs: { bell: { button: GPIO17, debounce: 0ms }, knob: { encoder: [GPIO5, GPIO6] } }
    initial: a
    states: { a: { on: { bell.pressed: b } }, b: { on: { knob.clockwise: a } } }
    """

  /// More edges than the kernel's queue holds, while the application does not get to run.
  private func lose(_ stage: Stage, at line: LineName) throws {
    stage.chip.edgeQueueDepth = 16
    Waveform(String(repeating: "_#", count: 50) + "#", step: .milliseconds(1)).drive(
      stage.chip.line(line), on: stage.session.bench)
    try stage.session.bench.stall(for: .milliseconds(200))
  }

  @Test("the first lost edges are told at once, those of the next 10 s together")
  func rate() throws {
    let stage = try Stage(panel: Self.text)
    #expect(stage.session.dueLossLines() == [])
    #expect(stage.session.nextLogMoment == nil)
    try lose(stage, at: "GPIO17")
    let first = stage.session.dueLossLines()
    #expect(first.count == 1)
    #expect(first.first?.hasPrefix("bell (GPIO17): at least ") == true)
    #expect(first.first?.hasSuffix(" edges lost") == true)
    #expect(stage.session.dueLossLines() == [])
    let told = stage.session.now
    for _ in 0..<20 { try lose(stage, at: "GPIO17") }
    try lose(stage, at: "GPIO5")
    #expect(stage.session.dueLossLines() == [])
    #expect(stage.session.nextLogMoment == told + .seconds(10))
    try stage.take("wait 10s")
    let later = stage.session.dueLossLines()
    #expect(later.count == 2)
    #expect(later.first?.hasPrefix("bell (GPIO17): at least ") == true)
    #expect(later.first?.hasSuffix(" edges lost in the last 10 s") == true)
    #expect(later.last?.hasPrefix("knob (GPIO5, GPIO6): at least ") == true)
    #expect(stage.session.nextLogMoment == nil)
  }

  @Test("lost edges bear the input's name in the journal, and are no lines of their own beside the warnings")
  func journal() throws {
    let stage = try Stage(panel: Self.text)
    try lose(stage, at: "GPIO17")
    try lose(stage, at: "GPIO5")
    let texts = stage.session.journal.last(.max).map(\.text).filter { $0.hasSuffix(" lost") }
    #expect(Set(texts.compactMap { $0.split(separator: " ").first }) == ["bell:", "knob:"])
    let (buttons, encoders) = (0, 1)
    let events: [(event: Any, lens: Int, text: String)] = [
      (LineDriverArray<Button>.Event(0, .edgesLost(nil)), buttons, "bell: at least 1 edge lost"),
      (LineDriverArray<Button>.Event(0, .edgesLost(3)), buttons, "bell: at least 3 edges lost"),
      (LineDriverArray<RotaryEncoder>.Event(0, .skipped), encoders, "knob: at least 1 edge lost"),
    ]
    let journal = stage.session.journal
    for (event, lens, text) in events {
      #expect(journal.text(of: event, of: lens) == text)
      #expect(journal.textBesidesTrouble(of: event, of: lens) == nil)
    }
    let pressed = LineDriverArray<Button>.Event(0, .pressed)
    #expect(journal.textBesidesTrouble(of: pressed, of: buttons) == "bell.pressed")
  }

  @Test("what was lost before the end is told at the end")
  func end() throws {
    let stage = try Stage(panel: Self.text)
    try lose(stage, at: "GPIO17")
    #expect(stage.session.dueLossLines().count == 1)
    try lose(stage, at: "GPIO17")
    #expect(stage.session.dueLossLines() == [])
    #expect(stage.session.dueLossLines(isLast: true).count == 1)
    #expect(stage.session.dueLossLines(isLast: true) == [])
  }
}
