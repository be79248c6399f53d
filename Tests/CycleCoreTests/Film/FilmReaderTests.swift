import CycleCore
import Testing

@Suite("The reader of a film's values")
struct FilmReaderTests {
  @Test("a word may be the last of the text", arguments: [("true", true), ("false", false), (" true", true)])
  func words(text: String, value: Bool) throws {
    #expect(try FilmReader.read(text) { (film) throws(FilmFault) in try film.readBool() } == value)
  }

  @Test("a word that is cut off is none", arguments: ["tru", "fals", "", "truefalse"])
  func cutOff(text: String) {
    #expect(throws: FilmFault.self) {
      try FilmReader.read(text) { (film) throws(FilmFault) in try film.readBool() }
    }
  }
}
