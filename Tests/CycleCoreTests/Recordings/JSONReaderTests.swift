import CycleCore
import Testing

@Suite("The reader of a recording's values")
struct JSONReaderTests {
  @Test("a word may be the last of the text", arguments: [("true", true), ("false", false), (" true", true)])
  func words(text: String, value: Bool) throws {
    #expect(try JSONReader.read(text) { (recording) throws(RecordingTextFault) in try recording.readBool() } == value)
  }

  @Test("a word that is cut off is none", arguments: ["tru", "fals", "", "truefalse"])
  func cutOff(text: String) {
    #expect(throws: RecordingTextFault.self) {
      try JSONReader.read(text) { (recording) throws(RecordingTextFault) in try recording.readBool() }
    }
  }
}
