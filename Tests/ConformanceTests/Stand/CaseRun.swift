import Glibc
import Testing

extension Case {
  /// Runs the case, and writes what became of it: whatever is thrown on the way is a finding.
  ///
  /// - Parameters:
  ///   - place: in words, for the table.
  ///   - makeStand: makes the place to run at.
  ///   - reason: why the stand can't do what the case needs; nil if it can.
  ///   - end: gives back what the stand holds.
  func run(
    at place: String, on makeStand: () throws -> Stand, reason: (Stand, Ability) -> String?,
    end: (Stand) throws -> Void
  ) {
    let findings = Findings()
    var skipped: String?
    Pace.begin()
    findings.catching("the stand") {
      let stand = try makeStand()
      skipped = needs.compactMap { reason(stand, $0) }.first
      if skipped == nil { findings.catching("the case") { try body(stand, findings) } }
      findings.catching("the end of the stand") { try end(stand) }
    }
    if findings.failures.isEmpty {
      Results.add(name, at: place, skipped.map { .skipped($0) } ?? .passed)
    } else {
      Results.add(name, at: place, .failed)
      if let pace = Pace.words { findings.note(pace) }
      Issue.record("\(findings.failures.joined(separator: "\n"))")
    }
  }

  /// Whether its name contains what CONFORMANCE_FILTER says; every one's does if that is empty.
  fileprivate var isWanted: Bool {
    guard let filter = getenv("CONFORMANCE_FILTER").map({ String(cString: $0) }), !filter.isEmpty else { return true }
    return name.contains(filter)
  }
}

extension Array {
  /// The cases whose names contain what CONFORMANCE_FILTER says, announced for a place: one of which nothing else is
  /// written has failed there. As the arguments of a test they are announced before the first test runs.
  ///
  /// - Parameter times: how often each of them runs there.
  func wanted<Stand>(at place: String, times: Int = 1) -> Self where Element == Case<Stand> {
    let wanted = filter(\.isWanted)
    for one in wanted { for _ in 0..<times { Results.add(one.name, at: place, .announced) } }
    return wanted
  }
}
