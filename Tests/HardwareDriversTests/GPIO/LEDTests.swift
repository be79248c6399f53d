import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("LED")
struct LEDTests {
  private func rig(
    showing model: LED.Model = .off, settings change: (inout LED.Settings) -> Void = { _ in }
  ) -> Rig<LineDriver<LED>> {
    var settings = LED.Settings()
    change(&settings)
    return Rig(showing: model) { LED($0, line: "GPIO23", settings: settings) }
  }

  @Test("the lamp shows the seed from the request on, and is dark at the end")
  func seed() throws {
    let rig = rig(showing: .on)
    rig.chip.keepsReleasedOutputs = true
    try rig.run()
    #expect(rig.chip.line("GPIO23").level == .high)
    #expect(rig.chip.writeCount == 0)
    rig.stop()
    #expect(rig.chip.line("GPIO23").level == .low)
    #expect(rig.chip.writeCount == 1)
  }

  @Test("a lamp that is active low is lit at low voltage")
  func activeLow() throws {
    let rig = rig(showing: .off) { $0.isActiveLow = true }
    rig.chip.keepsReleasedOutputs = true
    try rig.run()
    #expect(rig.chip.line("GPIO23").level == .high)
    try rig.show(.on)
    #expect(rig.chip.line("GPIO23").level == .low)
    rig.stop()
    #expect(rig.chip.line("GPIO23").level == .high)
  }

  @Test("a lamp blinks from the moment of the event on, lit first")
  func blink() throws {
    let rig = rig()
    try rig.run()
    try rig.advance(3)
    try rig.show(.blink(on: .milliseconds(2), off: .milliseconds(3), times: nil))
    try rig.advance(15)
    #expect(rig.wave("GPIO23", steps: 18) == "___##___##___##___")
    try rig.show(.on)
    try rig.advance(5)
    #expect(rig.wave("GPIO23", from: 18, steps: 5) == "#####")
    #expect(rig.cycle.nextAlarm == nil)
    rig.stop()
  }

  @Test("a lamp that blinks twice is dark then, and sleeps")
  func twice() throws {
    let rig = rig(showing: .blink(on: .milliseconds(2), off: .milliseconds(3), times: 2))
    try rig.run()
    try rig.advance(20)
    #expect(rig.wave("GPIO23", steps: 20) == "##___##_____________")
    #expect(rig.cycle.nextAlarm == nil)
    rig.stop()
  }

  @Test("a level is the share of the time that the lamp is lit")
  func level() throws {
    let rig = rig(showing: .level(0.3))
    try rig.run()
    try rig.advance(30)
    #expect(rig.wave("GPIO23", steps: 30) == "###_______###_______###_______")
    rig.stop()
  }

  @Test("an open-drain lamp lets its line go instead of driving it high")
  func openDrain() throws {
    let rig = rig(showing: .on) {
      $0.isActiveLow = true
      $0.drive = .openDrain
    }
    rig.chip.line("GPIO23").drive(.high)
    try rig.run()
    #expect(rig.chip.line("GPIO23").level == .low)
    try rig.show(.off)
    #expect(rig.chip.line("GPIO23").level == .high)
    rig.chip.line("GPIO23").drive(.low)
    #expect(rig.chip.line("GPIO23").level == .low)
    rig.stop()
  }

  @Test("a lamp that stays as it is wants no alarm", arguments: [LED.Model.off, .on, .level(0), .level(1)])
  func idle(model: LED.Model) throws {
    let rig = rig(showing: model)
    try rig.run()
    #expect(rig.cycle.nextAlarm == nil)
    rig.stop()
  }

  @Test("a blinking lamp is switched when it changes and at no other time")
  func minutes() throws {
    let rig = rig(showing: .blink(.milliseconds(250)))
    try rig.run()
    try rig.bench.advance(by: .seconds(600))
    // 2 400 changes; the first light comes with the request.
    #expect(rig.chip.writeCount == 2_400)
    rig.stop()
  }

  @Test("a blink that could not be rendered is not begun when the frame goes back to what was shown")
  func failedRender() throws {
    struct Lamp: Equatable { var blinks = false }
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let remote = Remote<Bool>()
    let cycle = Cycle(seed: Lamp()) {
      Lens(remote, on: { frame, event in if case .show(let blinks) = event { frame.blinks = blinks } })
      Lens(
        LED(chip, line: "GPIO23"), show: { $0.blinks ? .blink(.milliseconds(5)) : .off },
        trouble: { frame, trouble in if case .failed = trouble { frame.blinks = false } })
    }
    try bench.run(cycle)
    chip.nextWriteError = DriverError(
      .failed, cannot: "write line GPIO23", reason: "input/output error", remedy: "Look at dmesg.")
    remote.show(true)
    try bench.settle()
    #expect(!cycle.frame.blinks)
    #expect(cycle.nextAlarm == nil)
    try bench.advance(by: .milliseconds(20))
    #expect(chip.line("GPIO23").changes.count == 1)
    bench.stop()
    #expect(chip.heldLines == 0)
  }

  @Test("a switching that fails amid blinking is told once and made good by the next")
  func failedSwitching() throws {
    let rig = rig(showing: .blink(.milliseconds(5)))
    try rig.run()
    rig.chip.nextWriteError = DriverError(
      .failed, cannot: "write line GPIO23", reason: "input/output error", remedy: "Look at dmesg.")
    try rig.advance(21)
    // At 5 ms the lamp stays lit; at 10 ms it is to be lit, so all is well again; at 15 ms it goes dark.
    #expect(rig.events == ["failed@5", "restored@10"])
    #expect(rig.wave("GPIO23", steps: 21) == "###############_____#")
    rig.stop()
  }

  @Test(
    "a copy of a lamp that goes on in the beat of another application knows nothing of what the other copies were rendered"
  )
  func copies() {
    let lamp = LED(SimulatedChip(Bench()), line: "GPIO24", since: .zero)
    var (one, other) = (lamp, lamp)
    one.render(.blink(.milliseconds(10)), at: .zero + .milliseconds(15))
    one.render(.blink(.milliseconds(20)), at: .zero + .milliseconds(16))
    other.render(.blink(.milliseconds(10)), at: .zero + .milliseconds(12))
    #expect(one.outputs == .first(1) && one.alarm == .zero + .milliseconds(36))
    #expect(other.outputs == [] && other.alarm == .zero + .milliseconds(20))
  }

  @Test("a level that is not a number is off")
  func noNumber() throws {
    #expect(LED.Model.level(.nan) == .off)
    #expect(LED.Model.blink(.seconds(1)) != .pulse(.seconds(1)) && LED.Model.on != .off)
    let rig = Rig(showing: LED.Model.level(.nan)) { LineDriver(LED($0, line: "GPIO23")) }
    try rig.run()
    #expect(rig.chip.line("GPIO23").level == .low)
    rig.stop()
  }
}
