import Testing

@testable import Terminal

@Suite("What a terminal can display")
struct TerminalCapabilitiesTests {
  private func abilities(_ environment: [String: String]) -> TerminalCapabilities {
    TerminalCapabilities(environment: { environment[$0] })
  }

  @Test(
    "by the environment: colours, UTF-8, a cursor",
    arguments: [
      (["TERM": "xterm", "LANG": "de_DE.UTF-8"], true, true, true),
      (["TERM": "xterm", "LANG": "C.utf8", "NO_COLOR": ""], true, true, true),
      (["TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "0"], false, true, true),
      (["TERM": "dumb", "LANG": "C.UTF-8"], false, true, false), (["LANG": "C.UTF-8"], false, true, false),
      (["TERM": "", "LANG": "C.UTF-8"], false, true, false), (["TERM": "xterm", "LANG": "C"], false, false, true),
      (["TERM": "xterm", "LC_ALL": "POSIX", "LANG": "C.UTF-8"], false, false, true),
      (["TERM": "xterm", "LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], true, true, true),
      (["TERM": "xterm"], false, false, true),
    ])
  func environment(_ variables: [String: String], _ hasColours: Bool, _ isUTF8: Bool, _ movesCursor: Bool) {
    #expect(
      abilities(variables) == TerminalCapabilities(hasColours: hasColours, isUTF8: isUTF8, movesCursor: movesCursor))
  }

  private static let line = "\(Style.dim)lamp\(Style.plain)  \(Style.lit)  ▮▯ 3 · é"

  @Test("a line is drawn without colours, without symbols beyond ASCII, or without both")
  func adapted() {
    #expect(TerminalCapabilities().adapt(Self.line) == Self.line)
    #expect(
      TerminalCapabilities(hasColours: false).adapt(Self.line) == "\u{1B}[2mlamp\u{1B}[0m  ●\u{1B}[0m  ▮▯ 3 · é")
    #expect(
      TerminalCapabilities(isUTF8: false).adapt(Self.line)
        == "\u{1B}[2mlamp\u{1B}[0m  \u{1B}[33m*\u{1B}[0m  #- 3 | ?")
    #expect(
      TerminalCapabilities(hasColours: false, isUTF8: false).adapt(Self.line)
        == "\u{1B}[2mlamp\u{1B}[0m  *\u{1B}[0m  #- 3 | ?")
  }
}

@Suite("Lines with styles")
struct StyledTextTests {
  @Test("styles have no width, and what is cut off is marked")
  func cut() {
    let line = "\(Style.bold)bell\(Style.plain) rings"
    #expect(DisplayWidth.width(of: line) == 10)
    #expect(DisplayWidth.cut(line, to: 10) == line)
    #expect(DisplayWidth.cut(line, to: 7) == "\(Style.bold)bell\(Style.plain) r…")
    #expect(DisplayWidth.cut(line, to: 1) == "\(Style.bold)…\(Style.plain)")
    #expect(DisplayWidth.cut(line, to: 0) == "\(Style.bold)\(Style.plain)")
    #expect(DisplayWidth.pad(line, to: 12) == "\(line)  ")
  }

  @Test("words are wrapped, and a long one has its own line")
  func wrap() {
    #expect(DisplayWidth.wrap("hears bell.pressed, reset.held", to: 14) == ["hears", "bell.pressed,", "reset.held"])
    #expect(DisplayWidth.wrap("a b c", to: 3) == ["a b", "c"])
    #expect(DisplayWidth.wrap("", to: 3) == [])
  }
}
