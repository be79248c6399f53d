import CycleCore
import Glibc
import TestSupport
import Testing

@testable import PanelKit
@testable import PanelLanguage

@Suite("The folder of a running panel")
struct RunFolderTests {
  private func second(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

  @Test("starts that have come to no end count for two minutes")
  func starts() throws {
    try withFiles { path in
      let folder = RunFolder(path: path)
      let counts = try [1, 2, 3, 60, 119].map { try folder.starts.noteStart(at: second($0)) }
      #expect(counts == [0, 1, 2, 3, 4])
      #expect(try folder.starts.noteStart(at: second(122)) == 4, "the first has gone by then")
      #expect(try folder.starts.noteStart(at: second(300)) == 0)
      #expect(
        try folder.starts.noteStart(at: second(10)) == 0,
        "the machine has started anew: what was before is in its future")
    }
  }

  @Test("a good end forgets all, an end with an error its own start only")
  func ends() throws {
    try withFiles { path in
      let folder = RunFolder(path: path)
      _ = try (1...3).map { try folder.starts.noteStart(at: second($0)) }
      folder.starts.noteEnd(isGood: false, at: second(4))
      #expect(try folder.starts.noteStart(at: second(5)) == 2)
      folder.starts.noteEnd(isGood: true, at: second(6))
      #expect(names(in: path) == [])
      #expect(try folder.starts.noteStart(at: second(7)) == 0)
      folder.starts.noteEnd(isGood: false, at: second(8))
      #expect(names(in: path) == [])
    }
  }

  @Test("what somebody else has written there does no harm")
  func rubbish() throws {
    try withFiles(["starts": "x\n-5\n99999999999999999999999\n1000000000\n\u{1F680}\n"]) { path in
      let count = try RunFolder(path: path).starts.noteStart(at: second(2))
      #expect(count == 2, "one before the machine began, and one that is one")
    }
    try withFiles(["starts": String(repeating: "1000000000\n", count: 90_000)]) { path in
      let count = try RunFolder(path: path).starts.noteStart(at: second(2))
      #expect(count == 5)
      #expect(bytes(of: "\(path)/starts").map { $0.count < 100 } == true)
    }
  }

  @Test("what panel safe obeys is written by its owner alone, and no link is followed")
  func modes() throws {
    try withFiles(["victim": "untouched"]) { path in
      for name in ["safe", "starts"] { symlink("victim", "\(path)/\(name)") }
      let folder = RunFolder(path: path)
      try folder.keep(Array("one".utf8))
      _ = try folder.starts.noteStart(at: second(1))
      for name in ["safe", "starts"] {
        var status = stat()
        #expect(lstat("\(path)/\(name)", &status) == 0 && status.st_mode == S_IFREG | 0o640)
      }
      #expect(bytes(of: "\(path)/victim") == Array("untouched".utf8))
    }
  }

  @Test("the accepted file replaces the one before, and a folder that is not there is told")
  func safe() throws {
    try withFiles { path in
      let folder = RunFolder(path: path)
      try folder.check()
      try folder.keep(Array("one".utf8))
      try folder.keep(Array("two".utf8))
      #expect(names(in: path) == ["safe"] && bytes(of: "\(path)/safe") == Array("two".utf8))
    }
    let problems = thrown(Problems.self) { try RunFolder(path: "/nowhere").check() }
    #expect(problems?.exitStatus == 74)
  }
}
