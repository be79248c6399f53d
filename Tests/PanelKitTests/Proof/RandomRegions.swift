import CycleCore
import HardwareSimulation

/// A random panel with two or three regions, values that they share, transitions of the top level, and perhaps a value
/// with many numbers that a remote command sets.
struct RandomRegions {
  let text: String

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func one(_ words: [String]) -> String { words[pick(0...words.count - 1)] }
    let regions = Array(["p", "q", "r"].prefix(pick(2...3)))
    let isSettable = pick(0...2) == 0
    let events = ["k.pressed", "j.pressed", "s.on", "s.off"]
    func state(of region: String) -> String { "\(region)\(pick(1...2))" }

    func condition() -> String {
      switch pick(0...5) {
      case 0: return "n \(one(["==", "<", ">="])) \(pick(0...2))"
      case 1: return "m \(one(["==", "<", ">"])) \(one(["0", "12", "13", "24"]))"
      case 2: return "s == \(one(["on", "off"]))"
      case 3: return "lamp == \(one(["on", "off"]))"
      default:
        let region = one(regions)
        return "state.\(region) == \(state(of: region))"
      }
    }
    // A condition of a transition can't ask for an output.
    func guardText() -> String {
      var text = condition()
      while text.hasPrefix("lamp") { text = condition() }
      return text
    }
    func change() -> String {
      pick(0...1) == 0
        ? "n: \(one(["+1", "-1", "0"]))" : "m: \(one(["+1", "-1", "+7", "12", "random 0..24"]))"
    }
    func transition(in region: String) -> String {
      var parts: [String] = []
      if pick(0...2) > 0 { parts.append("go: \(state(of: region))") }
      if parts.isEmpty || pick(0...2) == 0 { parts.append("set: { \(change()) }") }
      if pick(0...1) == 0 { parts.append("if: \(guardText())") }
      return "{ \(parts.joined(separator: ", ")) }"
    }
    func stateText(_ number: Int, of region: String) -> String {
      var keys: [String] = []
      var reactions = number == 1 ? ["\(one(events)): \(region)2"] : []
      for event in events where pick(0...3) == 0 && !reactions.contains(where: { $0.hasPrefix(event) }) {
        reactions.append("\(event): \(transition(in: region))")
      }
      if !reactions.isEmpty { keys.append("on: { \(reactions.joined(separator: ", ")) }") }
      if pick(0...3) == 0 { keys.append("after: { \(pick(1...3))s: \(transition(in: region)) }") }
      if pick(0...5) == 0 { keys.append("when: { \(guardText()): \(state(of: region)) }") }
      if number == 2, region == "p" { keys.append("show: { lamp: on }") }
      return "\(region)\(number): { \(keys.joined(separator: ", ")) }"
    }
    var top: [String] = []
    for event in events where pick(0...3) == 0 {
      switch pick(0...2) {
      case 0: top.append("\(event): { set: { \(change()) } }")
      case 1: top.append("\(event): { set: { \(change()) }, if: \(guardText()) }")
      default:
        let region = one(regions)
        top.append("\(event): { go: \(region)1, if: \(guardText()) }")
      }
    }
    let body = regions.map { region in
      "  \(region): { initial: \(region)1, states: { \(stateText(1, of: region)), \(stateText(2, of: region)) } }"
    }
    let property = "\(condition()) and \(condition())"
    text = """
      panel: T
      inputs: { k: { button: GPIO5 }, j: { button: GPIO6 }, s: { switch: GPIO7 } }
      outputs: { lamp: { led: GPIO23 } }
      values: { n: { initial: 0, min: 0, max: 2 }, m: { initial: 0, min: 0, max: 24 } }
      \(isSettable ? "accept: { set: [ m ] }" : "safe: { lamp: off }")
      never: { bad: \(property) }
      reach: [ \(one(regions))2 ]
      \(top.isEmpty ? "" : "on: { \(top.joined(separator: ", ")) }")
      regions:
      \(body.joined(separator: "\n"))

      """
  }
}
