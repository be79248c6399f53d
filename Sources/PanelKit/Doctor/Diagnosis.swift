import Terminal

/// What a check has found.
struct Diagnosis: Equatable, Sendable {
  enum Severity: String, Sendable {
    case ok
    /// The panel runs, but not as it could.
    case warning = "warn"
    /// The panel, or a part of it, does not work.
    case failure = "FAIL"
  }

  var severity: Severity
  /// What is so.
  var what: String
  /// What to do; empty where there is nothing to do.
  var remedy = ""
  /// The exit status of the command that this finding asks for, at least.
  var status = ExitStatus.success

  static func ok(_ what: String) -> Diagnosis { Diagnosis(severity: .ok, what: what) }

  static func warning(_ what: String, _ remedy: String) -> Diagnosis {
    Diagnosis(severity: .warning, what: what, remedy: remedy, status: ExitStatus.failed)
  }

  /// - Parameter status: 69 or 77 where the panel can't run at all, 65 or 66 where its file is wrong or missing.
  static func failure(_ what: String, _ remedy: String, status: Int32 = ExitStatus.failed) -> Diagnosis {
    Diagnosis(severity: .failure, what: what, remedy: remedy, status: status)
  }

  /// `FAIL  GPIO7 is held by "spi0 CS0" — ...`
  var line: String {
    severity.rawValue.padded(to: 6) + (remedy.isEmpty ? what : "\(what) — \(remedy)")
  }
}

/// One of the questions that `panel doctor` asks.
struct DoctorCheck: Sendable {
  /// Its number in the table of the documentation, from 1.
  let number: Int
  /// Finds out how it is; nothing where the question doesn't arise.
  let examine: @Sendable (Patient) -> [Diagnosis]

  init(_ number: Int, _ examine: @escaping @Sendable (Patient) -> [Diagnosis]) {
    self.number = number
    self.examine = examine
  }

  /// All, in the order in which they are told.
  static let all: [DoctorCheck] =
    systemChecks + chipChecks + panelChecks + soundChecks + serviceChecks + boardChecks + diskChecks + keptChecks
    + networkChecks
}

/// What is examined: a machine, and a panel that is to run on it, if one was named.
struct Patient {
  let machine: any Machine
  let panel: ExaminedPanel?
  /// What systemd says of the panel's service; nil without a service or without systemd.
  let unit: [String: String]?

  init(machine: any Machine, panel: ExaminedPanel?) {
    self.machine = machine
    self.panel = panel
    unit = panel?.service.flatMap { machine.properties(ofUnit: "panel@\($0)", Self.unitProperties) }
  }

  private static let unitProperties = [
    "LoadState", "ActiveState", "StatusText", "NRestarts", "Result", "ExecMainStatus", "LimitRTPRIO",
  ]
  var isServiceActive: Bool { unit?["ActiveState"] == "active" }

  /// Who runs the checks.
  var me: Account { machine.me }
  /// The account that the service has; nil where the package is not installed.
  var servant: Account? { Account(named: Self.serviceUser, in: machine) }

  static let serviceUser = "panel"
  /// The line with the Pi's name of the board; nil on another board.
  var board: String? {
    machine.text(of: "/proc/device-tree/model").map { String($0.prefix { $0 != "\0" }) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }
  var isRaspberryPi: Bool { board?.hasPrefix("Raspberry Pi") == true }
}

/// A panel file that is examined.
struct ExaminedPanel {
  /// The path of the file.
  let file: String
  /// The name of its service: `doorbell` for `/etc/panel/doorbell.panel.yaml`; nil for a file elsewhere.
  let service: String?
  let content: Result<PanelDefinition, Problems>

  static let folder = "/etc/panel"
  static let suffix = ".panel.yaml"

  /// - Parameter words: the path of a panel file, or the name of one in `/etc/panel`.
  init(_ words: String, kinds: KindList) {
    let path = PanelFile.path(ofService: words)
    self.init(file: path, content: Result { () throws(Problems) in try PanelFile.read(path: path, kinds: kinds) })
  }

  init(file: String, content: Result<PanelDefinition, Problems>) {
    (self.file, self.content) = (file, content)
    if file.hasPrefix(Self.folder + "/"), file.hasSuffix(Self.suffix) {
      service = String(file.dropFirst(Self.folder.count + 1).dropLast(Self.suffix.count))
    } else {
      service = nil
    }
  }

  var definition: PanelDefinition? { try? content.get() }
}
