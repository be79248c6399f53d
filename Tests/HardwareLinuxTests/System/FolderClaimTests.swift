import Glibc
import TestSupport
import Testing

@testable import HardwareLinux

@Suite("A folder for one process alone")
struct FolderClaimTests {
  @Test("a second claim is refused while there is the first one, which leaves nothing behind")
  func second() throws {
    try withFiles { folder in
      var first: FolderClaim? = try FolderClaim(folder)
      #expect(names(in: folder) == ["lock"])
      #expect(thrown(SystemFailure.self) { _ = try FolderClaim(folder) }?.isTaken == true)
      first = nil
      #expect(first == nil && names(in: folder) == [])
      _ = try FolderClaim(folder)
      #expect(names(in: folder) == [])
    }
  }

  @Test("what a crash has left is no claim")
  func left() throws {
    try withFiles(["lock": ""]) { folder in
      var claim: FolderClaim? = try FolderClaim(folder)
      #expect(thrown(SystemFailure.self) { _ = try FolderClaim(folder) }?.isTaken == true)
      claim = nil
      #expect(claim == nil && names(in: folder) == [])
    }
  }

  @Test("the file is its owner's alone, and no link is followed")
  func mode() throws {
    try withFiles { folder in
      let claim = try FolderClaim(folder)
      var status = stat()
      #expect(stat("\(folder)/lock", &status) == 0 && status.st_mode & 0o777 == 0o600)
      withExtendedLifetime(claim) {}
    }
    try withFiles(["victim": ""]) { folder in
      try #require(symlink("victim", "\(folder)/lock") == 0)
      let failure = thrown(SystemFailure.self) { _ = try FolderClaim(folder) }
      #expect(failure == SystemFailure(function: "open", number: ELOOP) && failure?.isTaken == false)
    }
    #expect(thrown(SystemFailure.self) { _ = try FolderClaim("/nowhere") }?.number == ENOENT)
  }
}
