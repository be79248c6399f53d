import Testing

@testable import PanelLanguage
@testable import PanelWiring

@Suite("The notes of a wiring plan")
struct WiringNoteTests {
  /// The texts of all notes, dangers with a sign.
  func notes(_ devices: WiringPlan.Device..., playsSounds: Bool = false) -> [String] {
    NumberedNotes(WiringPlan(title: "Test", devices: devices, playsSounds: playsSounds)).notes.map {
      ($0.isDanger ? "! " : "") + $0.text
    }
  }

  func button(_ line: String, pull: Pull = .up) -> WiringPlan.Device {
    SamplePlans.input("key", "push button", .button(line: line, pull: pull))
  }

  @Test("a plain line has no note", arguments: [5, 6, 16, 17, 22, 23, 24, 25, 26, 27])
  func plain(_ line: Int) {
    #expect(notes(button("GPIO\(line)"), playsSounds: true) == [])
  }

  @Test("the lines with resistors on the board are good for contacts to ground, and not for a pull-down")
  func fixedPulls() {
    #expect(
      notes(button("GPIO2"), button("GPIO3")) == [
        "GPIO2 and GPIO3 have 1.8 kΩ to 3.3 V on the board: good for contacts to ground; an LED there glows while the line is not driven.",
        "GPIO2, GPIO3 are the I²C bus: leave the bus off (raspi-config), and connect no HAT or display to it.",
      ])
    #expect(
      notes(button("GPIO2", pull: .down)) == [
        "GPIO2 and GPIO3 have 1.8 kΩ to 3.3 V on the board: \"pull: down\" cannot work there. Use another line.",
        "GPIO2 is a line of the I²C bus: leave the bus off (raspi-config), and connect no HAT or display to it.",
      ])
  }

  @Test("lines with another function name who may have them")
  func functions() {
    #expect(
      notes(button("GPIO11"), button("GPIO7")) == [
        "GPIO7, GPIO11: used by SPI if it is on (gpioinfo shows \"spi0 CS0\"). Switch SPI off in raspi-config."
      ])
    #expect(
      notes(button("GPIO15")) == ["GPIO15: the serial console writes there at boot. Switch it off in raspi-config."])
    #expect(notes(button("GPIO4")) == ["GPIO4: used by 1-Wire if it is on (dtoverlay=w1-gpio)."])
  }

  @Test("a bus that the panel uses stays on: its lines are not free")
  func ownBus() {
    #expect(
      notes(SamplePlans.output("text", "display", .i2cDisplay()), button("GPIO2")).last
        == "GPIO2: a line of the I²C bus, which this panel uses. Use another line.")
    let strip = SamplePlans.output(
      "row", "LED strip",
      .box("strip", terminals: [WiringTerminal("GPIO10", "DIN", for: .spi)], supplies: ["GND": .ground]))
    #expect(
      notes(strip, button("GPIO8"), button("GPIO9")) == [
        "GPIO8, GPIO9: the kernel drives the lines of the SPI bus that this panel uses. Use other lines."
      ])
  }

  @Test("the lines of I2S matter to a panel with sounds only")
  func sounds() {
    #expect(notes(button("GPIO18")) == [])
    #expect(
      notes(button("GPIO18"), playsSounds: true) == [
        "GPIO18: used by I2S sound cards (HATs). With the headphone jack, HDMI or USB they are free.",
        "GPIO18: analog sound uses it only with dtoverlay=audremap (on a Pi Zero, which has no jack). Leave that out of config.txt.",
      ])
    #expect(notes(button("GPIO12")) == [])
    #expect(notes(button("GPIO12"), playsSounds: true).map { $0.prefix(16) } == ["GPIO12: analog s"])
  }

  @Test("a device that uses the function of a line has no note that the function takes it")
  func ownFunction() {
    #expect(notes(SamplePlans.output("text", "display", .i2cDisplay())).count == 1)
    #expect(
      notes(SamplePlans.input("air", "thermometer", .thermometer(line: "GPIO4"))) == [
        "The thermometer needs dtoverlay=w1-gpio,gpiopin=4 in config.txt. Several thermometers share the line and one 4.7 kΩ."
      ])
  }

  @Test("a relay is warned of where the line's pull at power-on switches it on")
  func relays() {
    func note(_ line: String, _ isActiveHigh: Bool) -> String {
      WiringNote.relayAtPowerOn(line: line, isActiveHigh: isActiveHigh).map { String($0.text.prefix(22)) } ?? "none"
    }
    #expect(note("GPIO8", true) == "At power-on GPIO0 to G")
    #expect(note("GPIO9", true) == "none")
    #expect(note("GPIO8", false) == "none")
    #expect(note("GPIO9", false) == "At power-on GPIO9 to G")
    #expect(note("PA7", true) == "none")
  }

  @Test("the currents of all coils are added, and the words of all contacts that open")
  func sums() {
    let relays = ["GPIO23", "GPIO24", "GPIO25"].map {
      SamplePlans.output($0, "relay board", .relay(line: $0, isActiveHigh: true))
    }
    #expect(notes(relays[0], relays[1], relays[2])[1].contains("take about 225 mA from 5 V."))
    #expect(
      notes(
        SamplePlans.input("a", "switch", .switch(line: "GPIO5", isActiveHigh: true, word: "broken")),
        SamplePlans.input("b", "push button", .button(line: "GPIO6", isActiveHigh: true)),
        SamplePlans.input("c", "push button", .button(line: "GPIO13", isActiveHigh: true)))
        == ["NC is normally closed: the contact is closed at rest. Therefore a broken wire counts as broken/pressed."])
  }

  @Test(
    "a contact is closed at rest where the pull alone makes the input active, and leads away from the pull",
    arguments: [
      (Pull.up, false, false, [SupplyNet.ground]), (.up, true, true, [.ground]), (.down, true, false, [.volts3]),
      (.down, false, true, [.volts3]), (.none, false, false, [.ground, .volts3]),
      (.none, true, false, [.volts3, .ground]),
    ])
  func contacts(_ pull: Pull, _ isActiveHigh: Bool, _ isClosedAtRest: Bool, _ nets: [SupplyNet]) {
    let circuit = ContactCircuit.button(line: "GPIO17", isActiveHigh: isActiveHigh, pull: pull)
    #expect(circuit.isClosedAtRest == isClosedAtRest)
    #expect(circuit.supplies.map(\.net) == nets)
    #expect(circuit.checks(of: "bell")[0].text.hasPrefix(isClosedAtRest ? "Normally closed" : "Contacts"))
  }

  @Test("eleven LEDs keep within 50 mA with 330 Ω, twelve need 1 kΩ, thirty-four a driver")
  func lamps() {
    let budgets = [0, 1, 11, 12, 33, 34].map { SeriesResistor(count: $0) }
    #expect(budgets.map(\.resistance) == ["330 Ω", "330 Ω", "330 Ω", "1 kΩ", "1 kΩ", "1 kΩ"])
    #expect(budgets.map(\.milliamps) == [0, 5, 50, 18, 50, 51])
    let limit = "All lines of a Pi together can give 50 mA."
    #expect(budgets[0].note == nil)
    #expect(budgets[1].note?.text == "The LED takes 5 mA from the lines. \(limit)")
    #expect(budgets[2].note?.text == "The LEDs take 50 mA from the lines. \(limit)")
    #expect(
      budgets[3].note?.text
        == "With 330 Ω, 12 LEDs would take more than 50 mA. With 1 kΩ, they take 18 mA. \(limit)")
    #expect(
      budgets[5].note?.text == "Even with 1 kΩ, 34 LEDs take 51 mA. \(limit) Use a driver (ULN2803).")
  }

  @Test("interlocked relays, loads with coils, sensors without a circuit and the sound device have a note")
  func panel() throws {
    let text = """
      panel: P
      inputs:
        key: { button: GPIO17 }
        mute: { switch: GPIO27 }
        air: { sensor: { iio: bme280, channel: temp }, min: 0, max: 50 }
        cpu: { sensor: { hwmon: cpu_thermal, channel: temp1 }, min: 0, max: 99 }
        level: { sensor: { file: /run/level }, min: 0, max: 50 }
        room: { sensor: { w1: 28-00000a1b2c3d }, min: 0, max: 50 }
      outputs: { up: { relay: GPIO22 }, down: { relay: GPIO23 }, third: { relay: GPIO24 }, bell: { relay: GPIO25 } }
      sounds: { beep: { tone: 1kHz } }
      audio: { device: "hw:CARD=Device" }
      interlocks: [ { relays: [ up, down, third ] } ]
      initial: x
      states: { x: }

      """
    let plan = WiringPlan(of: try PanelFile.read(Array(text.utf8), file: "p"))
    let notes = NumberedNotes(plan)
    func number(_ beginning: String) throws -> Int {
      try #require(notes.notes.firstIndex { $0.text.hasPrefix(beginning) }, "\(beginning)") + 1
    }
    let interlock = try number("The panel keeps up, down and third from closing together only while it runs.")
    #expect(notes.notes[interlock - 1].isDanger)
    let concerned = zip(plan.devices, notes.numbers).filter { $1.contains(interlock) }.map(\.0.name)
    #expect(concerned == ["up", "down", "third"])
    let load = try number("A motor, a valve or a magnet causes sparks when the relay's contacts open.")
    #expect(zip(plan.devices, notes.numbers).filter { $1.contains(load) }.count == 4)
    _ = try number("air has no circuit here: a driver of the kernel reads it (iio bme280 temp).")
    _ = try number("cpu has no circuit here: a driver of the kernel reads it (hwmon cpu_thermal temp1).")
    _ = try number("level has no circuit here: its number is in the file /run/level, which another program writes.")
    _ = try number("Sounds go to the sound device hw:CARD=Device (aplay -L lists all).")
    #expect(!notes.notes.contains { $0.text.hasPrefix("room") })
    let two = WiringNote.interlock(of: ["up", "down"]).text
    #expect(two.hasPrefix("The panel keeps up and down from closing together"))
    #expect(two.hasSuffix("through the NC contact of the other."))
    // A switch has no four legs.
    #expect(
      MeterChecks(plan).texts.contains { $0.hasSuffix("Of the four legs of a push button, use two on a diagonal.") })
    let plain = WiringPlan(title: "P", devices: [SamplePlans.input("mute", "switch", .switch(line: "GPIO27"))])
    #expect(!MeterChecks(plain).texts.contains { $0.contains("legs") })
  }

  @Test("dangers come first, and each card has the numbers of its notes")
  func order() {
    let notes = NumberedNotes(SamplePlans.garage)
    #expect(notes.notes.map(\.isDanger) == [true, true, false, false, false, false])
    #expect(notes.numbers == [[], [], [], [3], [1, 2, 4, 5], [1, 2, 4, 5], []])
    #expect(notes.hasDanger(device: 4))
    #expect(!notes.hasDanger(device: 3))
  }
}

