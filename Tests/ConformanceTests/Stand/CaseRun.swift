import Glibc
import Testing

extension Case {
  /// Takes the case through, and says what became of it.
  func run(
    on stand: Stand, place: String, reason: (Ability) -> String?, end: () throws -> Void
  ) throws {
    if let reason = needs.lazy.compactMap(reason).first {
      try end()
      return Results.add(name, at: place, .skipped(reason))
    }
    let findings = Findings()
    do {
      try body(stand, findings)
    } catch {
      findings.expect(false, "\(error)")
    }
    try end()
    Results.add(name, at: place, findings.failures.isEmpty ? .passed : .failed)
    #expect(findings.failures == [])
  }

  /// Whether its name contains what CONFORMANCE_FILTER says; every one's does if that is empty.
  var isWanted: Bool { Self.isWanted(name) }

  static func isWanted(_ name: String) -> Bool {
    guard let filter = getenv("CONFORMANCE_FILTER").map({ String(cString: $0) }), !filter.isEmpty else { return true }
    return name.contains(filter)
  }
}
