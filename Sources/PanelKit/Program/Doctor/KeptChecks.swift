import CycleCore
import HardwareDrivers
import PanelLanguage
import Terminal

extension DoctorCheck {
  static let keptChecks = [keptValues]

  /// Checks the files of a panel that keeps values: whether they are complete, their age, and the service's permission
  /// to write.
  static let keptValues = DoctorCheck(17) { system in
    guard let panel = system.panel, let service = panel.service, let definition = panel.definition,
      !definition.keptItems.isEmpty
    else { return [] }
    let path = "\(ExaminedPanel.stateFolder)/\(service)"
    let machine = system.machine
    guard let status = machine.status(of: path) else {
      return [.ok("kept values: none yet; the service makes \(path)")]
    }
    var found: [CheckResult] = []
    if let servant = system.servant, !servant.mayUse(status, forWriting: true) {
      let user = ExaminedSystem.serviceUser
      found.append(.warning("\(user) may not write \(path)", "sudo chown -R \(user):\(user) \(path)"))
    }
    guard let names = machine.entries(of: path) else {
      return found + [.warning("\(path) can't be looked into", "sudo panel doctor \(service)")]
    }
    let folder = ExaminedState(name: path, files: Set(names), machine: machine)
    var start = KeptStart(reading: folder)
    for item in definition.keptItems { _ = item.number(from: &start) }
    found += start.warnings.map { error in
      .warning(
        "kept values: cannot \(error.operation): \(error.reason)",
        "\(error.remedy) The next save repairs it; check 16 is about the disk")
    }
    if start.warnings.isEmpty, let fault = folder.fault(of: .old) {
      found.append(
        .warning("kept values: \(path)/values.old: \(fault)", "the next save replaces it; check 16 is the disk"))
    }
    guard found.isEmpty else { return found }
    guard let values = machine.status(of: "\(path)/values") else { return [.ok("kept values: none yet")] }
    return [.ok("kept values: \(counted(start.numbers.count, "number")), saved \(ago(values.age))")]
  }

  /// Formats an age: `5 minutes ago`.
  private static func ago(_ age: Duration) -> String {
    let minutes = age.components.seconds / 60
    switch minutes {
    case 0: return "less than a minute ago"
    case ..<120: return "\(counted(Int(minutes), "minute")) ago"
    case ..<2880: return "\(counted(Int(minutes / 60), "hour")) ago"
    default: return "\(counted(Int(minutes / 1440), "day")) ago"
    }
  }
}

extension ExaminedPanel {
  /// The service's folder that contains a folder for each panel.
  static let stateFolder = "/var/lib/panel"
}

/// The folder of kept values on the checked machine; read-only.
private struct ExaminedState: KeptFolder {
  let name: String
  let files: Set<String>
  let machine: any Machine
  var needsThread: Bool { false }

  func read(_ file: KeptFile) throws(DriverError) -> [UInt8]? {
    guard files.contains(file.rawValue) else { return nil }
    guard let bytes = machine.bytes(of: "\(name)/\(file.rawValue)") else {
      throw DriverError(
        .notPermitted, of: name, cannot: "read it", reason: "this user can't read it", remedy: "Run it with sudo.")
    }
    return bytes
  }

  /// Returns the error in a file; nil if it is complete or missing.
  func fault(of file: KeptFile) -> String? {
    do {
      if let bytes = try read(file) { _ = try KeptText.numbers(in: bytes) }
      return nil
    } catch KeptText.Fault.cut {
      return "it is cut"
    } catch let error as DriverError {
      return error.reason
    } catch {
      return "it has been changed"
    }
  }

  func perform(_ step: KeptStep, on clock: WorkClock) throws(DriverError) {
    programmerError("what is examined is not changed")
  }
}