@Suite("The header")
struct BoardHeaderTests {
  @Test("each line of the header is at its pin")
  func pins() {
    let pins = (2...27).map { BoardHeader.pin(ofLineNamed: "GPIO\($0)") }
    #expect(
      pins == [
        3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13,
      ])
  }

  @Test(
    "other names are no lines of the header", arguments: ["GPIO0", "GPIO1", "GPIO28", "GPIO017", "gpiochip0:17", ""])
  func otherNames(_ name: String) {
    #expect(BoardHeader.pin(ofLineNamed: name) == nil)
  }

  @Test("the supplies are at the pins that the rails come from")
  func supplies() {
    for net in SupplyNet.allCases { #expect(BoardHeader.contacts[net.headerPin - 1] == .supply(net)) }
    let pins = BoardHeader.contacts.indices.filter { BoardHeader.contacts[$0] == .supply(.ground) }.map { $0 + 1 }
    #expect(pins == [6, 9, 14, 20, 25, 30, 34, 39])
  }

  @Test("the overlays for PWM are those of all devices together, in one note")
  func overlays() throws {
    let text = """
      panel: P
      chips: { drive: { pwm: pca9685 } }
      outputs:
        arm: { servo: GPIO12 }
        wheel: { motor: [GPIO5, GPIO6], enable: GPIO13 }
        lamp: { led: GPIO18, pwm: required }
        mood: { rgb: [GPIO20, GPIO21, GPIO22], pwm: auto }
        far: { servo: drive.3 }
      initial: x
      states: { x: { show: { arm: 0, wheel: 1, lamp: on, mood: red, far: 0 } } }

      """
    let plan = WiringPlan(of: try PanelFile.read(Array(text.utf8), file: "p"))
    let notes = NumberedNotes(plan)
    let texts = notes.notes.map(\.text).filter { $0.contains("dtoverlay=pwm") }
    let overlays = "dtoverlay=pwm-2chan,pin=12,func=4,pin2=13,func2=4 and dtoverlay=pwm-gpio,gpio=18"
    #expect(texts == ["Add \(overlays) to config.txt for the PWM, and restart the Pi."])
    let number = try #require(notes.notes.firstIndex { $0.text == texts.first }) + 1
    #expect(
      zip(plan.allDevices, notes.numbers).filter { $1.contains(number) }.map(\.0.name) == ["arm", "wheel", "lamp"])
  }

  @Test("the contacts of a chip are pads, and not buttons to ground")
  func pads() throws {
    let text = """
      panel: P
      chips: { pads: { sheet: mpr121 } }
      inputs:
        key: { button: pads.0 }
        door: { switch: pads.1 }
        group: { buttons: [pads.2, pads.3] }
      outputs: { lamp: { led: GPIO18 } }
      initial: x
      states: { x: { show: { lamp: on }, on: { key.pressed: y, group(1).pressed: y } }, y: { when: { door == on: x } } }

      """
    let plan = WiringPlan(of: try PanelFile.read(Array(text.utf8), file: "p"))
    let pads = try #require(plan.chips.first).devices
    #expect(pads.allSatisfy { $0.kind == "pad" && $0.supplies.isEmpty && $0.terminals.count == 1 })
    #expect(pads.map { $0.terminals[0].line } == ["pads.0", "pads.1", "pads.2", "pads.3"])
  }
}
