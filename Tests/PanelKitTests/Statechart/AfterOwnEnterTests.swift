import Testing

@testable import PanelKit

@Suite("A state's time after its own enter")
struct AfterOwnEnterTests {
  private static let lit = """
    panel: A
    inputs: { key: { button: GPIO17 } }
    outputs: { lamp: { led: GPIO23 }, pump: { relay: GPIO24 } }
    values: { run: { initial: 10s, min: 0s, max: 60s } }
    initial: dark
    states:
      dark: { on: { key.pressed: lit } }
      lit:
        enter: { set: { run: 2s } }
        show: { lamp: on }
        after: { run: dark }

    """

  @Test("a time that is a value waits for the number that the state's enter has set")
  func ownEnter() throws {
    let stage = try Stage(panel: Self.lit)
    #expect(try stage.take("click key; expect run=2s lamp=on; wait until=\"lamp == off\" at-least=1s at-most=3s") == [])
  }

  @Test("so does the time of a state around others, which begins before theirs")
  func around() throws {
    let inside = """
          initial: one
          states:
            one: { after: { 1s: two } }
            two: { show: { pump: on } }

      """
    let stage = try Stage(panel: Self.lit + inside)
    #expect(try stage.take("click key; wait 1500ms; expect pump=on lamp=on; wait 1s; expect lamp=off state=dark") == [])
  }

  @Test("a state inside can't change the time of the state around it, which runs already")
  func inner() throws {
    let inside = """
          initial: one
          states:
            one: { enter: { set: { run: 5s } } }

      """
    let stage = try Stage(panel: Self.lit + inside)
    #expect(
      try stage.take("click key; expect run=5s; wait 3s; expect state=dark; click key; wait 3s; expect state=dark")
        == [])
  }

  @Test("what is played and sent after it has the number that enter has set, as before")
  func playAndSend() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { key: { button: GPIO17 } }
        sounds: { notes: { tones: [ 262Hz, 330Hz, 392Hz ] } }
        values: { n: { initial: 1, min: 1, max: 3 } }
        osc: { send: [ "127.0.0.1:53000" ] }
        initial: a
        states:
          a: { on: { key.pressed: b } }
          b: { enter: { set: { n: 3 }, send: [ { osc: "/n", with: [ "{n}" ] } ] }, play: [ notes(n) ] }

        """)
    #expect(try stage.take("click key; expect playing=notes(3) sent=\"/n 3\"") == [])
  }

  @Test("a proof waits for that number, too")
  func proved() {
    let never = """
      panel: A
      inputs: { key: { button: GPIO17 } }
      outputs: { lamp: { led: GPIO23 } }
      values: { run: { initial: 10s, min: 0s, max: 60s }, n: { initial: 0, min: 0, max: 9 } }
      never: { long: n == 3 }
      initial: dark
      states:
        dark: { on: { key.pressed: lit } }
        lit:
          enter: { set: { run: 2s, n: 0 } }
          show: { lamp: on }
          after: { run: dark }
          every: { 1s: { set: { n: +1 } } }

      """
    #expect(prove(never).status == 0, "\(prove(never))")
    #expect(prove(never.replacing("n == 3", with: "n == 1")).status == 1)
  }
}
