import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation
import Terminal
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

/// A device of a panel file whose wake-ups are counted.
private struct MeasuredDevice: Sendable {
  /// The name of its page.
  let page: String
  /// A note after its name in the table; empty for the usual settings.
  var note = ""
  /// The device in a panel file, with the name `d`, and others that it needs.
  var inputs = ""
  var outputs = ""
  var chips = ""
  var sounds = ""
  /// What it shows at rest; empty for nothing.
  var first = ""
  /// What it shows in its active state; empty for an input.
  var shown = ""
  /// The steps of one event of an input; empty for an output.
  var event = ""
  /// What is counted during an event: `click`.
  var eventName = ""
  /// The limit that its code has.
  let limit: String
}

/// The table of `docs/panels/device-costs.md`: the wake-ups of each device, counted in virtual time.
@Suite("The costs of devices")
struct DeviceCostTests {
  private static let page = "\(checkoutRoot)/docs/panels/device-costs.md"

  private static let bounces = "a change counts after `debounce`, by default 5 ms"
  private static let frames = "50 changes a second"

  private static let devices = [
    MeasuredDevice(
      page: "button", inputs: "d: { button: GPIO5 }", event: "press d; wait 200ms; release d; wait 200ms",
      eventName: "click", limit: bounces),
    MeasuredDevice(
      page: "switch", inputs: "d: { switch: GPIO5 }", event: "switch d=on; wait 200ms; switch d=off; wait 200ms",
      eventName: "on and off", limit: bounces),
    MeasuredDevice(
      page: "encoder", inputs: "d: { encoder: [GPIO5, GPIO6] }", event: "turn d=1; wait 200ms",
      eventName: "detent", limit: "—"),
    MeasuredDevice(
      page: "buttons", inputs: "d: { buttons: [GPIO5, GPIO6] }",
      event: "press d(1); wait 200ms; release d(1); wait 200ms", eventName: "click", limit: bounces),
    MeasuredDevice(
      page: "keypad", inputs: "d: { keypad: { rows: [GPIO5, GPIO6], columns: [GPIO12, GPIO16] } }",
      event: "press d(1); wait 200ms; release d(1); wait 200ms", eventName: "key", limit: "64 keys"),
    MeasuredDevice(
      page: "keys", inputs: "d: { keys: [a, b], device: X }",
      event: "press d(1); wait 200ms; release d(1); wait 200ms", eventName: "key", limit: "64 keys"),
    MeasuredDevice(
      page: "code", inputs: "d: { code: { keys: X }, known: { a: 12 } }", event: "event d=a; wait 200ms",
      eventName: "code", limit: "64 characters"),
    MeasuredDevice(
      page: "selector", inputs: "d: { selector: { one: GPIO5, two: GPIO6 } }",
      event: "switch d=two; wait 200ms", eventName: "position", limit: "16 positions"),
    MeasuredDevice(
      page: "tag", inputs: "d: { tag: { mfrc522: 0.0 }, known: { a: 04A2B3C4 } }", limit: "a search every 50 ms at most"
    ),
    MeasuredDevice(
      page: "chord",
      inputs: "left: { button: GPIO5 }\n  right: { button: GPIO6 }\n  d: { chord: [left, right], within: 200ms }",
      event: "press left; press right; wait 200ms; release left; release right; wait 200ms", eventName: "chord",
      limit: "4 buttons"),
    MeasuredDevice(
      page: "sensor-distance", inputs: "d: { sensor: { distance: [GPIO5, GPIO6] }, min: 0, max: 4000 }",
      limit: "a measurement every \(Quantity.text(DistanceSource.intervals.lowerBound)) at most"),
    MeasuredDevice(
      page: "sensor-pulses", note: "10 pulses a second",
      inputs: "d: { sensor: { pulses: GPIO5 }, min: 0, max: 4000 }",
      event: "sense d=10; wait 200ms; wait 200ms; wait 200ms; wait 200ms; wait 200ms", eventName: "second",
      limit: "a report every \(Quantity.text(PulseSource.intervals.lowerBound)) at most"),
    MeasuredDevice(page: "led", outputs: "d: { led: GPIO5 }", shown: "{ level: 0.3 }", limit: "100 periods a second"),
    MeasuredDevice(
      page: "led", note: "blinking", outputs: "d: { led: GPIO5 }", shown: "{ blink: 500ms }", limit: "1 ms on or off"),
    MeasuredDevice(
      page: "led", note: "`pwm: required`, fade", outputs: "d: { led: GPIO18, pwm: required }",
      shown: "{ fade: 1, over: 10s }", limit: frames),
    MeasuredDevice(
      page: "led", note: "`pwm: required`, level", outputs: "d: { led: GPIO18, pwm: required }",
      shown: "{ level: 0.3 }", limit: "1 024 steps"),
    MeasuredDevice(
      page: "rgb", note: "`pwm: required`, fade", outputs: "d: { rgb: [GPIO12, GPIO13, GPIO19], pwm: required }",
      shown: "{ fade: red, over: 10s }", limit: frames),
    MeasuredDevice(
      page: "strip", note: "60 pixels, rainbow", outputs: "d: { strip: { ws2812: 60, spi: 0.0 } }",
      shown: "{ rainbow: 5s }",
      limit:
        "50 frames a second, \(LEDStripChip.ws2812.pixelLimit(byteLimit: 4_096, channels: 3)) pixels in 4 096 bytes"),
    MeasuredDevice(page: "bar", outputs: "d: { bar: [GPIO5, GPIO6] }", shown: "2", limit: "32 lamps"),
    MeasuredDevice(page: "relay", outputs: "d: { relay: GPIO5 }", shown: "on", limit: "—"),
    MeasuredDevice(page: "relays", outputs: "d: { relays: [GPIO5, GPIO6] }", shown: "on", limit: "32 relays"),
    MeasuredDevice(
      page: "servo", note: "moving", outputs: "d: { servo: GPIO12, speed: 10 }", first: "-90", shown: "90",
      limit: "50 pulses a second"),
    MeasuredDevice(
      page: "motor", note: "ramp of 10 s",
      outputs: "d: { motor: [GPIO5, GPIO6], enable: GPIO12, ramp: 10s }", shown: "1", limit: frames),
    MeasuredDevice(
      page: "stepper", note: "1 000 steps a second",
      outputs: "d: { stepper: { step: GPIO5, direction: GPIO6 }, speed: 1000 }", shown: "100000",
      limit: "1 000 steps a second"),
    MeasuredDevice(
      page: "buzzer", note: "beeps", outputs: "d: { buzzer: GPIO5 }",
      shown: "{ beep: 100ms, times: 1000, every: 200ms }", limit: "—"),
    MeasuredDevice(
      page: "buzzer", note: "a tone", outputs: "d: { buzzer: GPIO18, tones: true }", shown: "440Hz",
      limit: "20 Hz to 20 kHz"),
    MeasuredDevice(page: "leds", outputs: "d: { leds: [GPIO5, GPIO6] }", shown: "on", limit: "32 lamps"),
    MeasuredDevice(
      page: "display", note: "I²C", outputs: "d: { display: { i2c: 0x27 } }", shown: "text", limit: "4 rows"),
    MeasuredDevice(
      page: "digits", note: "HT16K33", outputs: "d: { digits: { ht16k33: 0x70 } }", shown: "1234",
      limit: "8 digits"),
    MeasuredDevice(
      page: "screen", outputs: "d: { screen: { ssd1306: 0x3C } }", shown: "text", limit: "8 rows of text"),
    MeasuredDevice(
      page: "matrix", note: "a moving text", outputs: "d: { matrix: { max7219: 4, spi: 0.0 } }",
      shown: "a text that is too long", limit: "16 modules"),
    MeasuredDevice(
      page: "level", note: "fade", outputs: "d: { level: { sheet: mcp4725 } }", shown: "{ fade: 1, over: 10s }",
      limit: frames),
    MeasuredDevice(
      page: "shift-register", note: "one lamp",
      outputs: "d: { led: out.Q0 }",
      chips: "out: { shift-register: { data: GPIO5, clock: GPIO6, latch: GPIO13 } }", shown: "on",
      limit: "8 registers"),
    MeasuredDevice(
      page: "expander", note: "one lamp", outputs: "d: { led: more.GPB0 }", chips: "more: { expander: mcp23017 }",
      shown: "on", limit: "64 lines"),
    MeasuredDevice(
      page: "pwm", note: "one lamp", outputs: "d: { led: drive.0 }", chips: "drive: { pwm: pca9685 }", shown: "on",
      limit: "16 channels of a PCA9685"),
    MeasuredDevice(
      page: "sheet", note: "one pad", inputs: "d: { button: pads.0 }", chips: "pads: { sheet: mpr121 }",
      event: "press d; wait 200ms; release d; wait 200ms", eventName: "touch of 0.4 s",
      limit: "a reading every 5 ms at most"),
    MeasuredDevice(
      page: "sheet", note: "one pad, `interrupt`", inputs: "d: { button: pads.0 }",
      chips: "pads: { sheet: mpr121, interrupt: GPIO4 }", event: "press d; wait 200ms; release d; wait 200ms",
      eventName: "touch of 0.4 s", limit: "—"),
    MeasuredDevice(
      page: "sound-tone", sounds: "d: { tone: 440Hz }", shown: "", limit: "—"),
  ]

