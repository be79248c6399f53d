import HardwareDrivers
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelProof

@Suite("What a proof is made of")
struct ProofModelTests {
  @Test("bounds come back as they were, also once some need more than 32 bits")
  func bounds() {
    var store = ZoneStorage()
    var zones: [Zone] = []
    for latest in [5, 70_000, 1 << 20, 1 << 40, 3] {
      var zone = Zone(clocks: 2)
      zone.up()
      zone.constrain(1, atMost: latest)
      zones.append(zone)
      zone.constrain(2, atLeast: latest / 2)
      zones.append(zone)
      zones.append(Zone(clocks: 0))
    }
    let places = zones.map { store.append($0.bounds) }
    for (place, zone) in zip(places, zones) {
      var loaded = Zone(clocks: 1)
      store.load(place, clocks: zone.size - 1, into: &loaded)
      #expect(loaded == zone)
    }
  }

  @Test("a button's phases are those of its gesture")
  func button() {
    let model = ButtonModel(Gesture(hold: .seconds(1), doubleClick: .milliseconds(300)))
    #expect(model.move(in: .up) == .init(events: [ButtonEvent.pressed], next: .down))
    #expect(model.move(in: .down) == .init(events: [ButtonEvent.released], next: .between))
    #expect(model.move(in: .between) == .init(events: [ButtonEvent.pressed], next: .second))
    #expect(
      model.move(in: .second) == .init(events: [ButtonEvent.released, ButtonEvent.doubleClicked], next: .up))
    #expect(
      model.timeout(of: .second)?.step == .init(events: [ButtonEvent.clicked, ButtonEvent.held], next: .classified))
    let double = ButtonModel(Gesture(hold: nil, doubleClick: .milliseconds(300)))
    #expect(
      double.move(in: .between) == .init(events: [ButtonEvent.pressed, ButtonEvent.doubleClicked], next: .classified))
    #expect(model.move(in: .classified) == .init(events: [ButtonEvent.released], next: .up))
    #expect(model.timeout(of: .down)?.step == .init(events: [ButtonEvent.held], next: .classified))
    #expect(model.timeout(of: .down)?.span == .seconds(1))
    #expect(model.timeout(of: .between)?.step == .init(events: [ButtonEvent.clicked], next: .up))
    #expect(model.timeout(of: .up) == nil && model.timeout(of: .classified) == nil)
    let plain = ButtonModel(Gesture(hold: nil, doubleClick: nil))
    #expect(plain.move(in: .down) == .init(events: [ButtonEvent.released, ButtonEvent.clicked], next: .up))
  }

  private func slice(_ states: String) throws -> ConeOfInfluence {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, k: { encoder: [ GPIO7, GPIO8 ] }, pad: { buttons: [ GPIO9, GPIO10 ] } }
      values: { volume: { initial: 3, min: 0, max: 9 }, n: { initial: 0, min: 0, max: 9 }, m: { initial: 0, min: 0, max: 9 } }
      audio: { volume: volume }
      initial: x
      states:
      \(states)
      """
    return ConeOfInfluence(of: try PanelFile.read(Array(text.utf8), file: "p"))
  }

  @Test("a value that is only shown isn't followed, nor is the knob that sets it, nor a deadline that counts it")
  func slices() throws {
    let slice = try slice(
      """
        x: { on: { a.pressed: y, k.clockwise: { set: { volume: +1 } } }, every: { 1s: { set: { m: +1 } } } }
        y: { on: { a.pressed: { go: x, if: n == 3, set: { n: m - 1 } } } }
      """)
    #expect(slice.follows(value: 1) && slice.follows(value: 2) && !slice.follows(value: 0))
    #expect(slice.events(of: 0) == [ButtonEvent.pressed] && slice.events(of: 1) == [])
    // m is set to n, which a condition asks for.
    #expect(slice.deadlines[1] == [true])
  }

  @Test("what keeps a followed transition from being chosen is followed")
  func competition() throws {
    let slice = try slice(
      """
        x: { on: { pad(2).pressed: { set: { volume: +1 }, if: n == 3 }, pad.pressed: y } }
        y: { on: { a.pressed: { go: x, set: { n: 3 } } } }
      """)
    #expect(slice.follows(value: 1))
  }

  @Test("the times of a chord are whole ticks")
  func chordTick() throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO1 }, b: { button: GPIO2 }, c: { chord: [ a, b ], within: 1.5ms, hold: 2s } }
      never: { n: c == pressed and state == y }
      initial: x
      states: { x: { on: { c.held: y } }, y: { on: { a.pressed: x } } }

      """
    let model = ProofModel(try PanelFile.read(Array(text.utf8), file: "p"), sounds: [])
    #expect(model.tick == 1_000)
    #expect(model.ticks(.microseconds(1500)) == 1500)
  }
}
