import Testing

@testable import PanelKit

@Suite("Events at one moment")
struct MomentTests {
  @Test("come in the order in which the file declares their inputs, whatever order the contacts moved in")
  func order() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { a: { button: GPIO1 }, c: { button: GPIO2 }, s: { switch: GPIO3 }, d: { button: GPIO4 } }
        values: { n: { initial: 0, min: 0, max: 9999 } }
        on:
          a.pressed: { set: { n: n * 10 + 1 } }
          c.pressed: { set: { n: n * 10 + 2 } }
          s.on: { set: { n: n * 10 + 3 } }
          d.pressed: { set: { n: n * 10 + 4 } }
        initial: x
        states: { x: {} }

        """)
    try stage.take("press d; switch s=on; press c; press a; wait 10ms")
    #expect(stage.value("n") == 1234)
  }
}
