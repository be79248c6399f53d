import CycleCore
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelLanguage

/// Whatever the bytes are, reading ends, and says what is wrong.
@Suite struct HostileFileTests {
  @Test(
    "no depth of nesting overflows anything",
    arguments: [
      ("[", "1:65: nested more than 64 levels; a panel file needs at most 8"),
      ("{", "1:65: nested more than 64 levels; a panel file needs at most 8"),
      ("- ", "1:129: nested more than 64 levels; a panel file needs at most 8"),
      ("? ", "1:129: nested more than 64 levels; a panel file needs at most 8"),
      ("{a: ", "1:257: nested more than 64 levels; a panel file needs at most 8"),
      ("[{a: ", "1:161: nested more than 64 levels; a panel file needs at most 8"),
    ])
  func depth(opening: String, expected: String) {
    #expect(Fixture.problems(ofPanel: String(repeating: opening, count: 100_000)) == [expected])
  }

  @Test("no depth of indentation overflows anything") func indentation() {
    var text = ""
    for level in 0..<1000 { text += String(repeating: " ", count: level) + "a:\n" }
    let expected = ["65:65: nested more than 64 levels; a panel file needs at most 8"]
    #expect(Fixture.problems(ofPanel: text) == expected)
  }

  @Test("brackets in quotes and comments are no nesting") func bracketsInText() throws {
    let text = "panel: \"\(String(repeating: "[", count: 1000))\" # \(String(repeating: "{", count: 1000))\n"
    let panel = try PanelFile.read(Array((text + "initial: a\nstates: { a: }").utf8), file: "test")
    #expect(panel.name.count == 1000)
  }

  @Test("aliases of aliases multiply nothing") func aliasBomb() {
    var text = "a0: &a0 [ x, x ]\n"
    for level in 1...40 { text += "a\(level): &a\(level) [ *a\(level - 1), *a\(level - 1) ]\n" }
    let found = Fixture.problems(ofPanel: text)
    #expect(found.count == 101)
    #expect(found.contains("2:11: unexpected alias (*); a panel file has no aliases, write the text itself"))
  }

  @Test("more than a mebibyte is refused") func size() {
    let large = [UInt8](repeating: UInt8(ascii: " "), count: 10 << 20)
    let found = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(large, file: "test") }
    #expect(found == ["1:1: the file is larger than 1 MiB; a panel file has at most 1 MiB"])
  }

  @Test(
    "a mebibyte of anything ends in problems",
    arguments: [
      "a", "a: ", "- a\n", "? a\n", "[],", "\"", "'", "|\n", "#", "\n", "\t", "&a ", "*a ", "!a ", "%", "---\n",
      "...\n", ": ",
      ",", "]", "}", "\r", "\r\n", "é", "a\n", "- [a, {b: c}]\n", "x: {}\n",
    ])
  func mebibyte(part: String) {
    let text = String(repeating: part, count: (1 << 20) / part.utf8.count)
    #expect(!Fixture.problems(ofPanel: text).isEmpty)
  }

  @Test("many names, and as many that are unknown, take no time worth mentioning") func manyNames() {
    var text = "panel: P\ninputs: { bell: { button: GPIO1 } }\ninitial: s0\nstates:\n"
    for index in 0..<20_000 { text += "  s\(index): { after: { 0s: t\(index) } }\n" }
    let found = Fixture.problems(ofPanel: text)
    #expect(
      found.first?.hasPrefix("5:22: unknown state \"t0\"; states: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, ") == true)
    #expect(found.last == " 19900 more not shown; fix these first")
  }

  @Test("as many directives as a file can hold are refused at the first one", arguments: ["", "panel: P\n...\n"])
  func directives(start: String) {
    let text = start + (0..<50_000).map { "%TAG !t\($0)! t:\n" }.joined() + "---\npanel: P\n"
    let line = start.isEmpty ? 1 : 3
    #expect(
      Fixture.problems(ofPanel: text) == ["\(line):1: unexpected %TAG directive; a panel file has no tags, remove it"])
  }

  @Test("a text may begin like a directive") func percent() throws {
    let text = "panel: |\n  P\n  %TAG\ninitial: a\nstates: { a: }\n"
    #expect(try PanelFile.read(Array(text.utf8), file: "test").name == "P\n%TAG\n")
  }

  @Test("a chain of many states is walked without recursion") func longChain() {
    // A recursion would need more than the stack of a thread.
    var text = "panel: P\ninitial: s0\nstates:\n"
    for index in 0..<20_000 { text += "  s\(index): { after: { 0s: s\((index + 1) % 20_000) } }\n" }
    #expect(
      Fixture.problems(ofPanel: text) == [
        "4:3: endless loop of \"after: 0s\": s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, …; "
          + "give one of these states a duration above 0s"
      ])
  }

  @Test(
    "a character that no text has is told with its first byte",
    arguments: [
      ("panel: \u{FEFF}P", "1:8: the file is not UTF-8 text (byte 0xef); save the file as UTF-8"),
      ("panel: P\u{80}", "1:9: the file is not UTF-8 text (byte 0xc2); save the file as UTF-8"),
      ("panel: é\u{7}", "1:9: the file is not text (byte 0x07); a panel file is YAML in UTF-8"),
    ])
  func characters(text: String, expected: String) {
    #expect(Fixture.problems(ofPanel: text) == [expected])
  }

  @Test(
    "random bytes and random damage end in problems or in a panel, never otherwise", arguments: 0..<40 as Range<UInt64>)
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let doorbell = try #require(bytes(of: Fixture.folder + "/doorbell/doorbell.panel.yaml"))
    let pieces: [[UInt8]] = [
      "[", "{", "}", ":", "\n", "\t", "  ", "- ", "\"", "&a", "*a", "0", "-", ".", ",", "\0", "ÿ",
    ]
    .map { Array($0.utf8) }
    for _ in 0..<25 {
      var bytes = doorbell
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        default: bytes.removeSubrange(place..<min(place + Int.random(in: 1..<40, using: &random), bytes.count))
        }
      }
      do throws(Problems) {
        let panel = try PanelFile.read(bytes, file: "test", checkSound: { _ in nil })
        #expect(!panel.regions.isEmpty, "seed \(seed)")
      } catch {
        #expect(!error.list.isEmpty, "seed \(seed)")
        #expect(error.list.allSatisfy { $0.line > 0 && $0.column > 0 && $0.text.contains("; ") }, "seed \(seed)")
      }
      let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(!Fixture.problems { () throws(Problems) in _ = try PanelFile.read(noise, file: "test") }.isEmpty)
    }
  }
}
