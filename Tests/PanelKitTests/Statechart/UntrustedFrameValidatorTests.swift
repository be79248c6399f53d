import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

/// What a frame of a panel from outside may be.
@Suite("The bounds of a panel's frames")
struct UntrustedFrameValidatorTests {
  /// A list, and a deadline that waits for a value.
  private static let text = """
    panel: P
    inputs: { a: { button: GPIO1, debounce: 0ms } }
    values:
      code: { list: 2, min: -3, max: 5 }
      span: { initial: 4s, min: 1s, max: 9s }
    initial: x
    states:
      x: { on: { a.pressed: { go: y, set: { code: append 5, span: 9s } } } }
      y: { after: { span: x } }

    """

  @Test("what a panel has come to is within them, up to the ends of its values")
  func ends() throws {
    let stage = try Stage(panel: Self.text)
    let bounds = UntrustedFrameValidator(of: stage.session.panel)
    #expect(bounds.refusal(of: stage.session.application.frame) == nil)
    try stage.take("press a; wait 1ms")
    #expect(stage.state == "y" && stage.list("code") == [5])
    #expect(bounds.refusal(of: stage.session.application.frame) == nil)
  }

  @Test(
    "a number beyond the end is refused with its name", arguments: [(-4, false), (-3, true), (5, true), (6, false)])
  func beyond(element: Int, fits: Bool) throws {
    let stage = try Stage(panel: Self.text)
    try stage.take("press a; wait 1ms")
    var frame = stage.session.application.frame
    let list = try #require(stage.session.panel.values[0].list)
    frame.setElements(of: list, to: [element])
    let refusal = UntrustedFrameValidator(of: stage.session.panel).refusal(of: frame)
    #expect((refusal == nil) == fits)
    if let refusal { #expect(refusal.hasSuffix("is \(element), and can be -3 to 5"), "\(refusal)") }
  }

  @Test("numbers of a region have its name where there are several")
  func names() throws {
    let one = FrameColumns(of: try Stage(panel: Self.text).session.panel).names
    #expect(one.contains("state") && one.contains("state.entries"))
    let regions = "regions: { left: { initial: x, states: { x: {} } }, right: { initial: y, states: { y: {} } } }"
    let two = FrameColumns(of: try Stage(panel: "panel: P\n\(regions)\n").session.panel).names
    #expect(two.contains("state.left") && two.contains("state.right.entries") && !two.contains("state"))
  }

  @Test("the entries of a region's states are counted one by one, the first one at the start")
  func entries() throws {
    let stage = try Stage(panel: Self.text)
    let place = try #require(FrameColumns(of: stage.session.panel).names.firstIndex(of: "state.entries"))
    #expect(stage.session.application.frame.recordingNumbers[place] == 1)
    try stage.take("press a; wait 1ms")
    #expect(stage.session.application.frame.recordingNumbers[place] == 2)
  }

  @Test("a chord that is down a second time is within them")
  func chord() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs:
          left: { button: GPIO1, debounce: 0ms }
          right: { button: GPIO2, debounce: 0ms }
          both: { chord: [left, right], hold: 1s, double-click: 400ms }
        values: { n: { initial: 0, min: 0, max: 9 } }
        initial: x
        states: { x: { on: { both.held: { set: { n: +1 } } } } }

        """)
    let bounds = UntrustedFrameValidator(of: stage.session.panel)
    for step in ["press left", "press right", "release left", "press left", "wait 2s", "release right"] {
      try stage.take(step + "; wait 1ms")
      #expect(bounds.refusal(of: stage.session.application.frame) == nil, "after \(step)")
    }
    #expect(stage.value("n") == 1)
  }
}
