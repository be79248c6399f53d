import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import TestSupport
import Testing

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
        == "cannot save the values in /nowhere/at/all: the folder is not there (ENOENT). "
        + "Make the folder, or name another one.")
    #expect(error?.kind == .absent)
  }

  @Test("a full disk is said, and what to do")
  func full() throws {
    try withFiles { path in
      // The kernel's own full disk.
      try #require(symlink("/dev/full", "\(path)/values.new") == 0)
      let folder = StateFolder(path)
      let error = driverError { try save(["a": 1], in: folder) }
      #expect(
        error.map { "\($0)" }
          == "cannot save the values in \(path): the disk is full (ENOSPC). Make room; it is tried again each minute.")
    }
  }
}
