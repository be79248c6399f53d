import Glibc
import TestSupport
import Testing

@testable import PanelKit

@Suite("Names of files that are no UTF-8")
struct ArgumentsTests {
  @Test(
    "every name is text and the same bytes again",
    arguments: [
      Array("n\u{E9}.yaml".utf8), [0x6E, 0xE9, 0x2E], [0xFF], [0x80, 0x80], [0xE2, 0x82], [0xF4, 0x8F, 0xBE, 0xA9],
      [0xF0, 0x9F, 0x98, 0x80], [],
      [0xC0, 0x80], [0xED, 0xA0, 0x80],
    ] as [[UInt8]])
  func sameBytes(bytes: [UInt8]) {
    #expect(PathBytes.bytes(of: PathBytes.text(of: bytes)) == bytes)
  }

  @Test("a byte that is no UTF-8 is shown by its number")
  func shown() {
    #expect(visible(PathBytes.text(of: [0x6E, 0xE9, 0x2E])) == #"n\xe9."#)
  }

  @Test("a panel file may have any name")
  func file() {
    withFiles(["panel.yaml": "panel: P\ninitial: a\nstates: { a: }\n"]) { folder in
      let name = Array("\(folder)/n".utf8) + [0xE9] + Array(".yaml".utf8) + [0]
      let path = name.map { CChar(bitPattern: $0) }
      rename("\(folder)/panel.yaml", path)
      let result = PanelProcess.run([], prefix: #"set -- "$1" check "\#(folder)/$(printf 'n\351.yaml')";"#)
      #expect(
        result
          == .init(
            status: 0, output: "\(folder)/n\\xe9.yaml: P: 0 inputs, 0 outputs, 0 sounds, 1 states: nothing is wrong\n",
            errors: ""))
      unlink(path)
    }
  }
}
