import CycleCore
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwareSimulation
@testable import PanelExplore
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

@Suite("panel explore with times of day")
struct ClockExploreTests {
  private static func read(_ text: String) throws -> PanelDefinition {
    try PanelFile.read(Array(text.utf8), file: "p.panel.yaml")
  }

  private static func explore(
    _ panel: PanelDefinition, seed: UInt64 = 0
  ) throws -> RandomSearch<ExploredPanel>.Discovery {
    let subject = try ExploredPanel(panel, sounds: [], steps: 100)
    return try #require(try RandomSearch(subject, seed: seed).explore().discovery)
  }

  /// The times to which steps set the clock.
  private static func times(of steps: [Step]) -> [ClockTime] {
    steps.compactMap { (step: Step) -> ClockTime? in
      guard case .clock(let time) = step else { return nil }
      return time
    }
  }

  /// The last time to which a run sets the clock.
  private static func lastTime(of run: RunInput) -> ClockTime? {
    times(of: run.steps).last ?? run.clock
  }

  /// Explores a panel with a fault that needs the clock. Checks that the scenario shows the fault, and that nothing can
  /// be left out of it.
  private static func faulty(_ text: String, seed: UInt64 = 0) throws -> RandomSearch<ExploredPanel>.Discovery {
    let panel = try read(text)
    let discovery = try explore(panel, seed: seed)
    #expect(discovery.violation.kind == .never(0), "\(discovery.violation.text)")
    let scenario = Reproducer(panel: panel, discovery: discovery, options: .init()).text
    #expect(ScenarioCheck.result(of: scenario, on: panel) == .fails, "\(scenario)")
    #expect(scenario.contains("\nstart: { clock: \""), "\(scenario)")
    let check = RunCheck(panel: panel, sounds: [])
    for place in discovery.run.steps.indices {
      var run = discovery.run
      run.steps.remove(at: place)
      #expect(try check.run(run.repaired(for: panel)) == nil, "without step \(place + 1) of\n\(scenario)")
    }
    var unknown = discovery.run
    unknown.clock = nil
    #expect(try check.run(unknown) == nil, "without the clock of\n\(scenario)")
    return discovery
  }

  @Test("a fault at 07:00 on a Sunday is found", arguments: [0, 1, 2] as [UInt64])
  func sunday(seed: UInt64) throws {
    let discovery = try Self.faulty(
      """
      panel: Bell
      outputs: { bell: { led: GPIO5 } }
      never: { sunday: state == wrong }
      initial: waits
      states:
        waits: { at: { 07:00 mon..sat: rings, 07:00 sun: wrong } }
        rings: { show: { bell: on }, after: { 10s: waits } }
        wrong:

      """, seed: seed)
    #expect(discovery.run.steps.count <= 2, "\(discovery.run.steps)")
    #expect(Self.lastTime(of: discovery.run)?.date.weekday == 7, "\(discovery.run)")
  }

  @Test("the time of a value comes, also after the value has changed")
  func value() throws {
    let discovery = try Self.faulty(
      """
      panel: Alarm
      inputs: { knob: { encoder: [GPIO6, GPIO7] } }
      outputs: { lamp: { led: GPIO5 } }
      values: { wake: { initial: "06:30" } }
      never: { bad: state == wrong }
      on: { knob.clockwise: { set: { wake: +1m } } }
      initial: waits
      states:
        waits: { at: { wake: { go: wrong, if: wake > 06:30 } }, show: { lamp: on } }
        wrong:

      """)
    #expect(discovery.run.steps.count <= 4, "\(discovery.run.steps)")
  }

  @Test("sunset of one month comes")
  func sunset() throws {
    let discovery = try Self.faulty(
      """
      panel: Sunset
      clock: { latitude: 52.52, longitude: 13.40 }
      outputs: { lamp: { led: GPIO5 } }
      never: { bad: state == wrong }
      initial: waits
      states:
        waits: { at: { sunset+10m: { go: wrong, if: clock.month == 6 } }, show: { lamp: on } }
        wrong:

      """)
    #expect(discovery.run.steps.count <= 2, "\(discovery.run.steps)")
    #expect(Self.lastTime(of: discovery.run)?.date.parts.month == 6, "\(discovery.run)")
  }

  // MARK: - Summer time

  private static let zone = "CET-1CEST,M3.5.0,M10.5.0/3"

  @Test("a fault on the day on which summer time begins is found")
  func spring() throws {
    // 02:30 comes at 03:00 on that day only.
    let text = """
      panel: Skipped
      clock: { zone: "\(Self.zone)" }
      outputs: { lamp: { led: GPIO5 } }
      never: { early: state == wrong }
      initial: waits
      states:
        waits: { at: { 02:30: { go: wrong, if: clock >= 03:00 } }, show: { lamp: on } }
        wrong:

      """
    let discovery = try Self.faulty(text)
    #expect(discovery.run.steps.count <= 2, "\(discovery.run.steps)")
    #expect(Self.lastTime(of: discovery.run)?.date.parts.month == 3, "\(discovery.run)")
    let scenario = Reproducer(panel: try Self.read(text), discovery: discovery, options: .init()).text
    #expect(scenario.contains(", zone: \"\(Self.zone)\" }\n"), "\(scenario)")
  }

