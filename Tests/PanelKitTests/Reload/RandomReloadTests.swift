import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

/// A panel by chance, of few names and lines, so that two of them have much in common: some lines change their use,
/// some states their place, some values their range.
private struct RandomPanel {
  let text: String

  init(_ random: inout SeededGenerator) {
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    var lines = (1...14).shuffled(using: &random).map { "GPIO\($0)" }
    // Most devices are where they are in most panels.
    func line(_ usual: Int) -> String {
      let name = "GPIO\(usual)"
      let place = lines.firstIndex(of: name).flatMap { pick(0...4) > 0 ? $0 : nil } ?? 0
      return lines.remove(at: place)
    }
    var inputs = ["b0: { button: \(line(1)), debounce: \(pick(0...1) * 5)ms, hold: 300ms }"]
    if pick(0...2) > 0 { inputs.append("b1: { button: \(line(2)), debounce: 5ms }") }
    let hasSwitch = pick(0...2) > 0
    if hasSwitch { inputs.append("m: { switch: \(line(3)), debounce: 5ms }") }
    if pick(0...2) == 0 { inputs.append("k: { encoder: [\(line(4)), \(line(5))] }") }
    var outputs: [String] = []
    for lamp in 0...pick(0...2) {
      outputs.append("l\(lamp): { led: \(line(6 + lamp)), active: \(pick(0...3) == 0 ? "low" : "high") }")
    }
    let lamps = outputs.count
    if pick(0...1) == 0 { outputs.append("bar: { bar: [\(line(9)), \(line(10))] }") }
    let hasRelay = pick(0...1) == 0
    if hasRelay { outputs.append("lock: { relay: \(line(11)), active: low }") }
    let most = pick(2...9)
    func shows() -> String {
      var shows = ["l\(pick(0...lamps - 1)): \(["on", "off", "{ blink: 70ms }"][pick(0...2)])"]
      if hasRelay, pick(0...1) == 0 { shows.append("lock: on") }
      return shows.joined(separator: ", ")
    }
    func region(_ number: Int) -> String {
      let states = ["s0", "s1", "s2"].prefix(pick(2...3)).shuffled(using: &random)
      let described = states.enumerated().map { place, state in
        var keys = number == 0 ? ["show: { \(shows()) }"] : []
        keys.append("on: { b0.\(number == 0 ? "pressed" : "released"): \(states[(place + 1) % states.count]) }")
        if pick(0...2) == 0 { keys.append("enter: { set: { n: +1 } }") }
        if pick(0...2) == 0 { keys.append("after: { \(pick(20...400))ms: \(states[pick(0...states.count - 1)]) }") }
        if pick(0...2) == 0 {
          keys.append("every: { \(pick(20...90))ms: { set: { n: \(["+1", "0"][pick(0...1)]) } } }")
        }
        return "      \(state): { \(keys.joined(separator: ", ")) }"
      }
      return "  r\(number):\n    initial: \(states[0])\n    states:\n\(described.joined(separator: "\n"))"
    }
    text = """
      panel: T
      inputs: { \(inputs.joined(separator: ", ")) }
      outputs: { \(outputs.joined(separator: ", ")) }
      values: { n: { initial: \(pick(0...2)), min: 0, max: \(most) }\(pick(0...1) == 0 ? ", o: { initial: 1, min: 1, max: 3 }" : "") }
      regions:
      \((0...pick(0...1)).map(region).joined(separator: "\n"))
      """
  }
}

