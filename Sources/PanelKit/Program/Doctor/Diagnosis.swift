import PanelLanguage
import PanelProof
import PanelRun
import Terminal

/// The result of a check.
struct Diagnosis: Equatable, Sendable {
  enum Severity: String, Sendable {
    case ok
    /// The panel runs, but with a limitation.
    case warning = "warn"
    /// The panel, or a part of it, does not work.
    case failure = "FAIL"
  }

  var severity: Severity
  /// The finding.
  var what: String
  /// The advice; empty if nothing needs to be done.
  var remedy = ""
  /// The exit status that this result requires.
  var status = ExitStatus.success

  static func ok(_ what: String) -> Diagnosis { Diagnosis(severity: .ok, what: what) }

  static func warning(_ what: String, _ remedy: String) -> Diagnosis {
    Diagnosis(severity: .warning, what: what, remedy: remedy, status: ExitStatus.failed)
  }

  /// - Parameter status: 69 or 77 if the panel can't run at all, 65 or 66 if its file is wrong or missing.
  static func failure(_ what: String, _ remedy: String, status: Int32 = ExitStatus.failed) -> Diagnosis {
    Diagnosis(severity: .failure, what: what, remedy: remedy, status: status)
  }

  /// `FAIL  GPIO7 is held by "spi0 CS0" — ...`
  var line: String {
    severity.rawValue.padded(to: 6) + (remedy.isEmpty ? what : "\(what) — \(remedy)")
  }
}

/// A check of `panel doctor`.
struct DoctorCheck: Sendable {
  /// The number in the table of the documentation, from 1.
  let number: Int
  /// Runs the check; returns nothing if it does not apply.
  let examine: @Sendable (ExaminedSystem) -> [Diagnosis]

  init(_ number: Int, _ examine: @escaping @Sendable (ExaminedSystem) -> [Diagnosis]) {
    self.number = number
    self.examine = examine
  }

  /// All checks in the order of the report.
  static let all: [DoctorCheck] = [
    systemChecks, chipChecks, panelChecks, soundChecks, serviceChecks, boardChecks, diskChecks, keptChecks,
    networkChecks,
  ].flatMap { $0 }
}

/// The subject of the checks: a machine, and optionally a panel that should run on it.
struct ExaminedSystem {
  let machine: any Machine
  let panel: ExaminedPanel?
  /// The systemd properties of the panel's service; nil without a service or without systemd.
  let unit: [String: String]?

  init(machine: any Machine, panel: ExaminedPanel?) {
    self.machine = machine
    self.panel = panel
    unit = panel?.service.flatMap { machine.properties(ofUnit: "panel@\($0)", Self.unitProperties) }
  }

  private static let unitProperties = [
    "LoadState", "ActiveState", "StatusText", "NRestarts", "Result", "ExecMainStatus", "LimitRTPRIO",
    "DevicePolicy", "DeviceAllow", "SupplementaryGroups",
  ]
  var isServiceActive: Bool { unit?["ActiveState"] == "active" }

  /// The account that runs the checks.
  var me: Account { machine.me }
  /// The service's account; nil if the package is not installed.
  var servant: Account? {
    guard var servant = Account(named: Self.serviceUser, in: machine) else { return nil }
    // The unit can give the service further groups.
    for name in (unit?["SupplementaryGroups"] ?? "").split(separator: " ") {
      if let group = Account.group(named: String(name), in: machine) { servant.groups.insert(group) }
    }
    return servant
  }

  static let serviceUser = "panel"
  /// The board's model name from the device tree; nil on a board without one.
  var board: String? {
    machine.text(of: "/proc/device-tree/model").map { String($0.prefix { $0 != "\0" }) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }
  var isRaspberryPi: Bool { board?.hasPrefix("Raspberry Pi") == true }
}

/// A panel file to check.
struct ExaminedPanel {
  let file: String
  /// The name of the service: `doorbell` for `/etc/panel/doorbell.panel.yaml`; nil for a file in another folder.
  let service: String?
  let content: Result<PanelDefinition, Problems>

  /// - Parameter words: the path of a panel file, or the name of one in `/etc/panel`.
  init(_ words: String, kinds: KindList) {
    let path = PanelFile.path(ofService: words)
    self.init(
      file: path,
      content: Result { () throws(Problems) in
        try PanelFile.read(path: path, kinds: kinds, checkSound: SoundFileCheck.fault)
      })
  }

  init(file: String, content: Result<PanelDefinition, Problems>) {
    (self.file, self.content) = (file, content)
    if file.hasPrefix(PanelInstallation.folder + "/"), file.hasSuffix(PanelInstallation.suffix) {
      service = String(file.dropFirst(PanelInstallation.folder.count + 1).dropLast(PanelInstallation.suffix.count))
    } else {
      service = nil
    }
  }

  var definition: PanelDefinition? { try? content.get() }
}
