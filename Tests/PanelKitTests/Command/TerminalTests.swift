import Glibc
import TestSupport
import Testing

@Suite("A panel in a terminal", .serialized)
struct TerminalTests {
  private func start() -> PanelTerminal {
    let terminal = PanelTerminal(["simulate", CommandTests.doorbell])
    #expect(terminal.waits(for: "q ends"))
    #expect(terminal.isRaw)
    return terminal
  }

  /// All that is drawn anew.
  private static let picture = ["Doorbell", "outputs", "inputs", "q ends"]

  private func expectWholePicture(_ terminal: PanelTerminal, from: Int, _ place: SourceLocation = #_sourceLocation) {
    let drawn = String(decoding: terminal.output[from...], as: UTF8.self)
    for part in Self.picture { #expect(drawn.contains(part), "\(part)", sourceLocation: place) }
  }

  @Test("what ends a panel leaves the terminal as it was", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func signals(_ signal: Int32) {
    let terminal = start()
    terminal.send(signal)
    #expect(terminal.end(within: 20) == 0)
    #expect(!terminal.isRaw)
    #expect(String(decoding: terminal.output, as: UTF8.self).hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
  }

  @Test("a terminal that hangs up ends the panel")
  func hangUp() {
    let terminal = start()
    terminal.hangUp()
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("a terminal that is stopped by Ctrl-S holds nothing up: SIGTERM ends the panel, and the terminal is as it was")
  func stopped() {
    let terminal = start()
    terminal.press("\u{13}")
    usleep(100_000)
    // The panel has something to draw.
    terminal.press("b[[")
    usleep(200_000)
    terminal.send(SIGTERM)
    #expect(terminal.end(within: 20) == 0)
    #expect(!terminal.isRaw)
    #expect(String(decoding: terminal.output, as: UTF8.self).hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
  }

  @Test("a terminal that nobody reads holds nothing up")
  func unread() {
    let terminal = start()
    // Each redraws everything: 4 kB fill the terminal's buffer.
    for _ in 0..<30 {
      terminal.press("\u{0C}")
      usleep(10_000)
    }
    terminal.send(SIGTERM)
    #expect(terminal.end(within: 20, reading: false) == 0)
    #expect(!terminal.isRaw)
  }

  @Test("a terminal that goes on after Ctrl-S shows how things are then")
  func goesOn() {
    let terminal = start()
    terminal.press("\u{13}")
    usleep(100_000)
    terminal.press("[[[")
    usleep(300_000)
    terminal.press("\u{11}")
    #expect(terminal.waits(for: "level    4"))
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("another size, and Ctrl-L, draw everything anew", arguments: [true, false])
  func redraws(isResize: Bool) {
    let terminal = start()
    terminal.readAll()
    let from = terminal.output.count
    if isResize { terminal.resize(columns: 40, rows: 20) } else { terminal.press("\u{0C}") }
    #expect(terminal.waits(for: isResize ? "lower case" : "q ends"))
    let drawn = String(decoding: terminal.output[from...], as: UTF8.self)
    #expect(drawn.contains("Doorbell") && drawn.contains("outputs") && drawn.contains("\u{1B}[2J"))
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("Ctrl-Z gives the terminal back, and the panel draws itself anew when it goes on")
  func suspend() {
    let terminal = start()
    terminal.readAll()
    terminal.press("\u{1A}")
    #expect(terminal.waitsForStop())
    #expect(!terminal.isRaw)
    terminal.readAll()
    #expect(String(decoding: terminal.output, as: UTF8.self).hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    let from = terminal.output.count
    terminal.send(SIGCONT)
    #expect(terminal.waits(for: "q ends"))
    expectWholePicture(terminal, from: from)
    #expect(terminal.isRaw)
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
    #expect(!terminal.isRaw)
  }

  @Test("a panel that was stopped otherwise sets the terminal again")
  func stopSignal() {
    let terminal = start()
    terminal.readAll()
    terminal.send(SIGSTOP)
    #expect(terminal.waitsForStop())
    terminal.makeCooked()
    let from = terminal.output.count
    terminal.send(SIGCONT)
    #expect(terminal.waits(for: "q ends"))
    expectWholePicture(terminal, from: from)
    #expect(terminal.isRaw)
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
  }
}
