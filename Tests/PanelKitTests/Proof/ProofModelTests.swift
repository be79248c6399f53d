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

  /// The events of a course through a button's phases: P and R change the contact, T waits for the phase's end.
  private func events(of model: ButtonModel, _ course: String) -> [[String]] {
    var phase = ButtonModel.Phase.up
    return course.compactMap { letter in
      if letter != "T" {
        #expect(model.isDown(phase) == (letter == "R"), "\(course)")
      }
      guard let step = letter == "T" ? model.timeout(of: phase)?.step : model.move(in: phase) else { return nil }
      phase = step.next
      return step.events.map { ButtonEvent.words[$0] }
    }
  }

  @Test("a button's phases are those of its gesture")
  func button() {
    let model = ButtonModel(Gesture(hold: .seconds(1), doubleClick: .milliseconds(300)))
    #expect(
      events(of: model, "PRPRT") == [["pressed"], ["released"], ["pressed"], ["released", "double-clicked"]])
    #expect(events(of: model, "PRPT") == [["pressed"], ["released"], ["pressed"], ["clicked", "held"]])
    #expect(events(of: model, "PRTPT") == [["pressed"], ["released"], ["clicked"], ["pressed"], ["held"]])
    #expect(model.spans == [.seconds(1), .milliseconds(300), .seconds(1)])
    #expect(model.timeout(of: .up) == nil && model.timeout(of: .classified) == nil)
    #expect(model.move(in: .classified) == .init(events: [ButtonEvent.released], next: .up))
    let down = model.move(in: .up).next
    #expect(model.timeout(of: down)?.step.next == .classified)
    #expect(model.phase(afterLossIn: down) == .classified)
    #expect(model.phase(afterLossIn: model.move(in: down).next) == .up)
    let double = ButtonModel(Gesture(hold: nil, doubleClick: .milliseconds(300)))
    #expect(
      events(of: double, "PRPR") == [["pressed"], ["released"], ["pressed", "double-clicked"], ["released"]])
    let plain = ButtonModel(Gesture(hold: nil, doubleClick: nil))
    #expect(
      events(of: plain, "PRPR") == [["pressed"], ["released", "clicked"], ["pressed"], ["released", "clicked"]])
  }

  @Test("a hold that repeats has two phases, and a series of clicks one for each click")
  func repeatingButton() {
    let volume = ButtonModel(
      Gesture(hold: .seconds(1), repetition: .milliseconds(100), doubleClick: nil, emitsClicks: false))
    #expect(
      events(of: volume, "PTTTTR") == [["pressed"], ["held"], ["repeated"], ["repeated"], ["repeated"], ["released"]])
    // The clock of a phase begins again only if the phase is another one.
    let held = volume.timeout(of: volume.move(in: .up).next)!.step.next
    let repeated = volume.timeout(of: held)!.step.next
    #expect(held != repeated && volume.timeout(of: repeated)?.step.next == held)
    let triple = ButtonModel(Gesture(hold: nil, doubleClick: .milliseconds(300), mostClicks: 3))
    #expect(
      events(of: triple, "PRPRPRPRT") == [
        ["pressed"], ["released"], ["pressed"], ["released"], ["pressed", "triple-clicked"], ["released"],
        ["pressed"], ["released"], ["clicked"],
      ])
    #expect(events(of: triple, "PRPRT") == [["pressed"], ["released"], ["pressed"], ["released"], ["double-clicked"]])
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
    let model = ProofModel(PropertySlice(whole: try PanelFile.read(Array(text.utf8), file: "p")), sounds: [])
    // A hundredth of a microsecond.
    #expect(model.tick == 10)
    #expect(model.ticks(.microseconds(1500)) == 150_000)
  }
}
