import Testing

@testable import PanelLanguage
@testable import PanelProof

@Suite("In which order a proof looks at what can happen")
struct SearchOrderTests {
  private func search(_ states: String, situations: Int = 200_000) throws -> Search {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
      values: { n: { initial: 0, min: 0, max: 999 } }
      initial: x

      """ + states + "\n"
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let bounds = Search.Bounds(situations: situations)
    let search = Search(ProofModel(PropertySlice(whole: panel), sounds: []), within: bounds, hasTimeLeft: { true })
    search.run()
    return search
  }

  @Test("its depth is the number of inputs: deadlines are none")
  func depth() throws {
    let quiet = try search("reach: [ z ]\nstates: { x: { after: { 1s: y } }, y: { after: { 1s: z } }, z: {} }")
    #expect(quiet.isComplete && quiet.depth == 0)
    #expect(quiet.marks.entries.count == 1)
  }

  @Test("no input comes between a deadline and one of 0s that follows it")
  func atOnce() throws {
    let states = "y: { after: { DELAY: z }, on: { a.pressed: bad } }, z: {}, bad: {}"
    for (delay, isViolated) in [("0s", false), ("1ms", true)] {
      let found = try search(
        "never: { b: state == bad }\nstates: { x: { after: { 1s: y } }, "
          + states.split(separator: "DELAY").joined(separator: delay) + " }")
      #expect(found.marks.violations.isEmpty == !isViolated, "after \(delay)")
    }
  }

  @Test("a violation makes no search longer than its bound: the other properties are looked for within it")
  func bound() throws {
    let found = try search(
      "never: { one: n == 1, far: n == 900 }\n"
        + "states: { x: { on: { a.pressed: { set: { n: +1 } }, b.pressed: { set: { n: +7 } } } } }", situations: 60)
    #expect(found.marks.violations.count == 1 && !found.isComplete)
    #expect(found.store.count == 60)
  }

  @Test("bounds at the end of 32 bits come back as they were")
  func bounds() {
    for latest in [Int(Int32.max) - 1, Int(Int32.max), Int(Int32.max) + 1] {
      var zone = Zone(clocks: 1)
      zone.up()
      zone.constrain(1, atMost: latest)
      var store = ZoneStorage()
      let place = store.append(zone.bounds)
      var loaded = Zone(clocks: 1)
      store.load(place, clocks: 1, into: &loaded)
      #expect(loaded == zone, "at most \(latest)")
    }
  }
}
