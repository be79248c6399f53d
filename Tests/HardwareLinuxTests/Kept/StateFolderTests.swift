import CycleCore
import Glibc
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwareLinux

@Suite("A folder of kept values on a disk")
struct StateFolderTests {
  private func save(_ numbers: [String: Int], in folder: StateFolder) throws {
    let clock = WorkClock(at: .zero)
    let steps: [KeptStep] = [
      .write(KeptText.bytes(of: numbers)), .synchronize, .link, .rename, .synchronizeFolder,
    ]
    for step in steps { try folder.perform(step, on: clock) }
  }

  @Test("a save leaves the set and the set before, each of which can be read")
  func saves() throws {
    try withFiles(["values": String(decoding: KeptText.bytes(of: ["a": 1]), as: UTF8.self)]) { path in
      let folder = StateFolder(path)
      #expect(try folder.read(.old) == nil)
      for number in 2...4 { try save(["a": number], in: folder) }
      #expect(KeptStart(reading: folder).numbers == ["a": 4])
      #expect(try folder.read(.old) == KeptText.bytes(of: ["a": 3]))
      #expect(try folder.read(.new) == nil)
    }
  }

  @Test("a folder that is not there is said, and what to do")
  func absent() throws {
    let folder = StateFolder("/nowhere/at/all")
    #expect(KeptStart(reading: folder).warnings == [])
    let error = driverError { try save([:], in: folder) }
    #expect(
      error.map { "\($0)" }
        == "cannot save the values in /nowhere/at/all: the folder does not exist (ENOENT). "
        + "Create the folder, or name another one.")
    #expect(error?.kind == .absent)
  }

  @Test("a full disk is said, and what to do")
  func full() {
    let error = StateFolder.failure(
      "save the values in /x", SystemFailure(function: "write", number: ENOSPC), of: "/x")
    #expect(
      "\(error)"
        == "cannot save the values in /x: the disk is full (ENOSPC). Free some space; the save is retried."
    )
  }

  @Test("a link in place of a file is not followed: what it leads to stays as it is, and is not read")
  func links() throws {
    try withFiles(["victim": "untouched", "values": String(decoding: KeptText.bytes(of: [:]), as: UTF8.self)]) { path in
      try #require(symlink("victim", "\(path)/values.new") == 0)
      let folder = StateFolder(path)
      try save(["a": 1], in: folder)
      #expect(bytes(of: "\(path)/victim") == Array("untouched".utf8))
      #expect(try folder.read(.values) == KeptText.bytes(of: ["a": 1]))
      #expect(names(in: path) == ["values", "values.old", "victim"])
      unlink("\(path)/values.old")
      try #require(symlink("victim", "\(path)/values.old") == 0)
      let error = driverError { _ = try folder.read(.old) }
      #expect(
        error.map { "\($0)" }
          == "cannot read \(path)/values.old: one of its files is a link (ELOOP). "
          + "Remove the link; values are kept only in files of this folder.")
    }
  }
}
