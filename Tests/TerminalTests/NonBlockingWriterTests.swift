import Glibc
import TestSupport
import Testing

@testable import Terminal

@Suite("What is written for a reader that may not read")
struct NonBlockingWriterTests {
  private func withPipe(
    idleTime: Duration = .milliseconds(100), _ body: (_ reader: Int32, _ writer: NonBlockingWriter) -> Void
  ) {
    let ends = PanelProcess.makePipe()
    // Its thread may be in a write when the test ends, so the writing end stays open.
    body(ends[0], NonBlockingWriter(ends[1], idleTime: idleTime) { "\($0) missing\n" })
    close(ends[0])
  }

  /// Reads until `count` lines have been written or counted as missing, each in its place: how many are missing.
  private func account(_ reader: Int32, of count: Int, from first: Int = 0) -> Int {
    var next = first
    var missing = 0
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while next < first + count, read(reader, &byte, 1) == 1 {
      line.append(byte)
      guard byte == UInt8(ascii: "\n") else { continue }
      let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
      line = []
      if words[1] == "missing" {
        missing += Int(words[0]) ?? 0
        next += Int(words[0]) ?? 0
      } else {
        #expect(words[1] == "\(next)")
        next += 1
      }
    }
    #expect(next == first + count)
    return missing
  }

  @Test("lines that don't fit are dropped; how many is written where they are missing, and the next ones follow")
  func dropped() throws {
    withPipe { reader, writer in
      writer.detach()
      for number in 0..<5000 { writer.write("line \(number) \(String(repeating: "-", count: 90))\n") }
      #expect(!writer.flush(within: .milliseconds(20)))
      #expect(account(reader, of: 5000) > 1000)
      writer.write("line 5000\n")
      #expect(account(reader, of: 1, from: 5000) == 0)
      #expect(writer.flush(within: .seconds(20)))
      #expect(writer.failure == nil)
    }
  }

  @Test(
    "a thread that has ended because there was nothing to write is followed by another, and no line is lost or late")
  func restarted() {
    withPipe(idleTime: .zero) { reader, writer in
      writer.detach()
      for number in 0..<500 {
        writer.write("line \(number)\n")
        // Every other line meets a thread that has ended or is about to.
        if number % 2 == 0 { #expect(writer.flush(within: .seconds(20))) }
      }
      #expect(account(reader, of: 500) == 0)
    }
  }

  @Test("before it is detached a write waits, and a failure is kept")
  func direct() {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    let writer = NonBlockingWriter(full) { "\($0) missing\n" }
    writer.write("x\n")
    #expect(writer.failure == ENOSPC)
    close(full)
  }

  @Test("control characters are made visible, whatever they would do to a terminal or a journal")
  func visibility() {
    #expect(visible("a\u{1B}]0;owned\u{7}\n<0>é\u{9B}\u{202E}b") == #"a\u{1b}]0;owned\u{7}\n<0>é\u{9b}\u{202e}b"#)
    #expect(Diagnostics.line(.warning, "a\nb") == "a\\nb\n")
  }
}
