import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelKit

/// Random panels against an interpreter that is written otherwise: on names and dictionaries, one case at a time.
@Suite("Random statecharts")
struct RandomStatechartTests {
  /// A panel as the test itself understands it.
  struct Chart {
    struct Rule {
      var guardValue: (operation: String, constant: Int)?
      var guardState: (region: String, state: String, isEqual: Bool)?
      var target: String?
      var change: String?
    }

    struct State {
      var name: String
      var enter: String?
      var rules: [String: [Rule]] = [:]
    }

    var regions: [(name: String, states: [State])] = []
    var top: [String: [Rule]] = [:]

    static let events = ["key.pressed", "mute.on", "mute.off", "knob.clockwise", "knob.counterclockwise"]

    init(_ random: inout SeededGenerator) {
      for region in 0..<Int.random(in: 1...3, using: &random) {
        let states = (0..<Int.random(in: 2...4, using: &random)).map { "s\($0)" }
        regions.append(
          (name: "r\(region)", states: states.map { State(name: $0, enter: Self.change(&random, often: 3)) }))
      }
      for region in regions.indices {
        for state in regions[region].states.indices {
          for event in Self.events where Bool.random(using: &random) {
            regions[region].states[state].rules[event] = rules(region, &random)
          }
          // Every state can be reached from the one before it.
          if state > 0 {
            regions[region].states[state - 1].rules["key.pressed"] = [Rule(target: regions[region].states[state].name)]
          }
        }
      }
      for event in Self.events where Int.random(in: 0..<3, using: &random) == 0 { top[event] = rules(nil, &random) }
    }

    private func rules(_ region: Int?, _ random: inout SeededGenerator) -> [Rule] {
      let count = Int.random(in: 1...3, using: &random)
      return (0..<count).map { place in
        var rule = Rule()
        // Only the last one may hold always: what comes after that would never be taken.
        if place < count - 1 || Bool.random(using: &random) {
          rule.guardValue = (
            ["==", "!=", "<", "<=", ">", ">="].randomElement(using: &random)!, Int.random(in: 0...10, using: &random)
          )
        }
        if Int.random(in: 0..<4, using: &random) == 0, let other = regions.randomElement(using: &random) {
          rule.guardState = (other.name, other.states.randomElement(using: &random)!.name, Bool.random(using: &random))
        }
        if let region, Bool.random(using: &random) {
          rule.target = regions[region].states.randomElement(using: &random)!.name
        }
        rule.change = Self.change(&random, often: rule.target == nil ? 1 : 2)
        return rule
      }
    }

    private static func change(_ random: inout SeededGenerator, often: Int) -> String? {
      guard Int.random(in: 0..<often, using: &random) == 0 else { return nil }
      return ["+1", "-1", "+3", "-4", "7", "0"].randomElement(using: &random)!
    }

    var text: String {
      func reactions(_ rules: [String: [Rule]]) -> String {
        let entries = Chart.events.filter { rules[$0] != nil }.map { event in
          "\(event): [ " + rules[event]!.map(write).joined(separator: ", ") + " ]"
        }
        return "{ " + entries.joined(separator: ", ") + " }"
      }
      var text = "on: \(reactions(top))\nregions:\n"
      for region in regions {
        text += "  \(region.name):\n    initial: s0\n    states:\n"
        for state in region.states {
          let enter = state.enter.map { "enter: { set: { level: \($0) } }, " } ?? ""
          text += "      \(state.name): { \(enter)on: \(reactions(state.rules)) }\n"
        }
      }
      return text
    }

    private func write(_ rule: Rule) -> String {
      var parts: [String] = []
      var conditions: [String] = []
      if let value = rule.guardValue { conditions.append("level \(value.operation) \(value.constant)") }
      if let state = rule.guardState {
        conditions.append("state.\(state.region) \(state.isEqual ? "==" : "!=") \(state.state)")
      }
      if !conditions.isEmpty { parts.append("if: \"\(conditions.joined(separator: " and "))\"") }
      if let target = rule.target { parts.append("go: \(target)") }
      if let change = rule.change { parts.append("set: { level: \(change) }") }
      return "{ " + parts.joined(separator: ", ") + " }"
    }
  }

  /// The interpreter.
  struct Oracle {
    let chart: Chart
    var current: [String: String] = [:]
    var level = 5

    init(_ chart: Chart) {
      self.chart = chart
      for region in chart.regions {
        current[region.name] = "s0"
        set(region.states[0].enter)
      }
    }

    private mutating func set(_ change: String?) {
      guard let change else { return }
      let number = Int(change)!
      level = min(10, max(0, change.hasPrefix("+") || change.hasPrefix("-") ? level + number : number))
    }

    private func holds(_ rule: Chart.Rule) -> Bool {
      if let (operation, constant) = rule.guardValue {
        let truth: [String: Bool] = [
          "==": level == constant, "!=": level != constant, "<": level < constant, "<=": level <= constant,
          ">": level > constant, ">=": level >= constant,
        ]
        if truth[operation] == false { return false }
      }
      if let (region, state, isEqual) = rule.guardState, (current[region] == state) != isEqual { return false }
      return true
    }

    mutating func take(_ event: String) {
      var moves: [(region: String?, rule: Chart.Rule)] = []
      for region in chart.regions {
        let state = region.states.first { $0.name == current[region.name] }!
        if let rule = state.rules[event]?.first(where: holds) {
          moves.append((region.name, rule))
        } else if let rule = chart.top[event]?.first(where: holds), !moves.contains(where: { $0.region == nil }) {
          // Each region asks the top level for itself; what it answers is done once.
          moves.append((nil, rule))
        }
      }
      for (_, rule) in moves { set(rule.change) }
      for (region, rule) in moves {
        guard let region, let target = rule.target else { continue }
        current[region] = target
        set(chart.regions.first { $0.name == region }!.states.first { $0.name == target }!.enter)
      }
    }
  }

  @Test("300 random panels do what an interpreter of another make does, seeds 0 to 299")
  func random() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let chart = Chart(&random)
      let stage = try Stage(chart.text)
      var oracle = Oracle(chart)
      var isMuted = false
      for step in 0..<60 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          try stage.take("click key")
          oracle.take("key.pressed")
        case 1:
          isMuted.toggle()
          try stage.take("switch mute=\(isMuted ? "on" : "off"); wait 10ms")
          oracle.take(isMuted ? "mute.on" : "mute.off")
        case 2:
          try stage.take("turn knob=1")
          oracle.take("knob.clockwise")
        default:
          try stage.take("turn knob=-1")
          oracle.take("knob.counterclockwise")
        }
        let expected = chart.regions.map { "state.\($0.name)=\(oracle.current[$0.name]!)" }.joined(separator: " ")
        let failures = try stage.take("expect level=\(oracle.level) \(expected)")
        #expect(failures == [], "seed \(seed), step \(step)")
        if !failures.isEmpty { return }
      }
    }
  }
}
