import Testing

@testable import PanelRun

@Suite("Lines of a panel by the names that a file may give them")
struct LineNameTests {
  @Test(
    "a line written as chip and offset is simulated, whatever the offset is",
    arguments: ["gpiochip0:0", "gpiochip0:2", "gpiochip0:17", "gpiochip0:99", "gpiochip3:1"])
  func offset(line: String) throws {
    let stage = try Stage(
      panel: """
        panel: T
        inputs: { first: { button: GPIO4 }, key: { button: "\(line)" } }
        outputs: { lamp: { led: GPIO9 }, door: { relay: "gpiochip7:0" } }
        initial: a
        states: { a: { on: { key.pressed: b } }, b: { show: { lamp: on } } }
        """)
    let failures = try stage.take(
      "expect state=a lamp=off; click first; expect state=a; click key; expect state=b lamp=on door=off")
    #expect(failures == [])
  }

  @Test("the same offset on two chips is two lines, for inputs and outputs")
  func twoChips() throws {
    let stage = try Stage(
      panel: """
        panel: T
        inputs: { one: { button: "gpiochip0:3" }, two: { button: "gpiochip1:3" } }
        outputs: { lamp: { led: "gpiochip0:4" }, bar: { bar: ["gpiochip1:4", "gpiochip1:5"] } }
        initial: a
        states: { a: { on: { two.pressed: b } }, b: { show: { lamp: on } } }
        """)
    #expect(try stage.take("click one; expect state=a; click two; expect state=b lamp=on bar=0") == [])
  }
}

@Suite("What the lines that a session prints are about")
struct ViewTests {
  private func text(_ view: [(subject: PanelView.Subject, text: String)], _ stage: Stage) -> [String] {
    view.map { "\(stage.session.view.name(of: $0.subject))=\($0.text)" }
  }

  @Test(
    "an output and a value may be called lost or restored, and a chip and a card that went away are told beside them")
  func namesOfOurOwn() throws {
    let stage = try Stage(
      panel: """
        panel: T
        outputs: { lost: { led: GPIO9 } }
        sounds: { hum: { tone: 440Hz } }
        values: { restored: { initial: 3, min: 0, max: 9 } }
        initial: a
        states: { a: { play: [ hum ] } }
        """)
    _ = stage.session.changes()
    try stage.take("unplug audio; unplug gpio; wait 100ms")
    #expect(text(stage.session.changes(), stage).suffix(2) == ["audio=lost", "gpio=lost"])
    #expect(text(stage.session.view.all, stage).prefix(3) == ["state=a", "lost=off", "restored=3"])
    try stage.take("plug audio; plug gpio; wait 100ms")
    #expect(text(stage.session.changes(), stage).suffix(2) == ["audio=restored", "gpio=restored"])
    #expect(stage.session.changes().isEmpty)
  }
}
