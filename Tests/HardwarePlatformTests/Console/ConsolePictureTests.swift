import CycleCore
import HardwareSimulation
import Testing

@testable import HardwarePlatform

/// Lamps, buttons, values and states by their number, and a log without an end.
private final class RowStage: OperatedApplication {
  let bench = Bench()
  let controls: [ConsoleControl]
  let view: ConsoleView

  init(lamps: Int, buttons: Int, states: Int = 1, note: String = "") {
    controls = (0..<buttons).map { ConsoleControl("b\($0)", .button) }
    view = ConsoleView(
      title: "Rows", time: "1.000s", outputs: (0..<lamps).map { ConsoleView.Row("l\($0)", "off") },
      state: (0..<states).map { ConsoleView.Row("s\($0)", "idle", note: note) })
  }

  func start() {}
  func stop() {}
  func requestStop() {}
  let isStopRequested = false
  func obstacle(to control: Int) -> String? { nil }
  func press(_ control: Int) {}
  func release(_ control: Int) {}
  func turn(_ control: Int, by detents: Int) {}
  func lastEvents(_ count: Int) -> [(time: String, text: String)] { (0..<count).map { ("\($0)s", "event") } }
}

@Suite("The picture of a console in windows of many sizes")
struct ConsolePictureTests {
  private func drawing(
    _ stage: RowStage, _ columns: Int, _ rows: Int, scroll: Int = 0, showsKeys: Bool = false, addresses: [String] = []
  ) -> ConsolePicture.Drawing {
    var drawing = ConsolePicture(
      of: stage, keys: KeyMap(of: stage.controls), closed: [], message: "", addresses: addresses, showsKeys: showsKeys,
      scroll: scroll
    ).drawing(columns: columns, rows: rows)
    drawing.lines = drawing.lines.map(plain)
    return drawing
  }

  private func plain(_ line: String) -> String {
    let parts = line.split(separator: "\u{1B}", omittingEmptySubsequences: false)
    return parts.enumerated().map { $0 == 0 ? String($1) : String($1.drop { $0 != "m" }.dropFirst()) }.joined()
  }

  private func rule(_ columns: Int) -> String { String(repeating: "─", count: columns) }

  @Test("the addresses of the monitor are below the title, whole, on both pages and in windows of every width")
  func addresses() {
    let stage = RowStage(lamps: 1, buttons: 1)
    let address = "watch  http://127.0.0.1:8377/#token=0123456789abcdef0123456789abcdef"
    for (columns, showsKeys) in [(80, false), (80, true), (120, false), (40, false), (20, false)] {
      let lines = drawing(stage, columns, 24, showsKeys: showsKeys, addresses: [address]).lines
      #expect(lines.count == 24)
      let count = (address.count + columns - 1) / columns
      #expect(lines[1..<1 + count].joined() == address, "\(columns)")
      #expect(lines[1 + count] == rule(columns))
    }
  }

