import Glibc
import Testing

@testable import Terminal

@Suite("Messages of a command")
struct DiagnosticsTests {
  @Test("a descriptor is the journal's if JOURNAL_STREAM has its device and its inode, and not where it was inherited")
  func journal() {
    let descriptor = open("/dev/null", O_WRONLY)
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    #expect(Diagnostics.isJournal("\(status.st_dev):\(status.st_ino)", descriptor))
    #expect(!Diagnostics.isJournal("\(status.st_dev):\(status.st_ino + 1)", descriptor))
    #expect(!Diagnostics.isJournal("", descriptor))
    #expect(!Diagnostics.isJournal(nil, descriptor))
    #expect(!Diagnostics.isJournal("1:1", -1))
  }

  @Test("what others do is written at the level that was chosen at first, and at a lower one that is chosen later")
  func records() {
    let diagnostics = Diagnostics(.info)
    diagnostics.change(to: .error)
    #expect(!diagnostics.writes(.info) && diagnostics.records(.info) && !diagnostics.records(.debug))
    diagnostics.change(to: .debug)
    #expect(diagnostics.records(.debug))
    #expect(!Diagnostics(.warning).records(.info))
  }
}
