import CycleCore
import HardwareSimulation

/// A small panel by chance: one or two contacts, perhaps a switch that follows from them, two or three states, one
/// value, which may have decimals, perhaps a list of two elements, perhaps a repeated region beside the states, perhaps
/// times of day, deadlines of a few milliseconds.
struct RandomChart {
  /// The minutes of the day to which the clock is set: one before, one in and one after the night.
  static let minutes = [0, 120, 180]

  let text: String
  /// The debounce time of its contacts, in milliseconds.
  let debounce: Int
  let states: [String]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let hasDecimals = pick(0...3) == 0
    let hasList = pick(0...3) == 0
    let hasEach = !hasDecimals && pick(0...3) == 0
    let numbers = hasDecimals ? ["0", "0.5", "1"] : ["0", "1", "2"]
    let debounce = pick(0...2) == 0 ? pick(1...2) : 0
    let states = Array(["a", "b", "c"].prefix(pick(2...3)))
    let hasSwitch = pick(0...1) == 1
    var inputs = ["k: { button: GPIO5, debounce: \(debounce)ms }"]
    if hasSwitch { inputs.append("s: { switch: GPIO6, debounce: \(debounce)ms }") }
    var events = ["k.pressed"] + (pick(0...2) == 0 ? ["k.released"] : []) + (hasSwitch ? ["s.on", "s.off"] : [])
    let hasFollower = pick(0...2) == 0
    if hasFollower {
      let off = pick(0...1) == 0 ? ", off: k == released" : ""
      let on = hasSwitch ? "k == pressed \(pick(0...1) == 0 ? "and" : "or") s == on" : "k == pressed"
      inputs.append("w: { switch: { on: \(on)\(off) }, debounce: \(pick(0...3))ms }")
      events += ["w.on", "w.off"]
    }
    // The night is from 02:00 up to 03:00. A time of day in it, and one outside.
    let hasNight = !hasDecimals && !hasList && pick(0...3) == 0
    if hasNight { inputs.append("night: { switch: { between: \"02:00..03:00\" } }") }

    func condition() -> String {
      if hasNight, pick(0...2) == 0 {
        return ["night == on", "night == off", "night == unknown", "clock == unknown", "clock >= 03:00"][pick(0...4)]
      }
      if hasFollower, pick(0...3) == 0 { return "w == \(pick(0...1) == 0 ? "on" : "off")" }
      if hasEach, pick(0...2) == 0 {
        return pick(0...1) == 0 ? "state.z(\(pick(1...2))) == lit" : "z.count(lit) \(pick(0...1) == 0 ? "==" : "<") 2"
      }
      if hasList, pick(0...2) == 0 {
        // An element that the list does not have is 0.
        return "v(\(hasDecimals || pick(0...1) == 0 ? "\(pick(1...2))" : "n")) == \(pick(0...1))"
      }
      return switch pick(0...(hasSwitch ? 2 : 1)) {
      case 0: "n \(["==", "<", ">="][pick(0...2)]) \(numbers[pick(0...2)])"
      case 1: "n != \(numbers[pick(0...2)])"
      default: "s == \(pick(0...1) == 0 ? "on" : "off")"
      }
    }
    func change() -> String {
      let step = hasDecimals ? "0.5" : "1"
      guard hasList, pick(0...1) == 0 else { return "n: \(["+\(step)", "-\(step)", "0"][pick(0...2)])" }
      let place = hasDecimals || pick(0...1) == 0 ? "\(pick(1...2))" : "n"
      return "v(\(place)): \(["+1", "-1", "0"][pick(0...2)])"
    }
    func transition(last: Bool = true) -> String {
      var parts: [String] = []
      if pick(0...2) > 0 { parts.append("go: \(states[pick(0...states.count - 1)])") }
      if parts.isEmpty || pick(0...2) == 0 { parts.append("set: { \(change()) }") }
      if !last || pick(0...2) == 0 { parts.append("if: \(condition())") }
      return "{ \(parts.joined(separator: ", ")) }"
    }
    func transitions() -> String {
      pick(0...2) == 0 ? "[ \(transition(last: false)), \(transition()) ]" : transition()
    }
    func state(_ place: Int) -> String {
      var keys: [String] = []
      // Each state can be reached from the one before it.
      var reactions = place + 1 < states.count ? ["k.pressed: \(states[place + 1])"] : []
      for event in events.dropFirst(reactions.count) where pick(0...2) == 0 {
        reactions.append("\(event): \(transitions())")
      }
      if !reactions.isEmpty { keys.append("on: { \(reactions.joined(separator: ", ")) }") }
      var delays: [Int] = []
      for _ in 0..<pick(0...2) { delays.append(pick(1...5)) }
      let deadlines = Set(delays).sorted().map { "\($0)ms: \(transitions())" }
      if !deadlines.isEmpty { keys.append("after: { \(deadlines.joined(separator: ", ")) }") }
      if pick(0...4) == 0 { keys.append("every: { \(pick(1...3))ms: \(transitions()) }") }
      if hasNight, pick(0...1) == 0 { keys.append("at: { \"\(["02:30", "12:00"][pick(0...1)])\": \(transitions()) }") }
      if pick(0...3) == 0 {
        keys.append("when: { \(condition()): \(states[pick(0...states.count - 1)]) }")
      }
      return "\(states[place]): { \(keys.joined(separator: ", ")) }"
    }
    let never = "\(hasEach ? "state.main" : "state") == \(states[states.count - 1]) and \(condition())"
    let written = ["initial: a", "states:"] + states.indices.map { "  \(state($0))" }
    let lit = "lit: { show: { lamps(each): on }, after: { \(pick(1...4))ms: dark } }"
    let repeated = "dark: { on: { k.pressed: { go: lit, if: n == each } } }, \(lit)"
    let body =
      hasEach
      ? ["regions:", "  main:"] + written.map { "    \($0)" }
        + ["  z: { each: 1..2, initial: dark, states: { \(repeated) } }"] : written
    // A lamp whose look depends on conditions, and that must never be on.
    let hasLook = pick(0...3) == 0
    let look =
      "{ when: { \(condition()): { blink: 1s }, \(condition()): on, else: \(pick(0...3) == 0 ? "on" : "off") } }"
    let lamps = (hasLook ? ["l: { led: GPIO13 }"] : []) + (hasEach ? ["lamps: { leds: [GPIO20, GPIO21] }"] : [])
    let outputs =
      (lamps.isEmpty ? "" : "outputs: { \(lamps.joined(separator: ", ")) }\n")
      + (hasLook ? "show: { l: \(look) }\n" : "")
    let list = hasList ? ", v: { list: 2, filled: \(pick(0...1)), min: 0, max: 1 }" : ""
    text = """
      panel: T
      inputs: { \(inputs.joined(separator: ", ")) }
      \(outputs)values: { n: { initial: 0, min: 0, \(hasDecimals ? "max: 1, decimals: 1" : "max: 2") }\(list) }
      never: { bad: \(never)\(hasLook ? ", lit: l == on and n == \(numbers[pick(0...2)])" : "") }
      reach: [ \(states.joined(separator: ", ")) ]
      \(body.joined(separator: "\n"))

      """
    self.debounce = debounce
    self.states = states
  }
}