  @Test("a short window says how many rows are hidden, and has the state and the log all the same")
  func short() {
    let stage = RowStage(lamps: 20, buttons: 17)
    #expect(
      drawing(stage, 60, 15).lines == [
        "Rows   1.000s", rule(60), "outputs   l0   off", "          l1   off", "          l2   off",
        "          l3   off",
        "          l4   off", "── 32 rows hidden below · ↑ ↓ PgUp PgDn scroll " + rule(13), "state     s0  idle",
        rule(60), "  0s  event", "  1s  event", "  2s  event", rule(60),
        "lower case clicks, upper case holds · ? all keys · q ends",
      ])
    #expect(
      drawing(stage, 38, 8).lines == [
        "Rows   1.000s", "outputs   l0   off", "          l1   off", "── 35 rows hidden below " + rule(14),
        "state     s0  idle", "  0s  event", "  1s  event", "a clicks, A holds · ? keys · q ends",
      ])
    #expect(
      drawing(stage, 38, 3).lines == ["state     s0  idle", "  0s  event", "a clicks, A holds · ? keys · q ends"])
    #expect(drawing(stage, 38, 1).lines == ["a clicks, A holds · ? keys · q ends"])
  }

  @Test(
    "what is hidden is scrolled to, with the section's name before the first row; no further than there is something")
  func scrolled() {
    let stage = RowStage(lamps: 20, buttons: 17)
    let middle = drawing(stage, 60, 15, scroll: 18)
    #expect(middle.scroll == 18)
    #expect(middle.page == 4)
    #expect(
      Array(middle.lines[2...7])
        == [
          "outputs   l18  off", "          l19  off", "inputs    b0   b  ", "          b1   a  ", "          b2   c  ",
          "── 32 rows hidden: 18 above, 14 below " + rule(22),
        ])
    let end = drawing(stage, 60, 15, scroll: 1000)
    #expect(end.scroll == 32)
    #expect(end.lines[7].hasPrefix("── 32 rows hidden above · "))
    #expect(drawing(stage, 60, 15, scroll: -3).scroll == 0)
  }

  @Test("a tall window gives all free rows to the log")
  func tall() {
    let lines = drawing(RowStage(lamps: 2, buttons: 1), 80, 40).lines
    #expect(lines.count == 40)
    #expect(lines.filter { $0.hasSuffix("  event") }.count == 31)
  }

  @Test("a wide window has two columns")
  func wide() {
    let lines = drawing(RowStage(lamps: 2, buttons: 2, states: 2), 100, 14).lines
    #expect(
      Array(lines[2...6]) == [
        "outputs   l0  off  │ state     s0  idle", "          l1  off  │           s1  idle",
        "inputs    b0  b    │ ", "          b1  a    │ ", rule(100),
      ])
  }

  @Test("in a wide window what doesn't fit goes on in the second column, below the state")
  func wideAndFull() {
    let drawing = drawing(RowStage(lamps: 10, buttons: 5), 100, 18)
    #expect(drawing.scroll == 0)
    #expect(
      Array(drawing.lines[2...12]) == [
        "outputs   l0  off  │ state     s0  idle", "          l1  off  │ ", "          l2  off  │ inputs    b0  b  ",
        "          l3  off  │           b1  a  ", "          l4  off  │           b2  c  ",
        "          l5  off  │           b3  d  ", "          l6  off  │           b4  e  ",
        "          l7  off  │ ", "          l8  off  │ ", "          l9  off  │ ", rule(100),
      ])
    #expect(self.drawing(RowStage(lamps: 40, buttons: 5), 100, 18).lines[11].contains("rows hidden below"))
  }

  @Test("a note is beside its state, below it where it is too long, and cut where there is no room")
  func notes() {
    let note = "hears bell.pressed, reset.held, knob.clockwise"
    let stage = RowStage(lamps: 1, buttons: 1, note: note)
    #expect(drawing(stage, 80, 20).lines.contains("state     s0  idle   \(note)"))
    #expect(
      Array(drawing(stage, 50, 20).lines[4...6]) == [
        "state     s0  idle", "                hears bell.pressed, reset.held,", "                knob.clockwise",
      ])
    #expect(drawing(stage, 40, 9).lines.contains("state     s0  idle   hears bell.pressed…"))
  }

  @Test("that q ends is seen in every window that is wide enough for it", arguments: [6, 7, 14, 20, 39, 61, 80, 200])
  func narrow(_ columns: Int) {
    for showsKeys in [false, true] {
      let drawing = drawing(RowStage(lamps: 3, buttons: 3), columns, 24, showsKeys: showsKeys)
      #expect(drawing.lines.last?.hasSuffix("q ends") == true)
    }
  }

  @Test("the page of the keys says what each does")
  func keys() {
    let lines = drawing(RowStage(lamps: 3, buttons: 1), 80, 20, showsKeys: true).lines
    #expect(lines.count == 20)
    #expect(
      Array(lines[2...7]) == [
        "inputs    b0  b   clicks; B holds it down, and lets it go the next time",
        "window    ? h               shows this page",
        "          ↑ ↓ PgUp PgDn     scroll what doesn't fit into the window",
        "          Ctrl-L            redraws the screen",
        "          Ctrl-Z            stops the simulation until the shell's `fg`",
        "          q Ctrl-C          ends the simulation",
      ])
  }
}
