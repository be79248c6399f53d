import Testing

@testable import PanelKit

@Suite("Another program")
struct OtherProgramTests {
  @Test("prints what it has read")
  func text() throws {
    #expect(try OtherProgram.run(["cat"], reading: "text", within: .seconds(60)) == Array("text".utf8))
  }

  @Test(
    "is killed when its time is over, also if it has closed its output",
    arguments: [["sleep", "600"], ["sh", "-c", "exec >&-; exec sleep 600"]])
  func late(_ words: [String]) {
    #expect(throws: ProgramFault.failed("was ended by signal 9")) {
      try OtherProgram.run(words, reading: "", within: .milliseconds(50))
    }
  }

  @Test("that is missing or fails says so")
  func faults() {
    #expect(throws: ProgramFault.missing) {
      try OtherProgram.run(["no-such-program"], reading: "", within: .seconds(60))
    }
    #expect(throws: ProgramFault.missing) {
      try OtherProgram.run(["sh", "-c", "no-such-program"], reading: "", within: .seconds(60), isQuiet: true)
    }
    #expect(throws: ProgramFault.failed("ended with 3")) {
      try OtherProgram.run(["sh", "-c", "echo trouble >&2; exit 3"], reading: "", within: .seconds(60), isQuiet: true)
    }
  }
}
