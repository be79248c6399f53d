import CycleCore
import Testing

@Suite("The reader of a recording's values")
struct JSONReaderTests {
  @Test("a word may be the last of the text", arguments: [("true", true), ("false", false), (" true", true)])
  func words(text: String, value: Bool) throws {
    #expect(try JSONReader.read(text) { (recording) throws(RecordingTextFault) in try recording.readBool() } == value)
  }

  @Test(
    "an escape is its character, and half of a pair of surrogates is a fault",
    arguments: [
      (#""\ud83d\ude00""#, "😀"), (#""\u0041""#, "A"), (#""\ud83d\u0041""#, nil), (#""\ud83d\ud83d""#, nil),
      (#""\ud83d\u0000""#, nil), (#""\ud83d""#, nil), (#""\ude00""#, nil), (#""\udbff\udfff""#, "\u{10FFFF}"),
    ])
  func escapes(text: String, expected: String?) {
    let read = try? JSONReader.read(text) { (recording) throws(RecordingTextFault) in try String(from: &recording) }
    #expect(read == expected)
  }

  @Test("a word that is cut off is none", arguments: ["tru", "fals", "", "truefalse"])
  func cutOff(text: String) {
    #expect(throws: RecordingTextFault.self) {
      try JSONReader.read(text) { (recording) throws(RecordingTextFault) in try recording.readBool() }
    }
  }
}
