import CycleCore
import HardwarePlatform
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun
@testable import PanelWiring

@Suite("Contacts of a chip with a sheet")
struct SheetContactsTests {
  /// A touch sensor on a simulated bus.
  private struct Stand {
    let base: SheetStand
    let part: SimulatedSheetContacts
    let chip: I2CExpander
    var bench: Bench { base.bench }
    var bus: SimulatedI2CBus { base.bus }

    init(_ name: String = "mpr121", hasInterrupt: Bool = false, checks: Bool = true, on bench: Bench = Bench()) throws {
      base = try SheetStand(name, on: bench)
      let gpio = SimulatedChip(bench)
      part = SimulatedSheetContacts(
        base.sheet, on: base.bus, at: base.address, interrupt: hasInterrupt ? gpio.line("GPIO4") : nil)
      let check = checks ? SheetContacts.checkInterval(of: base.sheet, hasInterrupt: hasInterrupt) : nil
      chip = I2CExpander(
        SheetContacts(base.sheet), base.bus, address: base.address, interrupt: hasInterrupt ? "GPIO4" : nil,
        on: hasInterrupt ? gpio : nil, settings: .init(poll: .milliseconds(20), check: check))
    }
  }

  @Test(
    "each contact is a bit of the answer, and a button at it is pressed and released",
    arguments: [("mpr121", "11"), ("mpr121", "0"), ("cap1188", "C1"), ("cap1188", "C8")], [false, true])
  func press(chip: (sheet: String, line: String), hasInterrupt: Bool) throws {
    let stand = try Stand(chip.sheet, hasInterrupt: hasInterrupt)
    let companion = CompanionDriver(stand.chip)
    let trial = DriverBench(
      Button(stand.chip, line: LineName(chip.line)), showing: NoModel(), beside: [companion], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    let contact = stand.part.pins.contact(at: LineName(chip.line))
    for _ in 0..<2 {
      try contact.press()
      try stand.bench.advance(by: .milliseconds(50))
      try contact.release()
      try stand.bench.advance(by: .milliseconds(50))
    }
    #expect(trial.events.map(\.event) == [.pressed, .released, .clicked, .pressed, .released, .clicked])
    #expect(companion.troubles == [] && trial.troubles == [])
    trial.stop()
    #expect(stand.bus.openCount == 0)
  }

  @Test("with an interrupt the chip is read when a contact changes, and checked each 10 minutes")
  func interrupt() throws {
    let stand = try Stand(hasInterrupt: true)
    let trial = DriverBench(
      Button(stand.chip, line: "3"), showing: NoModel(), beside: [CompanionDriver(stand.chip)], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    let before = stand.bus.transferCount
    try stand.bench.advance(by: .seconds(599))
    #expect(stand.bus.transferCount == before)
    try stand.bench.advance(by: .seconds(1))
    #expect((1...3).contains(stand.bus.transferCount - before))
    let contact = stand.part.pins.contact(at: "3")
    try contact.press()
    try stand.bench.advance(by: .milliseconds(10))
    #expect(trial.events.map(\.event) == [.pressed])
    trial.stop()
  }

  @Test("a chip that is set up is not set up again for each device on it")
  func setUpOnce() throws {
    let stand = try Stand()
    let others = ["0", "1", "2"].map {
      CompanionDriver(LineDriver(Button(stand.chip, line: LineName($0))), showing: NoModel())
    }
    let trial = DriverBench(
      Button(stand.chip, line: "3"), showing: NoModel(), beside: [CompanionDriver(stand.chip)] + others, on: stand.bench
    )
    try trial.start()
    try stand.bench.advance(by: .seconds(2))
    #expect(stand.part.chip.written.filter { $0 == [0x80, 0x63] }.count == 1)
    trial.stop()
  }

  @Test(
    "a power cut that is too short for a transfer to fail is noticed, and the chip is set up again",
    arguments: [false, true])
  func powerCut(hasInterrupt: Bool) throws {
    let stand = try Stand(hasInterrupt: hasInterrupt)
    let companion = CompanionDriver(stand.chip)
    let trial = DriverBench(
      Button(stand.chip, line: "3"), showing: NoModel(), beside: [companion], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(500))
    stand.part.powerUp()
    try stand.bench.advance(by: hasInterrupt ? .seconds(605) : .seconds(5))
    #expect(companion.troubles.count == 2 && companion.troubles.last == .restored)
    #expect("\(companion.troubles)".contains("its power was cut"))
    #expect(stand.part.chip.written.filter { $0 == [0x80, 0x63] }.count == 2)
    try stand.part.pins.contact(at: "3").press()
    try stand.bench.advance(by: .milliseconds(50))
    #expect(trial.events.map(\.event) == [.pressed])
    trial.stop()
  }

  @Test("another chip at the address is lost with its answer in the message")
  func otherChip() throws {
    let stand = try Stand("cap1188")
    stand.part.chip.set([0x51], at: 0xFD)
    let companion = CompanionDriver(stand.chip)
    let trial = DriverBench(
      Button(stand.chip, line: "C1"), showing: NoModel(), beside: [companion], on: stand.bench)
    try? trial.start()
    try stand.bench.advance(by: .seconds(1))
    #expect("\(companion.troubles)".contains("register 0xfd contains 0x51, not 0x50"), "\(companion.troubles)")
    trial.stop()
  }

  @Test("a contact can't be an output, and is not pulled down")
  func refusals() throws {
    let contacts = SheetContacts(try SheetLibrary.sheet(named: "mpr121", folder: "/nowhere").get())
    #expect(contacts.refusal(of: LineConfiguration("0", .input(.pullUp))) == nil)
    #expect(contacts.refusal(of: LineConfiguration("0", .input(.pullDown))) != nil)
    #expect(
      contacts.refusal(of: LineConfiguration("0", .output(.inactive, .pushPull, .asIs))) == "it has contacts only")
  }

  @Test("a button at a contact follows the laws of drivers", arguments: [(true, true), (true, false), (false, false)])
  func laws(hasInterrupt: Bool, pullsAdapter: Bool) throws {
    let sheet = try SheetLibrary.sheet(named: "mpr121", folder: "/nowhere").get()
    final class Chips {
      var list: [ObjectIdentifier: I2CExpander] = [:]
      var setups: [BusLawHarness<SimulatedI2CBus>] = []
    }
    let chips = Chips()
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { (bench: Bench) -> BusLawHarness<SimulatedI2CBus> in
        let gpio = SimulatedChip(bench)
        let bus = SimulatedI2CBus(bench)
        let part = SimulatedSheetContacts(
          sheet, on: bus, at: 0x5A, interrupt: hasInterrupt ? gpio.line("GPIO4") : nil)
        let chip = I2CExpander(
          SheetContacts(sheet), bus, address: 0x5A, interrupt: hasInterrupt ? "GPIO4" : nil,
          on: hasInterrupt ? gpio : nil, settings: .init(poll: .milliseconds(20)))
        let contact = part.pins.contact(at: "7")
        let setup = BusLawHarness(
          bus, plug: pullsAdapter ? nil : { $0 ? part.plug() : part.unplug() }, isPolled: !hasInterrupt,
          repeatsTransfers: true,
          stimulate: { bench throws(DriverError) in
            try contact.press()
            try bench.advance(by: .milliseconds(80))
            try contact.release()
            try bench.advance(by: .milliseconds(80))
          })
        chips.list[ObjectIdentifier(setup)] = chip
        chips.setups.append(setup)
        return setup
      },
      companions: { [CompanionDriver(chips.list[ObjectIdentifier($0)]!)] },
      device: { Button(chips.list[ObjectIdentifier($0)]!, line: "7") })
    #expect(violations == [])
  }