  private static func panel(_ device: MeasuredDevice, isActive: Bool) -> String {
    func part(_ key: String, _ text: (MeasuredDevice) -> String) -> String {
      text(device).isEmpty ? "" : "\(key):\n  \(text(device))\n"
    }
    let devices =
      part("chips") { $0.chips } + part("inputs") { $0.inputs } + part("outputs") { $0.outputs }
      + part("sounds") { $0.sounds }
    let first = device.first.isEmpty ? "" : "show: { d: \(device.first) }"
    guard isActive else { return "panel: P\n\(devices)initial: rest\nstates:\n  rest: { \(first) }\n" }
    return
      "panel: P\n\(devices)initial: rest\nstates:\n  rest: { \(first.isEmpty ? "" : first + ", ")after: { 100ms: active } }\n"
      + "  active: { show: { d: \(device.shown) } }\n"
  }

  /// The wake-ups of a panel's threads in a time: the turns at different moments of virtual time. Simulated hardware
  /// needs no threads, so a step of a worker is a turn, too.
  private static func wakes(of stage: Stage, in span: Duration) throws -> Int {
    var count = 0
    var last = stage.session.bench.now
    let end = last + span
    try stage.session.bench.advance(to: end) {
      let now = stage.session.bench.now
      if now != last, now < end { count += 1 }
      last = now
      return true
    }
    return count
  }

