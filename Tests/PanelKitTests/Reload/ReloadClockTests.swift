import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

/// The dates on which times of day have fired, over a reload.
@Suite("Reloads of panels with times of day")
struct ReloadClockTests {
  private static let bell = """
    panel: Bell
    values: { rings: { initial: 0, min: 0, max: 99 } }
    at: { "06:00": { set: { rings: +1 } } }
    initial: rests
    states: { rests: }

    """

  /// A time that may be late by two hours.
  private static let pump = """
    panel: Pump
    values: { runs: { initial: 0, min: 0, max: 99, keep: { within: 0s } } }
    initial: waits
    states:
      waits: { at: { "06:00": { go: waters, set: { runs: +1 }, late: 2h } } }
      waters: { after: { 10m: waits } }

    """

  /// A stage on which it is 06:00:01 and the bell has rung.
  private func rung() throws -> ReloadStage {
    let stage = try ReloadStage(Self.bell)
    try stage.take("clock \"2026-11-25 05:59:00\"")
    #expect(try stage.take("wait 61s; expect rings=1") == [])
    return stage
  }

  @Test("after a reload, a line with the same text does not fire again on its date")
  func reload() throws {
    let stage = try rung()
    try stage.reload(Self.bell.replacing(each: "panel: Bell", by: "panel: Other bell"))
    #expect(try stage.take("expect rings=1") == [])
    try stage.take("clock \"2026-11-25 05:59:00\"")
    #expect(try stage.take("wait 2m; expect rings=1; wait 24h; expect rings=2") == [])
  }

  @Test("after a reload, a line with the same text keeps its date at another place of the file")
  func reloadMoved() throws {
    let stage = try rung()
    try stage.reload(
      Self.bell.replacing(each: "at: { ", by: "at: { \"05:30\": { set: { rings: +10 } }, "))
    try stage.take("clock \"2026-11-25 05:29:00\"")
    // The time of the new line has passed before the reload, so it fires on the next date.
    #expect(try stage.take("wait 2m; expect rings=1; wait 1h; expect rings=1; wait 24h; expect rings=12") == [])
  }

  @Test("after a reload, a line with another text fires at its time on the same date")
  func reloadOtherText() throws {
    let stage = try rung()
    try stage.reload(Self.bell.replacing(each: "\"06:00\"", by: "06:00 mon..fri | 06:05"))
    #expect(try stage.take("expect rings=1; wait 4m; expect rings=1; wait 1m; expect rings=2") == [])
    #expect(try stage.take("wait 24h; expect rings=4") == [])
  }

  @Test("a line that a reload adds does not fire for a time before the reload, however late it may be")
  func reloadAddsPast() throws {
    let stage = try rung()
    try stage.take("wait 3h")
    try stage.reload(
      Self.bell.replacing(
        each: "at: { ",
        by: "at: { \"08:00\": { set: { rings: +10 }, late: 2h }, 09:00 wed: { set: { rings: +20 }, late: 2h }, "))
    #expect(try stage.take("wait 1h; expect rings=1; wait 24h; expect rings=12") == [])
    #expect(try stage.take("clock \"2026-12-02 10:30:00\"; expect rings=32") == [])
  }

  @Test("a reload does not fire a time that has passed in the previous panel's run")
  func reloadLate() throws {
    let stage = try ReloadStage(Self.pump)
    try stage.take("clock \"2026-11-25 05:59:00\"")
    #expect(try stage.take("wait 61s; expect runs=1 state=waters; wait 10m; expect state=waits") == [])
    try stage.reload(Self.pump.replacing(each: "10m", by: "5m"))
    #expect(try stage.take("wait 10s; expect runs=1 state=waits") == [])
  }

  @Test("a time that waits for its condition waits on after a reload")
  func reloadWaiting() throws {
    let text = """
      panel: Soil
      inputs: { soil: { sensor: { w1: any }, min: 0, max: 100 } }
      values: { runs: { initial: 0, min: 0, max: 9 } }
      initial: waits
      states:
        waits: { at: { "06:00": { set: { runs: +1 }, if: soil < 40, late: 2h } } }

      """
    let stage = try ReloadStage(text)
    try stage.take("clock \"2026-11-25 05:59:00\"; wait 5m")
    try stage.reload(text.replacing(each: "max: 9 }", by: "max: 8 }"))
    #expect(try stage.take("expect runs=0; sense soil=20; expect runs=1; wait 2h; sense soil=30; expect runs=1") == [])
  }
}
