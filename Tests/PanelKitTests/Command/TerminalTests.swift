import Glibc
import TestSupport
import Testing

@Suite("A panel in a terminal", .serialized)
struct TerminalTests {
  private func start(
    environment: [String] = ["TERM=xterm", "LANG=C.UTF-8"], prefix: String = ""
  ) -> PanelTerminal {
    let terminal = PanelTerminal(["simulate", CommandTests.doorbell], environment: environment, prefix: prefix)
    #expect(terminal.waits(for: "q ends"))
    #expect(terminal.isRaw)
    return terminal
  }

  /// Lines wrap again, the cursor is seen, and the shell's screen is back.
  private static let ending = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

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
    #expect(String(decoding: terminal.output, as: UTF8.self).hasSuffix(Self.ending))
  }

  @Test("the address of the monitor is on the screen, and on the shell's screen after the end")
  func addresses() throws {
    let terminal = PanelTerminal(
      ["simulate", CommandTests.doorbell, "--monitor", "--monitor-address", "127.0.0.1:0"],
      environment: ["TERM=xterm", "LANG=C.UTF-8"])
    #expect(terminal.waits(for: "#token="))
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
    let text = String(decoding: terminal.output, as: UTF8.self)
    let address = try #require(
      text.split(separator: "watch  ").dropFirst().first?.prefix { !$0.isWhitespace && $0 != "\u{1B}" })
    #expect(address.hasPrefix("http://127.0.0.1:"))
    let after = try #require(text.split(separator: Self.ending, omittingEmptySubsequences: false).last)
    #expect(after == "monitor: watch  \(address)\r\n")
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
    #expect(String(decoding: terminal.output, as: UTF8.self).hasSuffix(Self.ending))
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
    #expect(terminal.waits(for: "q ends"))
    let drawn = String(decoding: terminal.output[from...], as: UTF8.self)
    #expect(drawn.contains("Doorbell") && drawn.contains("outputs") && drawn.contains("\u{1B}[2J"))
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
  }

  /// A shell with job control, which gives the terminal to the command, and gives it to it again after Enter.
  private static let shell = #"set -m; "$@"; echo "status $?"; read line; fg > /dev/null; echo "status $?"; exit;"#

  @Test("Ctrl-Z gives the terminal back to the shell, and the panel draws itself anew when it goes on")
  func suspend() {
    let terminal = start(prefix: Self.shell)
    terminal.press("\u{1A}")
    #expect(terminal.waits(for: "status 148"), "128 and SIGTSTP")
    #expect(!terminal.isRaw)
    #expect(String(decoding: terminal.output, as: UTF8.self).contains(Self.ending))
    terminal.readAll()
    let from = terminal.output.count
    terminal.press("\r")
    #expect(terminal.waits(for: "q ends"))
    expectWholePicture(terminal, from: from)
    #expect(terminal.isRaw)
    terminal.press("q")
    #expect(terminal.waits(for: "status 0"))
    #expect(!terminal.isRaw)
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("a panel in the background waits until it is fetched, and draws nothing before")
  func background() {
    let wait = #"while ! grep -q '^State:.T' /proc/$!/status; do :; done"#
    let shell = #"set -m; "$@" & \#(wait); echo "waiting"; read line; fg > /dev/null; echo "status $?"; exit;"#
    let terminal = PanelTerminal(
      ["simulate", CommandTests.doorbell], environment: ["TERM=xterm", "LANG=C.UTF-8"], prefix: shell)
    #expect(terminal.waits(for: "waiting"))
    #expect(!terminal.output.contains(0x1B))
    terminal.press("\r")
    #expect(terminal.waits(for: "q ends"))
    terminal.press("q")
    #expect(terminal.waits(for: "status 0"))
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("Ctrl-Z where no shell could continue the panel draws it anew")
  func suspendAlone() {
    let terminal = start()
    terminal.readAll()
    terminal.press("\u{1A}")
    #expect(terminal.waits(for: "q ends"))
    #expect(terminal.isRaw)
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("a line as wide as the terminal keeps its last character")
  func lastColumn() {
    let terminal = start()
    let drawn = String(decoding: terminal.output, as: UTF8.self)
    let rule = String(repeating: "─", count: 80)
    #expect(drawn.contains("\u{1B}[K\u{1B}[2m\(rule)"))
    #expect(!drawn.contains("\(rule)\u{1B}[0m\u{1B}[K"))
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("? shows what the keys do, and the next key the panel")
  func help() {
    let terminal = start()
    terminal.press("?")
    #expect(terminal.waits(for: "any key goes back"))
    terminal.press("x")
    #expect(terminal.waits(for: "outputs"))
    terminal.press("?q")
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("arrows scroll a window that is too short, and press nothing")
  func scroll() {
    let terminal = start()
    terminal.resize(columns: 60, rows: 14)
    #expect(terminal.waits(for: "rows hidden below"))
    terminal.press("\u{1B}[B")
    #expect(terminal.waits(for: "1 above"))
    terminal.press("\u{1B}[F")
    #expect(terminal.waits(for: "rows hidden above"))
    #expect(!String(decoding: terminal.output, as: UTF8.self).contains("level  6"))
    terminal.press("q")
    #expect(terminal.end(within: 20) == 0)
  }

  @Test("NO_COLOR draws no colours, and a locale without UTF-8 ASCII alone")
  func poor() {
    for (environment, lamp) in [(["TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1"], "●"), (["TERM=xterm"], "*")] {
      let terminal = start(environment: environment)
      terminal.press("b")
      #expect(terminal.waits(for: lamp))
      terminal.press("q")
      #expect(terminal.end(within: 20) == 0)
      #expect(!String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}[33m"))
      if lamp == "*" { #expect(terminal.output.allSatisfy { $0 < 0x80 }) }
    }
  }

  @Test("a terminal that can't move its cursor takes a step a line, and says so", arguments: [["TERM=dumb"], []])
  func dumb(_ environment: [String]) {
    let terminal = PanelTerminal(["simulate", CommandTests.doorbell], environment: environment)
    #expect(terminal.waits(for: "`quit` ends. Time passes with `wait 1s`, and with nothing else."))
    terminal.press("press bel\n")
    #expect(terminal.waits(for: #"unknown input "bel"; did you mean "bell"?"#))
    terminal.press("press bell\nwait 10ms\n")
    #expect(terminal.waits(for: "0.010s  state=ringing"))
    terminal.press("help wait\n")
    #expect(terminal.waits(for: "time passes, or"))
    terminal.press("quit\n")
    #expect(terminal.end(within: 20) == 0)
    #expect(!terminal.output.contains(0x1B))
  }

  @Test("panel run says on a terminal what runs, at the default level")
  func runs() {
    let terminal = PanelTerminal(["run", CommandTests.doorbell, "--simulated"])
    #expect(
      terminal.waits(
        for: "Doorbell: running: 4 inputs and 3 outputs on a simulated chip, sound on a simulated card; Ctrl-C ends"))
    terminal.press("\u{3}")
    #expect(terminal.end(within: 20) == 0)
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