@Suite("Reloads by chance")
struct RandomReloadTests {
  @Test("kept lines see no edge, all lines are accounted for, and the panel knows its contacts", arguments: 0..<40)
  func pairs(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let stage = try ReloadStage(RandomPanel(&random).text)
    stage.chip.add((1...14).map { LineName("GPIO\($0)") })
    var closed: Set<LineName> = []
    for round in 0..<8 {
      try act(on: stage, &closed, &random)
      let text = RandomPanel(&random).text
      try reload(stage, to: text, "seed \(seed), round \(round):\n\(text)")
    }
    // Whoever stands still is known to stand still.
    try stage.session.bench.advance(by: .seconds(1))
    for (input, definition) in stage.session.panel.inputs.enumerated() where !definition.device.positions.isEmpty {
      let isClosed = stage.chip.line(LineName(definition.device.lines[0])).level == .low
      #expect(stage.session.frame[position: input] == (isClosed ? 1 : 0), "seed \(seed): \(definition.name)")
    }
    #expect(stage.session.application.reportCounts.lostEdges == 0, "seed \(seed)")
    #expect(stage.session.frame.troubles.isEmpty, "seed \(seed): \(stage.session.frame.troubles)")
  }

  /// Moves contacts and lets time pass; it may end while one bounces or the kernel still debounces it.
  private func act(
    on stage: ReloadStage, _ closed: inout Set<LineName>, _ random: inout SeededGenerator
  ) throws {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let inputs = stage.session.panel.inputs.filter { !$0.device.positions.isEmpty }
      let input = inputs.randomElement(using: &random)!
      let line = stage.chip.line(LineName(input.device.lines[0]))
      line.drive(closed.contains(line.name) ? nil : .low)
      closed.formSymmetricDifference([line.name])
      if Int.random(in: 0...3, using: &random) == 0 { continue }
      try stage.session.bench.advance(by: .milliseconds(Int.random(in: 1...120, using: &random)))
    }
  }

  private func reload(_ stage: ReloadStage, to text: String, _ comment: String) throws {
    let session = stage.session
    let (old, before, moment) = (session.panel, session.frame, session.now)
    let levels = stage.chip.lines.map { ($0.level, $0.changes.count + $0.forgottenChanges) }
    let heldBefore = Set(stage.chip.lines.filter { $0.consumer != nil }.map(\.name.description))
    let report = try stage.reload(text)
    let panel = session.panel
    #expect(session.now == moment, "\(comment)")
    // All lines of the file are held. Of others those that were held before, with lines of the same requests.
    let wanted = Set(panel.lines(on: nil))
    let held = Set(stage.chip.lines.filter { $0.consumer != nil }.map(\.name.description))
    #expect(held.isSuperset(of: wanted) && heldBefore.isSuperset(of: held.subtracting(wanted)), "\(comment)")
    for name in old.lines(on: nil) where !wanted.contains(name) {
      #expect(report.contains("line \(name) \(held.contains(name) ? "unused" : "released")"), "\(comment)")
    }
    // What happens at the same moment, as a deadline that is due or a contact that isn't debounced, may change a line
    // once more.
    let isQuiet = session.application.cycle.accounts.allSatisfy { $0.delivered == 0 }
    for (line, (level, count)) in zip(stage.chip.lines, levels) where isQuiet {
      guard report.contains("line \(line.name) kept") else { continue }
      let edges = line.changes.count + line.forgottenChanges - count
      #expect(edges == (line.level == level ? 0 : 1), "\(line.name): \(comment)")
    }
    // What is the same in both files is kept.
    for output in panel.outputs where old.outputs.contains(where: { $0.device.isEqual(to: output.device) }) {
      for line in output.device.lines { #expect(report.contains("line \(line) kept"), "\(line): \(comment)") }
    }
    for value in panel.values.indices {
      let range = panel.values[value].min...panel.values[value].max
      #expect(range.contains(session.frame[value: value]), "\(comment)")
    }
    for region in panel.regions.indices {
      let state = session.frame[state: region]
      #expect(panel.regions[region].states.contains(state), "\(comment)")
      guard isQuiet else { continue }
      let name = panel.states[state].name
      let other = old.regions.firstIndex { $0.name == panel.regions[region].name }
      let last = other.map { old.states[before[state: $0]].name }
      let stays = last.map { name in panel.regions[region].states.contains { panel.states[$0].name == name } } ?? false
      #expect(name == (stays ? last : panel.states[panel.regions[region].initial].name), "\(comment)")
    }
  }
}
