import Testing

@testable import PanelLanguage

struct TextFileTests {
  @Test("a file that is larger than its size says is read whole")
  func noSize() throws {
    // Files in /proc have the size 0.
    let bytes = try TextFile.read(path: "/proc/self/smaps", what: "a panel file")
    #expect(bytes.count > 8_192 && bytes.last == UInt8(ascii: "\n"))
  }
}
