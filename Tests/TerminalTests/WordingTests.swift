import Testing

@testable import Terminal

@Suite struct WordingTests {
  @Test("what can't be seen or is too long is made visible and cut")
  func quotation() {
    #expect(quoted("a\"b\n\u{1B}[0m\u{202E}") == "\"a\\\"b\\n\\u{1b}[0m\\u{202e}\"")
    #expect(quoted(String(repeating: "é", count: 41)) == "\"" + String(repeating: "é", count: 40) + "…\"")
  }
}
