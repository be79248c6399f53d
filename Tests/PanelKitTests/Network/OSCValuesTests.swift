import Testing

@testable import PanelKit

@Suite("What receivers of Open Sound Control are told of a panel")
struct OSCValuesTests {
  @Test("numbers and positions are whole numbers, durations and words texts, a list as many numbers as it has elements")
  func types() throws {
    let stage = try OSCStage()
    try stage.take("wait 1s; turn knob=2; switch mute=on; sense warm=21.5; wait 11s")
    func last(_ address: String) -> [String] {
      stage.receivers[0].arrivals.map(\.message).last { $0.address == address }.map { $0.arguments.map { "\($0)" } }
        ?? []
    }
    #expect(last("/panel/show/value/level") == ["integer(9)"])
    #expect(last("/panel/show/value/wait") == [#"text("1s")"#])
    #expect(last("/panel/show/value/code") == ["integer(3)", "integer(3)"])
    #expect(last("/panel/show/input/mute") == ["integer(1)"])
    #expect(last("/panel/show/input/warm") == ["real(21.5)"])
    #expect(last("/panel/show/output/lamp") == ["integer(0)", #"text("off")"#])
    #expect(last("/panel/show/sound/chime") == ["integer(0)"])
    #expect(last("/panel/show/state/main") == [#"text("idle")"#])
    #expect(last("/panel/show/event/knob") == [#"text("clockwise")"#])
    #expect(last("/panel/show/trouble") == [])
  }

  @Test("what is lost is named, and so is a panel that has stopped")
  func trouble() throws {
    let stage = try OSCStage(OSCStage.show + "never: { loud: level > 9 }\n")
    _ = stage.arrived()
    try stage.take("unplug gpio; wait 300ms")
    #expect(stage.arrived().contains("/trouble gpio"))
    try stage.take("plug gpio; wait 300ms")
    #expect(stage.arrived().contains("/trouble"))
    try stage.send("/panel/show/set/level", .integer(10))
    try stage.take("wait 300ms; expect ended=70")
    #expect(stage.arrived().contains("/trouble panel"))
  }

  @Test("a message has its numbers as they are when it is sent")
  func arguments() throws {
    let stage = try OSCStage()
    try stage.take("sense warm=21.5; wait 11s; turn knob=2; wait 100ms")
    let faders = stage.receivers[0].arrivals.map(\.message).filter { $0.address == "/fader/1" }
    #expect(
      faders.map(\.arguments) == [
        [.integer(80), .real(0.5), .text("go"), .truth(true), .real(21.5), .text("1s")],
        [.integer(90), .real(0.5), .text("go"), .truth(true), .real(21.5), .text("1s")],
      ])
  }
}
