import HardwareDrivers
import Testing

@testable import PanelKit
@testable import PanelLanguage

@Suite("The check of kept values of panel doctor")
struct KeptChecksTests {
  private static let path = "/var/lib/panel/doorbell"

  /// What is found of a panel that keeps a level of 0 to 10, on a machine on which all is well but a fault.
  private func lines(_ keep: String = "keep: true", _ fault: (inout FaultyMachine) -> Void) throws -> [String] {
    let text = """
      panel: Doorbell
      values: { level: { initial: 7, min: 0, max: 10, \(keep) } }
      initial: a
      states: { a: }
      """
    var machine = FaultyMachine()
    machine.files[Self.path] = FileStatus(owner: 990, group: 990, mode: 0o750)
    machine.folders[Self.path] = ["values", "values.old"]
    machine.contents["\(Self.path)/values"] = KeptText.bytes(of: ["level": 3])
    machine.contents["\(Self.path)/values.old"] = KeptText.bytes(of: ["level": 2])
    machine.files["\(Self.path)/values"] = FileStatus(owner: 990, group: 990, mode: 0o640, age: .seconds(7_300))
    fault(&machine)
    let file = "/etc/panel/doorbell.panel.yaml"
    let content = Result { () throws(Problems) in try PanelFile.read(Array(text.utf8), file: file) }
    let system = ExaminedSystem(machine: machine, panel: ExaminedPanel(file: file, content: content))
    return DoctorCheck.keptValues.examine(system).map(\.line)
  }

  @Test("all is well: how many numbers there are, and how old they are")
  func whole() throws {
    #expect(try lines { _ in } == ["ok    kept values: 1 number, saved 2 hours ago"])
    #expect(
      try lines { $0.files[Self.path] = nil } == ["ok    kept values: none yet; the service makes \(Self.path)"])
    #expect(
      try lines {
        $0.folders[Self.path] = []
        $0.files["\(Self.path)/values"] = nil
      } == ["ok    kept values: none yet"])
    #expect(try lines("keep: false") { _ in } == [])
    for (age, text) in [(59, "less than a minute"), (60, "1 minute"), (7_199, "119 minutes"), (172_800, "2 days")] {
      #expect(
        try lines { $0.files["\(Self.path)/values"]?.age = .seconds(age) }
          == ["ok    kept values: 1 number, saved \(text) ago"])
    }
  }

  @Test("a file that is cut or changed is told, with what is used instead")
  func broken() throws {
    func values(_ bytes: [UInt8], old: [UInt8]? = nil) throws -> [String] {
      try lines {
        $0.contents["\(Self.path)/values"] = bytes
        if let old { $0.contents["\(Self.path)/values.old"] = old }
      }
    }
    let cut = Array("panel-values 1\nlevel".utf8)
    #expect(
      try values(cut) == [
        "warn  kept values: cannot use the kept values of \(Self.path)/values: it is cut — "
          + "values.old is used: the last save was cut. The next save repairs it; check 16 is about the disk"
      ])
    #expect(
      try values(cut, old: cut) == [
        "warn  kept values: cannot use the kept values of \(Self.path)/values: it is cut — "
          + "The panel uses the initial values. The next save repairs it; check 16 is about the disk",
        "warn  kept values: cannot use the kept values of \(Self.path)/values.old: it is cut — "
          + "The panel uses the initial values. The next save repairs it; check 16 is about the disk",
      ])
    var changed = KeptText.bytes(of: ["level": 3])
    changed[21] ^= 1
    #expect(try values(changed).first?.contains("its checksum is wrong — values.old is used") == true)
    #expect(
      try values(KeptText.bytes(of: ["level": 3]), old: changed) == [
        "warn  kept values: \(Self.path)/values.old: it has been changed — the next save replaces it; check 16 is the disk"
      ])
    #expect(
      try values(KeptText.bytes(of: ["level": 30])) == [
        "warn  kept values: cannot start level with 30, which was kept: its range is 0 to 10 — "
          + "It starts with 10. The next save repairs it; check 16 is about the disk"
      ])
  }

  @Test("a folder that the service may not write, or this user not read, is told")
  func rights() throws {
    #expect(
      try lines { $0.files[Self.path] = FileStatus(owner: 0, group: 0, mode: 0o755) }
        == ["warn  panel may not write \(Self.path) — sudo chown -R panel:panel \(Self.path)"])
    #expect(
      try lines { $0.folders[Self.path] = nil }
        == ["warn  \(Self.path) can't be looked into — sudo panel doctor doorbell"])
  }
}
