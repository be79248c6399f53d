import CycleCore
import Glibc
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

/// Damaged files and random expressions: reading them ends, and says what is wrong and where.
///
/// `make fuzz` builds this with optimisation and tries two million; FUZZ_COUNT says how many, FUZZ_SEED which, and
/// FUZZ_SECONDS how long a processor may work for one file: an emulated one is slow.
@Suite("Two million wrong files", .serialized)
struct FuzzTests {
  private static let count = setting("FUZZ_COUNT") ?? 4_000
  private static let seed = UInt64(setting("FUZZ_SEED") ?? 1)

  private static func setting(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  /// What the files of the language are made of.
  private static let pieces = """
    panel: chip: inputs: outputs: sounds: values: audio: on: every: untouched: when: show: initial: states: regions: safe: interlocks:
    never: reach: button: buttons: switch: encoder: chord: within: sensor: w1: iio: hwmon: file: channel: led: leds: bar: relay: tone:
    tones: files: for: loop: volume: list: min: max: decimals: words: hold: debounce: pull: active: enter: exit: play: set: go: resume: if:
    after: done: final: only: as: blink: pulse: level: relays: pause: shown-by: elapsed random append state state.a lost there gpio audio
    and or not == != < <= > >= + - * / mod min( max( abs( ) ( , .. . | '12' 0 1 -1 28.5 3s 250ms 1s..4s 440Hz GPIO1 gpiochip0:1 n q air
    pad pad(2) pad(9) song(at) code.count a.pressed pad.pressed x y on off true false [ ] { } : - # " ' & * ! % é \u{0} \u{7} \u{FEFF} \u{2028}
    at: between: days: clock clock.weekday clock.day clock.month sunrise sunset sunset-30m sunrise+1h late: 2h each each: 1..3
    "06:30" 06:30 6:30 25:00 00:00 23:59 22:00..06:00 sunset..sunrise mon sat sun mon..fri latitude: longitude: zone: trust:
    else: texts: filled: smooth: median: mean: deadband: changed power: restart unit: keep: { within: 0s } if-lost: keep
    unknown report-start: rest: closed open repeat: repeated triple-clicked from: to: fade: relays: code: keys: known: other
    accept: mqtt: osc: publish: event: {n:02} {air:4.1} {t:.1} {clock} {days(n)} lamp(each) state.lamp(2) lamp.count(lit)
    g w f(1) f(n) -0.5 20.55 °C UTC machine
    """.split { $0 == " " || $0 == "\n" }.map { Array($0.utf8) }

  /// The files below a folder whose names end so, in the order of their paths.
  private static func files(below folder: String, _ suffix: String) -> [String] {
    names(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name in
      let path = "\(folder)/\(name)"
      return name.hasSuffix(suffix) ? [path] : files(below: path, suffix)
    }
  }

  private static func files(_ suffix: String) -> [[UInt8]] {
    (Self.files(below: checkoutRoot + "/Examples", suffix) + Self.files(below: Fixture.wrongFiles, suffix))
      .compactMap { bytes(of: $0) }
      .filter { $0.count < 8192 }
  }

  private static func damage(_ file: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = file
    for _ in 0...Int.random(in: 0..<5, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.insert(contentsOf: piece, at: place)
      case 1: bytes.insert(contentsOf: [0x20] + piece + [0x20], at: place)
      case 2:
        let end = min(bytes.count, place + Int.random(in: 0..<12, using: &random))
        bytes.replaceSubrange(place..<end, with: piece)
      case 3:
        let end = min(bytes.count, place + Int.random(in: 0..<40, using: &random))
        let copied = bytes[place..<end]
        bytes.insert(contentsOf: copied, at: Int.random(in: 0...bytes.count, using: &random))
      case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0..<40, using: &random)))
      default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      }
    }
    return bytes
  }

  /// Each problem has a place in the file and a text, and none is told twice at one place.
  private func check(_ problems: Problems, _ bytes: [UInt8], _ seed: UInt64) {
    // YAML ends lines at a carriage return, U+0085, U+2028 and U+2029 as well: their last bytes.
    // What is missing at the end is told on the line after the last one.
    let lineCount = bytes.count { [0x0A, 0x0D, 0x85, 0xA8, 0xA9].contains($0) } + 2
    let areGood = problems.list.allSatisfy {
      $0.line >= 1 && $0.line <= lineCount && $0.column >= 1 && $0.column <= bytes.count + 1 && !$0.text.isEmpty
    }
    #expect(areGood && !problems.list.isEmpty, "seed \(seed): \(problems.lines)")
  }

  private static let slowest = Duration.seconds(setting("FUZZ_SECONDS") ?? 2)

  /// How long a processor has worked for this thread, however busy the machine is.
  private static var usedTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test("damaged panel files end in problems with a place, or in a panel")
  func panels() {
    let files = Self.files(".panel.yaml")
    #expect(files.count > 50)
    for number in 0..<UInt64(Self.count) {
      let seed = Self.seed &* 1_000_003 &+ number
      var random = SeededGenerator(seed: seed)
      let bytes = Self.damage(files[Int.random(in: 0..<files.count, using: &random)], &random)
      let began = Self.usedTime
      do throws(Problems) {
        let panel = try PanelFile.read(bytes, file: "p", checkSound: { _ in nil })
        // What is read can run: its first frame has its deadlines and its outputs.
        let rules = PanelRules(panel: panel)
        let show = PanelRendering(panel: panel)
        let frame = rules.seed
        _ = (show.deadlines(in: frame), panel.outputs.indices.map { show.appearance(of: $0, in: frame) })
      } catch {
        check(error, bytes, seed)
      }
      #expect(Self.usedTime - began < Self.slowest, "seed \(seed)")
    }
  }

  /// A panel with a clock, with names that the scenarios of the examples have, too.
  private static let clock = """
    panel: Clock
    clock: { latitude: 52.52, longitude: 13.40 }
    inputs:
      key: { button: GPIO17 }
      knob: { encoder: [GPIO5, GPIO6] }
      night: { switch: { between: "22:00..06:00", days: mon..fri } }
      air: { sensor: { w1: any }, min: 0, max: 50, decimals: 1, if-lost: keep }
    outputs: { lamp: { led: GPIO23 }, screen: { display: { i2c: 0x27 } } }
    values:
      wake: { initial: "06:30", keep: true }
      goal: { initial: 20.5, min: 5, max: 30, decimals: 1, keep: true }
      minutes: { list: 3, filled: 10, min: 0, max: 60, keep: true }
    accept: { set: [goal] }
    at: { wake mon..fri: { set: { goal: +0.5 }, late: 2h } }
    on: { knob.clockwise: { set: { minutes(1): +1 } } }
    show: { screen: "{clock} {goal:4.1}" }
    initial: waiting
    resume: [lit]
    states:
      waiting: { on: { key.pressed: lit }, at: { sunset-30m: lit } }
      lit:
        show: { lamp: on }
        on: { key.held: { power: off } }
        when: { night == off and elapsed > 5m and air < goal: waiting }

    """
  private static let clockScenario = """
    scenario: A night
    cases: [ { from: "2026-11-25 21:59:30", begins: on }, { from: unknown, begins: off } ]
    start: { clock: $from, zone: UTC, air: 20.5, wake: "07:00", goal: 21.5, minutes: [ 1, 2, 3 ], state: lit }
    steps:
      - expect: { night: off, clock: "21:59", lamp: $begins, state: lit }
      - wait: { until: clock == 22:00, at-most: 1m }
      - clock: "2026-11-26 06:59:59"
      - power-cut: 2h
      - unplug: clock
      - expect: { clock: unknown, goal: 21..22, minutes: [ 1, 2, 3 ] }
      - plug: clock
      - remote: { goal: +0.5 }
      - sense: { air: 19.5 }
      - hold: { key: 1s }
      - expect: { power: off }

    """

  @Test("damaged scenario files end in problems with a place, or in a scenario")
  func scenarios() throws {
    let panels = try [Fixture.doorbell(), PanelFile.read(Array(Self.clock.utf8), file: "p")]
    let files = Self.files(".scenario.yaml")
    let own = Array(Self.clockScenario.utf8)
    _ = try ScenarioFile.read(own, file: "p", for: panels[1])
    for number in 0..<UInt64(Self.count / 4) {
      let seed = Self.seed &* 1_000_003 &+ number
      var random = SeededGenerator(seed: seed)
      let panel = panels[Int.random(in: panels.indices, using: &random)]
      let isOwn = Int.random(in: 0..<4, using: &random) == 0
      let file = isOwn ? own : files[Int.random(in: 0..<files.count, using: &random)]
      let bytes = Self.damage(file, &random)
      let began = Self.usedTime
      do throws(Problems) { _ = try ScenarioFile.read(bytes, file: "p", for: panel) } catch {
        check(error, bytes, seed)
      }
      #expect(Self.usedTime - began < Self.slowest, "seed \(seed)")
    }
  }

  /// The texts around a random expression: before it, and after it.
  private static let places: [(before: String, after: String)] = [
    ("go: x, if: \"", "\""), ("set: { n: \"", "\" }"), ("set: { g: \"", "\" }"), ("set: { w: \"", "\" }"),
    ("set: { t: \"", "\" }"), ("set: { f(n): \"", "\" }"),
  ]

  @Test("expressions of random words end in problems with a place, or in a condition or a number")
  func expressions() throws {
    let head = """
      panel: P
      inputs:
        a: { button: GPIO1 }
        air: { sensor: { w1: any }, min: 0, max: 50, decimals: 1 }
        pad: { buttons: [GPIO2, GPIO3] }
      values:
        n: { initial: 0, min: 0, max: 9 }
        t: { initial: 0s, min: 0s, max: 9s }
        q: { list: 3, min: 1, max: 4 }
        g: { initial: 20.5, min: 5, max: 30, decimals: 1 }
        w: { initial: "06:30" }
        f: { list: 2, filled: 0.5, min: 0, max: 1, decimals: 2 }
      regions:
        lamp:
          each: 1..2
          initial: dark
          states: { dark: { on: { pad(each).pressed: lit } }, lit: { after: { 1s: dark } } }
        main:
          initial: x
          states:
            x: { on: { a.pressed: y } }
            y: { after: { 9s: x }, on: { a.pressed: {
      """
    let words =
      Self.pieces.filter { !$0.contains(0x22) && !$0.contains(0) && !$0.contains(0x5C) }
      + ["t", "q", "air", "g", "w", "f(1)", "clock", "state.main"].map { Array($0.utf8) }
    for number in 0..<UInt64(Self.count / 2) {
      let seed = Self.seed &* 1_000_003 &+ number
      var random = SeededGenerator(seed: seed)
      let place = Self.places[Int.random(in: Self.places.indices, using: &random)]
      var bytes = Array("\(head) \(place.before)".utf8)
      for _ in 0...Int.random(in: 0..<12, using: &random) {
        bytes += words[Int.random(in: 0..<words.count, using: &random)]
        if Bool.random(using: &random) { bytes.append(0x20) }
      }
      bytes += Array("\(place.after) } } }\n".utf8)
      do throws(Problems) {
        let rules = PanelRules(panel: try PanelFile.read(bytes, file: "p"))
        // An expression without an error can be computed.
        var frame = rules.seed
        for second in 1...3 { rules.react(to: .input(0, 0), at: .zero + .seconds(second), in: &frame) }
      } catch {
        check(error, bytes, seed)
      }
    }
  }
}
