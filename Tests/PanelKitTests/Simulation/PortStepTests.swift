import CycleCore
import Testing

@testable import PanelLanguage
@testable import PanelRecording
@testable import PanelRun

@Suite("Steps that unplug all hardware of a port")
struct PortStepTests {
  private static func panel(key: String = "key") -> String {
    """
    panel: P
    inputs:
      \(key):  { button: GPIO5 }
      air:  { sensor: { file: /run/air }, min: 0, max: 99 }
      cold: { sensor: { file: /run/cold }, min: 0, max: 99 }
    outputs:
      screen: { display: { i2c: 0x27 } }
    values:
      count: { initial: 0, min: 0, max: 9 }
    on: { \(key).pressed: { set: { count: +1 } }, air.lost: { set: { count: 9 } } }
    show: { screen: [ "{count}" ] }
    initial: a
    states: { a: { when: { cold > 90: b } }, b: }

    """
  }

  @Test("the text of a display on a bus is written when the bus is back")
  func bus() throws {
    let stage = try Stage(panel: Self.panel())
    let steps =
      "click key; wait 1s; unplug i2c; click key; wait 1s; expect screen=1; plug i2c; wait 3s; expect screen=2"
    #expect(try stage.take(steps) == [])
  }

  @Test("all sensors are lost and return together; one that never had a number is lost until it has one")
  func sensors() throws {
    let stage = try Stage(panel: Self.panel())
    let steps =
      "sense air=20; wait 2s; unplug sensor; wait 2s; expect air=lost; expect count=9; plug sensor; wait 2s; expect air=20"
    #expect(try stage.take(steps) == [])
    #expect(try stage.take("expect cold=lost; sense cold=30; wait 2s; expect cold=30") == [])
  }

  @Test("a thing of the same name hides the port, and a step is written as it is read")
  func names() throws {
    let stage = try Stage(panel: Self.panel())
    #expect(stage.names.portWords == ["sensor", "i2c"])
    let hidden = try Stage(panel: Self.panel(key: "i2c"))
    #expect(hidden.names.portWords == ["sensor"])
    for line in ["unplug i2c", "plug i2c", "unplug sensor"] {
      let step = try #require(try StepLineReader.read(line, line: 1, file: "-", names: stage.names)).step
      #expect(StepText(of: stage.session.panel).line(step) == line)
    }
  }

  @Test("a recording of them is simulated again, also without the loss that they caused")
  func recording() throws {
    let recording = try RecordingStage.recording(
      Self.panel(), ["sense air=20", "wait 2s", "unplug sensor", "wait 2s", "plug sensor", "wait 2s"])
    let resimulated = try RecordingStage.resimulated(RecordingStage.take(recording))
    #expect(RecordingStage.causes(of: resimulated) == RecordingStage.causes(of: recording))
  }
}
