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

  @Test("the progress of a command appears after a second, with the time, four times per second at most")
  func updated() {
    var written: [String] = []
    var elapsed = Duration.zero
    let line = ProgressLine(isSeen: true, elapsed: { elapsed }, write: { written.append($0) })
    for milliseconds in [0, 999, 1000, 1200, 1250, 3_723_000] {
      elapsed = .milliseconds(milliseconds)
      line.update { "\(ProgressLine.grouped(milliseconds)) situations" }
    }
    #expect(
      written == [
        "\r\u{1B}[K1 000 situations, 00:01 (Ctrl-C stops)", "\r\u{1B}[K1 250 situations, 00:01 (Ctrl-C stops)",
        "\r\u{1B}[K3 723 000 situations, 1:02:03 (Ctrl-C stops)",
      ])
  }

  @Test("without a terminal nothing is written")
  func unseen() {
    let line = ProgressLine(isSeen: false) { _ in Issue.record("it is written") }
    line.show("1%")
    line.clear()
  }
}
