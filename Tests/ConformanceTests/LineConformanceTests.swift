import CycleCore
import HardwareDrivers
import Testing

@Suite("What drivers of lines promise", .serialized)
struct LineConformanceTests {
  @Test("in the simulation", arguments: LineCase.all, [SimulatedChip.Generation.first, .second])
  func simulated(_ lineCase: LineCase, _ generation: SimulatedChip.Generation) throws {
    try run(lineCase, on: SimulatedLineStand(generation))
  }

  @Test("on the kernel", .enabled(if: KernelLineStand.isThere), arguments: LineCase.all)
  func kernel(_ lineCase: LineCase) throws {
    try run(lineCase, on: KernelLineStand())
  }

  private func run(_ lineCase: LineCase, on stand: any LineStand) throws {
    for ability in lineCase.needs {
      guard let reason = stand.reason(against: ability) else { continue }
      try stand.end()
      return Results.add(lineCase.name, at: stand.place, .skipped(reason))
    }
    let findings = Findings()
    do {
      try lineCase.body(stand, findings)
    } catch {
      findings.expect(false, "\(error)")
    }
    try stand.end()
    findings.expect(true, "")
    Results.add(lineCase.name, at: stand.place, findings.failures.isEmpty ? .passed : .failed)
    #expect(findings.failures == [])
  }
}
