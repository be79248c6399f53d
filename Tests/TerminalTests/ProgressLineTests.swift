import Testing

@testable import Terminal

@Suite("A line that says how far a command is")
struct ProgressLineTests {
  @Test("each text takes the place of the one before, and the last one goes away once")
  func shown() {
    var written = ""
    let line = ProgressLine(isSeen: true) { written += $0 }
    line.clear()
    line.show("1%")
    line.show("2%\n")
    line.clear()
    line.clear()
    #expect(written == "\r\u{1B}[K1%\r\u{1B}[K2%\\n\r\u{1B}[K")
  }

  @Test("without a terminal nothing is written")
  func unseen() {
    let line = ProgressLine(isSeen: false) { _ in Issue.record("it is written") }
    line.show("1%")
    line.clear()
  }
}
