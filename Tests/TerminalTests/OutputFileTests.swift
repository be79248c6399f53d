import Glibc
import TestSupport
import Testing

@testable import Terminal

@Suite("A file that is written at a path that a user has named")
struct OutputFileTests {
  private func write(_ text: String, to path: String) throws(OutputFile.Failure) {
    let file = try OutputFile(path)
    try file.write(text)
    try file.finish()
  }

  private func text(of path: String) -> String? { bytes(of: path).map { String(decoding: $0, as: UTF8.self) } }

  private func mode(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : 0
  }

  @Test("a file is replaced when the new one is whole, and keeps its mode")
  func replaced() throws {
    try withFiles(["a": "old"]) { folder in
      chmod("\(folder)/a", 0o600)
      let file = try OutputFile("\(folder)/a")
      try file.write("new")
      #expect(text(of: "\(folder)/a") == "old")
      #expect(names(in: folder).count == 2)
      try file.finish()
      #expect(text(of: "\(folder)/a") == "new" && names(in: folder) == ["a"])
      #expect(mode(of: "\(folder)/a") & 0o7777 == 0o600)
    }
  }

  @Test("of a file that is given up nothing is left, and the one that was there stays")
  func abandoned() throws {
    try withFiles(["a": "old"]) { folder in
      try OutputFile("\(folder)/a").write("new")
      #expect(text(of: "\(folder)/a") == "old" && names(in: folder) == ["a"])
    }
  }

  @Test("a link stays a link: the file behind it is replaced, or made where there is none")
  func links() throws {
    try withFiles(["target": "old"]) { folder in
      chmod("\(folder)/target", 0o640)
      symlink("target", "\(folder)/link")
      symlink("\(folder)/link", "\(folder)/link of a link")
      symlink("none", "\(folder)/dangling")
      for name in ["link", "link of a link"] {
        try write(name, to: "\(folder)/\(name)")
        #expect(text(of: "\(folder)/target") == name && mode(of: "\(folder)/\(name)") & S_IFMT == S_IFLNK)
      }
      #expect(mode(of: "\(folder)/target") & 0o7777 == 0o640)
      try write("x", to: "\(folder)/dangling")
      #expect(text(of: "\(folder)/none") == "x" && mode(of: "\(folder)/dangling") & S_IFMT == S_IFLNK)
      #expect(names(in: folder).count == 5)
    }
  }

  @Test("a pipe is opened and written, and stays; one that nobody reads is refused without waiting")
  func pipe() throws {
    try withFiles { folder in
      let path = "\(folder)/pipe"
      mkfifo(path, 0o600)
      #expect(throws: OutputFile.Failure(function: "open", number: ENXIO)) { try write("x", to: path) }
      let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      defer { close(reader) }
      try write("through", to: path)
      var heard = [UInt8](repeating: 0, count: 64)
      let count = read(reader, &heard, heard.count)
      #expect(count == 7 && mode(of: path) & S_IFMT == S_IFIFO && names(in: folder) == ["pipe"])
    }
  }

  @Test("a device stays a device")
  func device() {
    // A link to it, because a fault would make a file of the machine's own.
    withFiles { folder in
      symlink("/dev/full", "\(folder)/full")
      let failure = thrown(OutputFile.Failure.self) { try write("x", to: "\(folder)/full") }
      #expect(failure == .init(function: "write", number: ENOSPC))
      var status = stat()
      #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
      #expect(mode(of: "\(folder)/full") & S_IFMT == S_IFLNK)
    }
  }

  @Test("a folder, and a path that leads nowhere, are refused")
  func refused() {
    withFiles { folder in
      #expect(throws: OutputFile.Failure(function: "open", number: EISDIR)) { try write("x", to: folder) }
      #expect(throws: OutputFile.Failure(function: "open", number: ENOENT)) { try write("x", to: "\(folder)/no/a") }
      #expect(throws: OutputFile.Failure(function: "open", number: ENOENT)) { try write("x", to: "") }
    }
  }

  @Test("a file of the program's own takes the place of a link, and has the mode that it is to have")
  func own() throws {
    try withFiles(["victim": "untouched"]) { folder in
      symlink("victim", "\(folder)/safe")
      // What somebody has put where the new file is written first.
      symlink("victim", "\(folder)/safe.\(getpid()).part")
      let file = try OutputFile(replacing: "\(folder)/safe", mode: 0o640)
      try file.write("new")
      try file.finish()
      #expect(text(of: "\(folder)/safe") == "new" && text(of: "\(folder)/victim") == "untouched")
      #expect(mode(of: "\(folder)/safe") == S_IFREG | 0o640 && names(in: folder) == ["safe", "victim"])
    }
  }
}
