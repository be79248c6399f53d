import TestSupport
import Testing

@testable import CycleCore

@Suite("The recovery of hardware")
struct RecoveryTests {
  private func at(_ seconds: Int) -> Moment { .zero + .seconds(seconds) }

  /// The pauses of this number of retries that all fail, in seconds, from the machine's next try on.
  private func pauses(_ count: Int, _ recovery: inout Recovery, _ event: Recovery.Event = .lose) -> [Int] {
    (0..<count).compactMap { _ in
      guard let now = recovery.due else { return nil }
      recovery.note(event, at: now)
      return recovery.due.map { Int(($0 - now) / .seconds(1)) }
    }
  }

  @Test("its table is that of docs/internals/recovery.md")
  func page() throws {
    let text = try #require(bytes(of: "\(checkoutRoot)/docs/internals/recovery.md"))
    let rows = String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("| `") }
    let table = Recovery.transitions.map { row in
      "| `\(row.phase)` | `\(row.event)` | `\(row.next)` | \(row.retry.rawValue) |"
    }
    #expect(rows.map(String.init) == table)
  }

  @Test("the table has one row at most for a phase and an event, and reaches every phase")
  func table() {
    let keys = Recovery.transitions.map { "\($0.phase) \($0.event)" }
    #expect(Set(keys).count == keys.count)
    #expect(Set(Recovery.transitions.map(\.next)) == Set(Recovery.Phase.allCases))
    #expect(Set(Recovery.transitions.map(\.event)) == Set(Recovery.Event.allCases))
  }

  @Test("a retry is scheduled in the phases failing and lost, and in no other but opening")
  func due() {
    var generator = SeededGenerator(seed: 1)
    var recovery = Recovery(in: .opening)
    var now = Moment.zero
    for _ in 0..<10_000 {
      now = now + .milliseconds(Int.random(in: 0...90_000, using: &generator))
      recovery.note(Recovery.Event.allCases.randomElement(using: &generator)!, at: now)
      let isTried = [.opening, .failing, .lost].contains(recovery.phase)
      #expect((recovery.due != nil) == isTried, "\(recovery)")
      if let due = recovery.due { #expect(due <= now + .seconds(60), "\(recovery)") }
    }
  }

  @Test("lost hardware is tried after 1 s, 2 s, 4 s … 60 s", arguments: [Recovery.Event.lose, .fail])
  func growing(event: Recovery.Event) {
    var recovery = Recovery(in: .opening, at: at(7))
    #expect(recovery.due == at(7))
    #expect(pauses(8, &recovery, event) == [1, 2, 4, 8, 16, 32, 60, 60])
    recovery.note(.succeed, at: at(500))
    #expect(recovery.phase == .open && recovery.due == nil)
  }

  @Test("a try before its time that fails doesn't postpone the retry")
  func early() {
    var recovery = Recovery(in: .opening)
    for event in [Recovery.Event.fail, .lose] {
      recovery.note(event, at: at(10))
      recovery.note(event, at: at(10) + .milliseconds(500))
      #expect(recovery.due == at(11))
    }
  }

  @Test("a try before its time that fails in another way doesn't postpone the retry either")
  func earlyFailure() {
    var recovery = Recovery(in: .opening)
    recovery.note(.lose, at: at(10))
    recovery.note(.fail, at: at(10) + .milliseconds(500))
    #expect(recovery.phase == .failing && recovery.due == at(11))
    #expect(pauses(2, &recovery, .fail) == [2, 4])
  }

  @Test("an announcement is followed by an immediate try, and that by the shortest pauses; a refusal by the longest")
  func announced() {
    var recovery = Recovery(in: .opening)
    _ = pauses(7, &recovery)
    recovery.note(.announce, at: at(200))
    #expect(recovery.due == at(200))
    #expect(pauses(3, &recovery) == [1, 2, 4])
    #expect(pauses(2, &recovery, .refuse) == [60, 60])
    recovery.note(.succeed, at: at(1000))
    recovery.note(.announce, at: at(1001))
    #expect(recovery.phase == .open && recovery.due == nil)
  }

  @Test("hardware that is lost within 60 s after its return keeps its pauses", arguments: [(59, 8), (60, 1)])
  func unstable(secondsThere: Int, pause: Int) throws {
    var recovery = Recovery(in: .opening)
    _ = pauses(3, &recovery)
    recovery.note(.succeed, at: at(100))
    recovery.note(.fail, at: at(101))
    #expect(recovery.due == at(102))
    recovery.note(.succeed, at: at(102))
    let end = at(100 + secondsThere)
    recovery.note(.lose, at: end)
    #expect(recovery.due == end + .seconds(pause))
    recovery.note(.announce, at: end)
    #expect(pauses(1, &recovery) == [pause == 8 ? 16 : 1])
  }

  @Test("hardware that was not needed for a while begins with the shortest pause")
  func closed() {
    var recovery = Recovery(in: .opening)
    _ = pauses(7, &recovery)
    recovery.note(.succeed, at: at(200))
    recovery.note(.end, at: at(201))
    #expect(recovery.due == nil)
    recovery.note(.begin, at: at(202))
    #expect(recovery.due == at(202))
    #expect(pauses(2, &recovery) == [1, 2])
  }

  @Test("hardware that has not shown that it works keeps its pauses while it is not needed")
  func closedWithoutProof() {
    var recovery = Recovery(in: .opening)
    _ = pauses(3, &recovery)
    recovery.note(.succeed, at: at(100))
    recovery.note(.end, at: at(105), keepsPauses: true)
    #expect(recovery.due == nil)
    recovery.note(.begin, at: at(120))
    recovery.note(.succeed, at: at(120))
    recovery.note(.lose, at: at(121))
    #expect(recovery.due == at(129))
  }

  /// The same number each time.
  private struct Constant: RandomNumberGenerator {
    let number: UInt64
    func next() -> UInt64 { number }
  }

  @Test(
    "a spread retry has a random moment up to twice its pause, 50 ms at least and 60 s at most",
    arguments: [(.max, [2, 4, 8, 16, 32, 60, 60]), (0, [0.05, 0.05, 0.05])] as [(UInt64, [Double])])
  func spread(number: UInt64, seconds: [Double]) {
    var recovery = Recovery(in: .opening)
    var chance: any RandomNumberGenerator = Constant(number: number)
    let waits = seconds.map { _ -> Double in
      let now = recovery.due!
      recovery.note(.lose, at: now)
      recovery.spread(from: now, by: &chance)
      return (((recovery.due! - now) / .milliseconds(1)).rounded() / 1000)
    }
    #expect(waits == seconds)
  }
}

