import CycleCore
import HardwareSimulation

/// A random panel with two or three regions, values that they share, and transitions of the top level. It may have a
/// sensor that is unknown at the start, a list of elements, a repeated region, a value with decimals, a lamp whose look
/// depends on conditions, and a value with many numbers that a remote command sets. One to three conditions must never
/// hold.
struct RandomRegions {
  let text: String

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func one(_ words: [String]) -> String { words[pick(0...words.count - 1)] }
    let hasSensor = pick(0...2) == 0
    let hasList = pick(0...2) == 0
    let hasDecimals = pick(0...1) == 0
    let hasEach = pick(0...2) == 0
    let hasLook = pick(0...1) == 0
    let hasSecond = pick(0...1) == 0
    let isSettable = !hasSensor && pick(0...2) == 0
    let regions = Array(["p", "q", "r"].prefix(hasEach ? 2 : pick(2...3)))
    let events = ["k.pressed"] + (hasSecond ? ["j.pressed"] : []) + ["s.on", "s.off"]
    func state(of region: String) -> String { "\(region)\(pick(1...2))" }

    func condition() -> String {
      switch pick(0...8) {
      case 0: return "n \(one(["==", "<", ">="])) \(pick(0...2))"
      case 1:
        let numbers = hasDecimals ? ["0", "0.5", "1", "1.5"] : ["0", "12", "13", "24"]
        return "m \(one(["==", "<", ">"])) \(one(numbers))"
      case 2: return "s == \(one(["on", "off", "unknown"]))"
      case 3: return "lamp == \(one(["on", "off"]))"
      case 4 where hasSensor: return one(["air < 1", "air > 1", "air < 2", "air == unknown", "air == lost"])
      case 5 where hasList: return "v(\(pick(1...2))) \(one(["==", ">"])) \(pick(0...1))"
      case 6 where hasEach:
        return pick(0...1) == 0
          ? "state.z(\(pick(1...2))) == z\(pick(1...2))" : "z.count(z2) \(one(["==", ">="])) \(pick(1...2))"
      default:
        let region = one(regions)
        return "state.\(region) == \(state(of: region))"
      }
    }
    // A condition of a transition or a look can't ask for an output.
    func guardText() -> String {
      var text = condition()
      while text.hasPrefix("lamp") { text = condition() }
      return text
    }
    func change() -> String {
      switch pick(0...4) {
      case 0 where hasList: return "v(\(one(["1", "2", "n"]))): \(one(["+1", "-1", "0"]))"
      case 1 where hasSensor: return "n: air"
      case 0...2: return "n: \(one(["+1", "-1", "0"]))"
      default:
        let changes = hasDecimals ? ["+0.5", "-0.5", "1", "random 0..2"] : ["+1", "-1", "+7", "12", "random 0..24"]
        return "m: \(one(changes))"
      }
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
      for event in events + (hasSensor ? ["air.lost"] : [])
      where pick(0...3) == 0 && !reactions.contains(where: { $0.hasPrefix(event) }) {
        reactions.append("\(event): \(transition(in: region))")
      }
      if !reactions.isEmpty { keys.append("on: { \(reactions.joined(separator: ", ")) }") }
      if pick(0...3) == 0 { keys.append("after: { \(pick(1...3))s: \(transition(in: region)) }") }
      if pick(0...5) == 0 { keys.append("when: { \(guardText()): \(state(of: region)) }") }
      if number == 2, region == "p", !hasLook { keys.append("show: { lamp: on }") }
      return "\(region)\(number): { \(keys.joined(separator: ", ")) }"
    }
    // Two regions that are alike, with a key and a lamp for each.
    func repeatedRegion() -> String {
      let guarded = pick(0...1) == 0 ? ", if: \(guardText())" : ""
      let timed = pick(0...1) == 0 ? ", after: { \(pick(1...2))s: z1 }" : ""
      let dark = "z1: { on: { keys(each).pressed: { go: z2\(guarded) } } }"
      let lit = "z2: { show: { lamps(each): on }, on: { keys(each).pressed | s.on: z1 }\(timed) }"
      return "  z: { each: 1..2, initial: z1, states: { \(dark), \(lit) } }"
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
    var body = regions.map { region in
      "  \(region): { initial: \(region)1, states: { \(stateText(1, of: region)), \(stateText(2, of: region)) } }"
    }
    if hasEach { body.append(repeatedRegion()) }
    var nevers: [String] = []
    for number in 1...pick(1...3) {
      var conditions: [String] = []
      for _ in 1...pick(2...4) { conditions.append(condition()) }
      nevers.append("bad\(number): \(conditions.joined(separator: " and "))")
    }

    var inputs = ["k: { button: GPIO5 }"] + (hasSecond ? ["j: { button: GPIO6 }"] : []) + ["s: { switch: GPIO7 }"]
    if hasSensor {
      let more = one(["", ", if-lost: max", ", initial: 0"])
      inputs.append("air: { sensor: { file: /run/air }, min: 0, max: 2\(more) }")
    }
    if hasEach { inputs.append("keys: { buttons: [GPIO8, GPIO9] }") }
    let outputs = ["lamp: { led: GPIO23 }"] + (hasEach ? ["lamps: { leds: [GPIO24, GPIO25] }"] : [])
    let number = hasDecimals ? "initial: 0.5, min: 0, max: 2, decimals: 1" : "initial: 0, min: 0, max: 24"
    var values = ["n: { initial: 0, min: 0, max: 2 }", "m: { \(number) }"]
    if hasList { values.append("v: { list: 2, filled: \(one(["0", "1", "[0, 1]"])), min: 0, max: 1 }") }
    var lines = ["panel: T"]
    lines.append("inputs: { \(inputs.joined(separator: ", ")) }")
    lines.append("outputs: { \(outputs.joined(separator: ", ")) }")
    lines.append("values: { \(values.joined(separator: ", ")) }")
    lines.append(isSettable ? "accept: { set: [ m ] }" : "safe: { lamp: off }")
    lines.append("never: { \(nevers.joined(separator: ", ")) }")
    lines.append("reach: [ \(one(regions))2 ]")
    if hasLook {
      lines.append("show: { lamp: { when: { \(guardText()): on, \(guardText()): { blink: 1s }, else: off } } }")
    }
    if !top.isEmpty { lines.append("on: { \(top.joined(separator: ", ")) }") }
    lines += ["regions:"] + body
    text = lines.joined(separator: "\n") + "\n"
  }
}