  /// The pump works for half an hour, and on the day on which summer time ends for an hour and a half.
  private static let twice = """
    panel: Twice
    clock: { zone: "\(zone)" }
    outputs: { pump: { relay: GPIO5 } }
    never: { long: state == wrong }
    initial: waits
    states:
      waits: { at: { 02:30: works } }
      works: { show: { pump: on }, at: { 03:00: waits }, after: { 40m: wrong } }
      wrong:

    """

  @Test("a fault in the hour that occurs twice is found, and the scenario shows it")
  func autumn() throws {
    let panel = try Self.read(Self.twice)
    _ = try Self.faulty(Self.twice)
    // The clock can also be set or unplugged meanwhile. This is the hour itself.
    let check = RunCheck(panel: panel, sounds: [])
    func run(on date: String) -> RunInput {
      RunInput(
        clock: ClockTime("\(date) 02:29:59"),
        steps: [.wait(.span(.seconds(1))), .wait(.span(.seconds(2400)))])
    }
    #expect(try check.run(run(on: "2026-10-24")) == nil)
    #expect(try check.run(run(on: "2026-03-29")) == nil)
    let found = try #require(try check.run(run(on: "2026-10-25")))
    #expect(found.kind == .never(0))
    let discovery = RandomSearch<ExploredPanel>.Discovery(
      violation: found, run: run(on: "2026-10-25"), number: 1, tries: 0, isInterrupted: false)
    let scenario = Reproducer(panel: panel, discovery: discovery, options: .init()).text
    #expect(
      scenario.contains("start: { clock: \"2026-10-25 02:29:59\", zone: \"\(Self.zone)\" }\n"), "\(scenario)")
    #expect(ScenarioCheck.result(of: scenario, on: panel) == .fails, "\(scenario)")
    let other = scenario.replacing("2026-10-25", with: "2026-10-24")
    #expect(ScenarioCheck.result(of: other, on: panel) == .passes, "\(other)")
  }

  // MARK: - The generator

  @Test("runs begin at midnight of any day and of those on which the zone changes, and with an unknown clock")
  func starts() throws {
    let panel = try Self.read(Self.twice)
    let generator = StepGenerator(of: panel)
    var random = SeededGenerator(seed: 1)
    let runs = (0..<400).map { _ in generator.run(of: 100, after: nil, &random) }
    #expect(runs.allSatisfy { $0.steps.count == 100 && $0.repaired(for: panel) == $0 })
    let starts = runs.compactMap(\.clock)
    #expect((50..<150).contains(runs.count - starts.count), "\(runs.count - starts.count)")
    #expect(starts.allSatisfy { $0.time == TimeOfDay(0, 0) })
    let dates = Set(starts.map { "\($0.date)" })
    #expect(dates.isSuperset(of: ["2026-03-29", "2026-10-25"]) && dates.count > 100, "\(dates.count)")
  }

  @Test("steps set the clock to just before the times of the file, unplug and plug it, and wait for the next time")
  func steps() throws {
    let panel = try Self.read(Self.twice)
    let generator = StepGenerator(of: panel)
    var random = SeededGenerator(seed: 2)
    let runs = (0..<400).map { _ in generator.run(of: 100, after: nil, &random) }
    let steps = runs.flatMap(\.steps)
    #expect(steps.contains(.unplugPort("clock")) && steps.contains(.plugPort("clock")))
    let times = Set(Self.times(of: steps).map { "\($0.time)" })
    #expect(times.isSuperset(of: ["02:29:59", "02:59:59", "03:00"]) && times.count > 100, "\(times.count)")
    // Only waits for a time of day have these lengths.
    let waits = steps.compactMap { (step: Step) -> Duration? in
      guard case .wait(.span(let span)) = step else { return nil }
      return span
    }
    #expect(waits.contains(.seconds(1)))
    #expect(waits.contains { $0 > .seconds(60) && $0 < .seconds(2390) })
    #expect(waits.allSatisfy { $0 <= .seconds(3600) })
  }

  @Test("a panel without times of day has no steps of the clock")
  func none() throws {
    let panel = try Self.read(
      """
      panel: Lamp
      inputs: { key: { button: GPIO17 } }
      outputs: { lamp: { led: GPIO23 } }
      initial: dark
      states: { dark: { on: { key.pressed: lit } }, lit: { show: { lamp: on }, on: { key.pressed: dark } } }

      """)
    var random = SeededGenerator(seed: 3)
    let run = StepGenerator(of: panel).run(of: 1000, after: nil, &random)
    #expect(run.clock == nil && Self.times(of: run.steps).isEmpty)
    #expect(!run.steps.contains(.unplugPort("clock")))
  }
}
