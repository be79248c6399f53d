import Glibc
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwareLinux

@Suite("Requests for a change of the machine's power")
struct PowerRequestFolderTests {
  @Test("a request is an empty file, which replaces the one before and can be taken back once")
  func files() throws {
    try withFiles([:]) { path in
      let power = PowerRequestFolder(path)
      #expect(!power.withdraw())
      try power.ask(for: .off)
      #expect(try Folder.entries(of: path).filter { !$0.hasPrefix(".") } == ["power-off"])
      try power.ask(for: .off)
      try power.ask(for: .restart)
      #expect(try Folder.entries(of: path).filter { !$0.hasPrefix(".") } == ["restart"])
      #expect(try SmallFile.bytes(of: "\(path)/restart", atMost: 1) == [])
      #expect(power.withdraw() && !power.withdraw())
      #expect(try Folder.entries(of: path).filter { !$0.hasPrefix(".") } == [])
    }
  }

  @Test("a link of this name is removed, and not followed")
  func link() throws {
    try withFiles(["victim": "x"]) { path in
      #expect(symlink("\(path)/victim", "\(path)/power-off") == 0)
      try PowerRequestFolder(path).ask(for: .off)
      #expect(try SmallFile.bytes(of: "\(path)/victim", atMost: 9) == Array("x".utf8))
      #expect(try SmallFile.bytes(of: "\(path)/power-off", atMost: 9, followsLinks: false) == [])
    }
  }

  @Test("a program that is not a service, and a folder that is gone, are errors with a remedy")
  func errors() {
    let alone = driverError { try PowerRequestFolder(nil).ask(for: .restart) }
    #expect(alone?.kind == .absent)
    #expect(
      alone.map { "\($0)" }
        == "cannot restart the machine: this program is not run as a service. "
        + "Install the package, and run the panel as `panel@NAME`.")
    let gone = driverError { try PowerRequestFolder("/nowhere/at/all").ask(for: .off) }
    #expect(
      gone.map { "\($0)" }
        == "cannot turn the machine off: /nowhere/at/all: not there (ENOENT). "
        + "Check the folder; the next request is tried again.")
    #expect(PowerRequestFolder("/nowhere/at/all").withdraw() == false)
  }
}
