import PanelLanguage
import PanelProof
import PanelRun
import Terminal

/// A check of `panel doctor`.
struct DoctorCheck: Sendable {
  /// The number in the table of the documentation, from 1.
  let number: Int
  /// Runs the check; returns nothing if it does not apply.
  let examine: @Sendable (ExaminedSystem) -> [CheckResult]

  init(_ number: Int, _ examine: @escaping @Sendable (ExaminedSystem) -> [CheckResult]) {
    self.number = number
    self.examine = examine
  }

  /// All checks in the order of the report.
  static let all: [DoctorCheck] = [
    systemChecks, chipChecks, panelChecks, soundChecks, serviceChecks, boardChecks, diskChecks, keptChecks,
    networkChecks,
  ].flatMap { $0 }
}
