import Glibc
import Testing

@testable import HardwareLinux

@Suite("Another program")
struct ChildProcessTests {
  @Test("prints what it has read")
  func text() throws {
    #expect(try ChildProcess.run(["cat"], reading: "text", within: .seconds(60)) == Array("text".utf8))
  }

  @Test(
    "is killed when its time is over, also if it has closed its output",
    arguments: [["sleep", "600"], ["sh", "-c", "exec >&-; exec sleep 600"]])
  func late(_ words: [String]) {
    #expect(throws: ChildProcessFault.failed("was ended by signal 9")) {
      try ChildProcess.run(words, reading: "", within: .milliseconds(50))
    }
  }

  @Test("that prints without an end is killed, however little may be printed")
  func endless() {
    #expect(throws: ChildProcessFault.failed("printed more than 1000 bytes")) {
      try ChildProcess.run(["yes"], reading: [], within: .seconds(60), mostOutput: 1000)
    }
  }

  @Test("gets further variables, in place of those of their names")
  func variables() throws {
    let printed = try ChildProcess.run(
      ["sh", "-c", "echo $HOME $FIRST"], reading: [], within: .seconds(60), variables: ["HOME=here", "FIRST=1"])
    #expect(String(decoding: printed, as: UTF8.self) == "here 1\n")
  }

  @Test("that is missing or fails says so")
  func faults() {
    #expect(throws: ChildProcessFault.missing) {
      try ChildProcess.run(["no-such-program"], reading: "", within: .seconds(60))
    }
    #expect(throws: ChildProcessFault.missing) {
      try ChildProcess.run(["sh", "-c", "no-such-program"], reading: "", within: .seconds(60), isQuiet: true)
    }
    #expect(throws: ChildProcessFault.failed("ended with 3")) {
      try ChildProcess.run(["sh", "-c", "echo trouble >&2; exit 3"], reading: "", within: .seconds(60), isQuiet: true)
    }
  }

  @Test("that ends before it has read everything sends this process no SIGPIPE")
  func brokenPipe() throws {
    // A handler is shared by all threads. Other tests may get the signal at the same time; the test counts those of its
    // own thread.
    writer = pthread_self()
    signals = 0
    let before = signal(SIGPIPE) { _ in if pthread_self() == writer { signals += 1 } }
    defer { signal(SIGPIPE, before) }
    let more = [UInt8](repeating: 0, count: 1 << 20)  // A pipe holds 64 KiB.
    #expect(try ChildProcess.run(["true"], reading: more, within: .seconds(60)) == [])
    #expect(signals == 0)
  }
}

nonisolated(unsafe) private var writer = pthread_t()
nonisolated(unsafe) private var signals = 0
