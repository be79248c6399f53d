import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("Tries that are lost")
struct TriesLostTests {
  private static func lock(keep: String) -> String {
    """
    panel: Safe with a lockout
    inputs: { pad: { buttons: [ GPIO5, GPIO6, GPIO13, GPIO19 ] } }
    outputs: { bolt: { relay: GPIO24 }, red: { led: GPIO23 } }
    values:
      code:  { list: 4, min: 1, max: 4 }
      tries: { initial: 0, min: 0, max: 3, keep: \(keep) }
    initial: ready
    resume: [ barred ]
    states:
      ready:
        on: { pad.pressed: { set: { code: append pad } } }
        when:
          code == '3142': { go: open, set: { code: [], tries: 0 } }
          code.count == 4 and tries < 2: { go: wrong, set: { code: [], tries: +1 } }
          code.count == 4: { go: barred, set: { code: [], tries: +1 } }
      wrong: { show: { red: { blink: 100ms } }, after: { 500ms: ready } }
      barred: { show: { red: on }, after: { 5m: { go: ready, set: { tries: 0 } } } }
      open: { show: { bolt: on }, after: { 5s: ready } }

    """
  }

  @Test("a plug that is pulled right after each wrong code bars the lock all the same")
  func pulled() throws {
    let stage = try Stage(panel: Self.lock(keep: "{ within: 0s }"))
    for round in 1...5 { try stage.take("seed \(round); type pad=1111; wait 300ms; power-cut 2s; wait 10ms") }
    #expect(try stage.take("expect state=barred tries=3 red=on") == [])
  }

  @Test("the count is on the disk when the lamp tells of it, wherever the plug is pulled")
  func beforeItIsShown() throws {
    for seed in 0..<10 {
      let stage = try Stage(panel: Self.lock(keep: "{ within: 0s }"))
      try stage.take("seed \(seed); type pad=111; press pad(1)")
      for _ in 0..<20 where stage.state != "wrong" { try stage.take("wait 1ms") }
      #expect(stage.state == "wrong")
      #expect(try stage.take("power-cut 1s; wait 10ms; expect tries=1") == [], "seed \(seed)")
    }
  }

  @Test("with keep: true it is saved a second later at the soonest: the lock can be tried for ever")
  func keptLater() throws {
    let stage = try Stage(panel: Self.lock(keep: "true"))
    for round in 1...5 { try stage.take("seed \(round); type pad=1111; wait 300ms; power-cut 2s; wait 10ms") }
    #expect(try stage.take("expect state=ready tries=0") == [])
  }

  @Test("a value that changes all the time is saved 20 times a minute, and check notes it")
  func often() throws {
    let text = """
      panel: P
      inputs: { knob: { encoder: [ GPIO5, GPIO6 ] } }
      values:
        n: { initial: 0, min: 0, max: 999, keep: { within: 0s } }
        m: { initial: 0, min: 0, max: 999, keep: { within: 0s } }
      every: { 100ms: { set: { n: +1 } } }
      on: { knob.clockwise: { set: { m: +1 } } }
      initial: x
      states: { x: {} }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    let rest = "sets it: while it changes, the disk is written every 3s; write keep: { within: 60s } or more"
    #expect(
      panel.notes.map { "\($0.line):\($0.column): \($0.text)" } == [
        "4:38: \"n\" is kept, and every 100ms \(rest)", "5:38: \"m\" is kept, and knob \(rest)",
      ])
    let stage = try Stage(panel: text)
    try stage.take("wait 60s")
    let folder = try #require(stage.session.kept?.folder.simulated)
    #expect((19...22).contains(folder.writeMoments.count), "\(folder.writeMoments.count)")
  }

  @Test("a recording of such a panel is replayed, and its inputs are those that it names")
  func recorded() throws {
    let stage = try Stage(panel: Self.lock(keep: "{ within: 0s }"))
    let places = stage.session.application.lensPlaces
    // The lens of what is kept is rendered before those of devices.
    #expect(places.inputs.allSatisfy { $0.lens == 1 })
    #expect(stage.session.application.cycle.name(of: 0) == "values")
  }
}