@Suite("TroubleReporter")
struct TroubleReporterTests {
  private static func error(_ kind: DriverError.Kind, _ reason: String = "it is away") -> DriverError {
    DriverError(kind, cannot: "open it", reason: reason, remedy: "Wait.")
  }

  private func reports(of troubles: [Trouble?], reportsReasons: Bool = false) -> [Trouble] {
    var reporter = TroubleReporter(reportsReasons: reportsReasons)
    var reports: [Trouble] = []
    for trouble in troubles { reporter.note(trouble) { reports.append($0) } }
    return reports
  }

  @Test("each change is reported once, and a loss is restored before a failure is reported")
  func once() {
    let (lost, failed) = (Trouble.lost(Self.error(.lost)), Trouble.failed(Self.error(.failed)))
    #expect(reports(of: [nil, lost, lost, nil, nil, failed, failed, nil]) == [lost, .restored, failed, .restored])
    #expect(reports(of: [lost, failed, lost, nil]) == [lost, .restored, failed, lost, .restored])
  }

  @Test("a loss with another text is reported only if its kind has changed, or if reasons are reported")
  func texts() {
    let losses = [Self.error(.absent), Self.error(.absent, "no route"), Self.error(.busy)].map(Trouble.lost)
    #expect(reports(of: losses) == [losses[0], losses[2]])
    #expect(reports(of: losses, reportsReasons: true) == losses)
  }

  /// A driver whose hardware's state the test sets.
  private final class Switchable: Driver, ReturnWatch {
    var error: DriverError?
    var watchError: DriverError?
    private(set) var log: [String] = []
    private var reporter = TroubleReporter()
    private var context: DriverContext<Never>!
    var safeModel: Int { 0 }
    func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) { self.context = context }
    func render(_ model: Int, replacing previous: Int?) throws(DriverError) {}
    func wake(_ wake: Wake) throws(DriverError) {
      let watchError = watchError
      var reporter = reporter
      reporter.note(error.map(Trouble.lost), in: context) { _ throws(DriverError) in
        self.log.append("watch")
        if let watchError { throw watchError }
        return self
      }
      self.reporter = reporter
    }
    func stop() { reporter.end() }
    func acknowledge() -> Bool { true }
    func release() { log.append("release") }
    func set(_ error: DriverError?) {
      self.error = error
      context.watcher.makeWaker().wake()
    }
  }

  @Test("one watch lasts for each loss; one that can't begin is reported")
  func watch() throws {
    let driver = Switchable()
    let cycle = Cycle(seed: TroubleLawsTests.Frame()) {
      Lens(driver, show: { _ in 1 }, trouble: { frame, trouble in frame.troubles.append(trouble) })
    }
    try cycle.start(on: VirtualLoop())
    for error in [Self.error(.lost), Self.error(.absent), nil] {
      driver.set(error)
      try cycle.settle()
    }
    #expect(driver.log == ["watch", "release"])
    driver.watchError = Self.error(.failed, "no descriptors are left")
    driver.set(Self.error(.lost))
    try cycle.settle()
    #expect(cycle.frame.troubles.suffix(2) == [.lost(Self.error(.lost)), .failed(driver.watchError!)])
    driver.set(nil)
    driver.watchError = nil
    try cycle.settle()
    driver.set(Self.error(.lost))
    try cycle.settle()
    cycle.stop()
    #expect(driver.log == ["watch", "release", "watch", "watch", "release"])
  }
}