  // MARK: - In a panel

  private static let panel = """
    panel: P
    chips: { pads: { sheet: mpr121 }, more: { sheet: cap1188, i2c: 0x29, every: 10ms, interrupt: GPIO4 } }
    inputs:
      key: { button: pads.11, hold: 1s }
      group: { buttons: [pads.0, pads.1] }
      door: { switch: more.C8 }
    outputs: { lamp: { led: GPIO18 }, light: { led: GPIO23 }, shut: { led: GPIO24 } }
    regions:
      a:
        initial: off
        states: { off: { on: { key.pressed: on } }, on: { show: { lamp: on }, on: { key.held: off } } }
      b:
        initial: off
        states: { off: { on: { group(2).pressed: on } }, on: { show: { light: on }, on: { group(1).pressed: off } } }
      c:
        initial: open
        states: { open: { when: { door == on: shut } }, shut: { show: { shut: on }, when: { door == off: open } } }

    """

  @Test("buttons, groups and switches are at contacts")
  func devices() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("press key; wait 50ms; expect lamp=on; wait 1100ms; expect lamp=off; release key") == [])
    #expect(try stage.take("press group(2); wait 50ms; release group(2); wait 50ms; expect light=on") == [])
    #expect(try stage.take("press group(1); wait 50ms; release group(1); wait 50ms; expect light=off") == [])
    #expect(
      try stage.take("switch door=on; wait 20ms; expect shut=on; switch door=off; wait 20ms; expect shut=off") == [])
    #expect(
      try stage.take("unplug pads; wait 2s; expect pads=lost more=there; plug pads; wait 5s; expect pads=there") == [])
    #expect(try stage.take("press key; wait 50ms; expect lamp=on; release key") == [])
    #expect(
      try stage.take(
        "unplug i2c; wait 600s; expect pads=lost more=lost; plug i2c; wait 70s; expect pads=there more=there") == [])
  }

  @Test("the settings of a sheet set up its contacts, and choose their formulas")
  func settings() throws {
    let sheet = """
      sheet: touch
      about: A touch sensor with a gain
      source: none
      bus: { i2c: [0x20] }
      settings:
        gain: { choices: { low: 1, high: 2 }, default: low }
      once:
        - write: [0x10, gain]
      measure:
        - read: { at: 0x00, as: { touched: u8 } }
      contacts:
        A: touched / gain mod 2
      example:
        settings: { gain: high }
        registers: { 0x00: [0x02] }
        written: [[0x10, 0x02]]
        closed: [A]

      """
    try withFiles { folder in
      save(Array(sheet.utf8), at: "\(folder)/touch.sheet.yaml")
      for (setting, gain) in [("", UInt8(1)), (", gain: high", 2), (", gain: low", 1)] {
        let text = """
          panel: P
          chips: { pads: { sheet: touch\(setting) } }
          inputs: { key: { button: pads.A } }
          outputs: { lamp: { led: GPIO18 } }
          initial: off
          states: { off: { on: { key.pressed: on } }, on: { show: { lamp: on } } }

          """
        save(Array(text.utf8), at: "\(folder)/p.panel.yaml")
        let panel = try PanelFile.read(path: "\(folder)/p.panel.yaml", kinds: .standard)
        let platform = try Platform(.simulated)
        let session = try PanelSession(panel, on: platform)
        defer { session.stop() }
        try session.start()
        let bus = try #require(platform.simulated(at: I2CBusPort(.number(1))))
        let part = try #require(bus.sockets.first?.device as? SimulatedSheetContacts)
        #expect(part.chip.written.contains([0x10, gain]), "\(part.chip.written)")
        for step in ["press key", "wait 100ms", "expect lamp=on"] {
          let placed = try #require(try StepLineReader.read(step, line: 1, file: "-", names: Names(panel)))
          #expect(try session.perform(placed.step) == [])
        }
      }
    }
  }

  @Test(
    "wrong chips and lines are problems",
    arguments: [
      ("sheet: mpr121 }", "sheet: mpr122 }", "there is no sheet \"mpr122\"; did you mean \"mpr121\"?"),
      ("sheet: mpr121 }", "sheet: bme280 }", "bme280 has no contacts; write an input { sensor: { sheet: bme280 }"),
      ("sheet: mpr121 }", "sheet: mcp4725 }", "mcp4725 has no contacts; write an output { level: { sheet: mcp4725 } }"),
      ("sheet: mpr121 }", "sheet: mpr121, i2c: 0x20 }", "mpr121 can't be at 0x20"),
      ("sheet: mpr121 }", "sheet: mpr121, gain: high }", "mpr121 has no \"gain\"; leave it out"),
      ("every: 10ms", "every: 2s", "\"every\" is 2s; it takes 5ms...1s"),
      ("button: pads.11", "button: pads.12", "0...11"),
      ("led: GPIO24", "led: pads.5", "it has contacts only"),
    ])
  func problems(old: String, new: String, message: String) {
    let text = Self.panel.replacing(old, with: new)
    #expect(text != Self.panel)
    let problems = SheetStand.problems(text)
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test("a panel is read without the sheet of its contacts, to make its outputs safe")
  func missing() throws {
    let text = Self.panel.replacing("sheet: mpr121 }", with: "sheet: gone }")
    #expect(SheetStand.problems(text, kinds: KindList.standard.withoutSheets) == [])
  }
}