  private static func measured(_ device: MeasuredDevice) throws -> (rest: Int, active: String) {
    let rest = try Stage(panel: panel(device, isActive: false))
    try rest.session.bench.advance(by: .seconds(70))
    let atRest = try wakes(of: rest, in: .seconds(60))
    guard device.event.isEmpty else {
      var count = 0
      for step in device.event.split(separator: ";") {
        if step.contains("wait") {
          count += try wakes(of: rest, in: .milliseconds(200))
        } else {
          let failures = try rest.take(String(step))
          #expect(failures == [])
          count += 1
        }
      }
      return (atRest, "\(count) per \(device.eventName)")
    }
    guard !device.shown.isEmpty else { return (atRest, "—") }
    let active = try Stage(panel: panel(device, isActive: true))
    try active.session.bench.advance(by: .milliseconds(500))
    let count = try wakes(of: active, in: .seconds(5))
    return (atRest, count == 0 ? "0" : "\(Int((Double(count) / 5).rounded())) a second")
  }

  @Test("the table has the wake-ups of each device that a panel can have; RECORD=1 writes it")
  func table() throws {
    var rows = [
      "| device | lines and ports | limit | wake-ups in 60 s at rest | wake-ups while active |",
      "|---|---|---|---|---|",
    ]
    for device in Self.devices {
      let (rest, active) = try Self.measured(device)
      let panel = try PanelFile.read(Array(Self.panel(device, isActive: false).utf8), file: "p")
      let lines = (0..<panel.chips.count).reduce(panel.lines(on: nil).count) { $0 + panel.lines(on: $1).count }
      let ports = Set(
        panel.inputs.flatMap(\.device.hardware).map { type(of: $0.port).name }
          + panel.outputs.flatMap(\.device.hardware).map { type(of: $0.port).name }
          + panel.chips.flatMap { type(of: $0.kind).ports.map { $0.name } }
          + (panel.sounds.isEmpty ? [] : [SoundCardPort.name])
      ).sorted().map { "`\($0)`" }
      let own = panel.outputs.flatMap { type(of: $0.device).ports.map { "`\($0.name)`" } }
      let words = (lines > 0 ? [counted(lines, "line")] : []) + (lines == 0 && ports.isEmpty ? own : ports)
      let note = device.note.isEmpty ? "" : ", \(device.note)"
      rows.append(
        "| [\(device.page)](devices/\(device.page).md)\(note) | \(words.joined(separator: ", ")) | \(device.limit) | \(rest) "
          + "| \(active) |")
    }
    let text = String(decoding: bytes(of: Self.page) ?? [], as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let begin = try #require(lines.firstIndex(of: "<!-- devices -->"))
    let end = try #require(lines.firstIndex(of: "<!-- end: devices -->"))
    if getenv("RECORD") != nil {
      lines.replaceSubrange(begin + 1..<end, with: rows)
      try TextFile.write(lines.joined(separator: "\n"), path: Self.page)
    } else {
      #expect(Array(lines[begin + 1..<end]) == rows, "RECORD=1 writes \(Self.page)")
    }
  }

  @Test("the table has each kind of device, or the page explains it")
  func kinds() {
    let text = String(decoding: bytes(of: Self.page) ?? [], as: UTF8.self)
    for page in DevicePageTests.pages { #expect(text.contains("](devices/\(page.name).md)"), "\(page.name)") }
  }

  /// A panel with all devices that neither read nor write at intervals, with different lines.
  @Test("a panel with every device has no wake-up at rest, except for one check of all outputs each 10 minutes")
  func idle() throws {
    let text = String(decoding: try #require(bytes(of: "\(checkoutRoot)/Benchmarks/idle.panel.yaml")), as: UTF8.self)
    let stage = try Stage(panel: text)
    try stage.session.bench.advance(by: .seconds(10))
    for _ in 0..<3 {
      #expect(try Self.wakes(of: stage, in: .seconds(589)) == 0)
      // The transfers of the check, whose ends count, too, take less than a second.
      let count = try Self.wakes(of: stage, in: .seconds(11))
      #expect((1...16).contains(count), "\(count)")
    }
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let used = Set(panel.outputs.map { type(of: $0.device).grammar.keys[0].name })
    let all = Set(KindList.standard.outputs.map { $0.word })
    // A group consists of single devices.
    #expect(
      all.subtracting(used).subtracting(["leds", "relays"]) == [], "a new kind of output is missing in the panel")
  }
}
