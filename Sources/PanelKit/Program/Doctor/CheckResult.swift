import PanelLanguage
import PanelProof
import PanelRun
import Terminal

/// The result of a check.
struct CheckResult: Equatable, Sendable {
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

  static func ok(_ what: String) -> CheckResult { CheckResult(severity: .ok, what: what) }

  static func warning(_ what: String, _ remedy: String) -> CheckResult {
    CheckResult(severity: .warning, what: what, remedy: remedy, status: ExitStatus.failed)
  }

  /// - Parameter status: 69 or 77 if the panel can't run at all, 65 or 66 if its file is wrong or missing.
  static func failure(_ what: String, _ remedy: String, status: Int32 = ExitStatus.failed) -> CheckResult {
    CheckResult(severity: .failure, what: what, remedy: remedy, status: status)
  }

  /// `FAIL  GPIO7 is held by "spi0 CS0" — ...`
  var line: String {
    severity.rawValue.padded(to: 6) + (remedy.isEmpty ? what : "\(what) — \(remedy)")
  }
}
