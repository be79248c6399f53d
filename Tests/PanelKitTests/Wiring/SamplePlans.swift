@testable import PanelWiring

/// Plans built by hand, as kinds of devices would build them.
enum SamplePlans {
  static let all: [(name: String, plan: WiringPlan)] = [
    ("doorbell", doorbell), ("counter", counter), ("garage", garage), ("simon", simon), ("all26", allLines),
    ("leds26", lamps), ("shuffled", shuffled), ("kinds", kinds), ("bus", bus), ("one", one),
  ]

  static let doorbell = WiringPlan(
    title: "Doorbell",
    devices: [
      input("bell", "push button", .button(line: "GPIO17")),
      input("reset", "push button", .button(line: "GPIO22")),
      input("mute", "switch", .switch(line: "GPIO27")),
      input("knob", "rotary encoder", .encoder(a: "GPIO5", b: "GPIO6")),
      output("lamp", "LED", .led(line: "GPIO23")),
      output("bar", "bar of 4 LEDs", .leds(lines: ["GPIO12", "GPIO13", "GPIO16", "GPIO19"])),
      output("lock", "relay board", .relay(line: "GPIO24", isActiveHigh: false)),
    ],
    playsSounds: true)

  static let counter = WiringPlan(
    title: "Counter",
    devices: [
      input("up", "push button", .button(line: "GPIO17")),
      input("clear", "push button", .button(line: "GPIO27")),
      input("knob", "rotary encoder", .encoder(a: "GPIO5", b: "GPIO6")),
      output("bar", "bar of 8 LEDs", .leds(lines: lines(12, 13, 16, 19, 20, 21, 25, 26))),
      output("full", "LED", .led(line: "GPIO23")),
    ])

  static let garage = WiringPlan(
    title: "Garage door",
    devices: [
      input("key", "push button", .button(line: "GPIO5")),
      input("top", "switch", .switch(line: "GPIO6")),
      input("bottom", "switch", .switch(line: "GPIO13")),
      input("beam", "switch", .switch(line: "GPIO19", isActiveHigh: true, word: "broken")),
      output("up", "relay board", .relay(line: "GPIO24", isActiveHigh: true)),
      output("down", "relay board", .relay(line: "GPIO25", isActiveHigh: true)),
      output("lamp", "LED", .led(line: "GPIO23")),
    ],
    sharedNotes: [.init(note: .interlock(of: ["up", "down"]), devices: ["up", "down"])])

  static let simon = WiringPlan(
    title: "Simon",
    devices: [
      input("pad", "4 push buttons", .buttons(lines: lines(5, 6, 13, 19))),
      input("start", "push button", .button(line: "GPIO26")),
      output("lamps", "4 LEDs", .leds(lines: lines(12, 16, 20, 21))),
    ],
    playsSounds: true)

  static let allLines = WiringPlan(
    title: "All 26 lines",
    devices: [
      input("start", "push button", .button(line: "GPIO2")),
      input("stop", "push button", .button(line: "GPIO3", isActiveHigh: true)),
      input("air", "thermometer, DS18B20", .thermometer(line: "GPIO4")),
      input("knob", "rotary encoder", .encoder(a: "GPIO17", b: "GPIO27")),
      input("pad", "keypad", .keypad(rows: lines(22, 10, 9, 11), columns: lines(5, 6, 13))),
      input("tank", "distance, HC-SR04", .distance(trigger: "GPIO19", echo: "GPIO26")),
      input("door", "switch", .switch(line: "GPIO14", pull: .none)),
      input("window", "switch", .switch(line: "GPIO15", pull: .down)),
      output(
        "lines", "display, HD44780",
        .characterDisplay(registerSelect: "GPIO18", enable: "GPIO23", data: lines(24, 25, 8, 7))),
      output("pump", "relay board", .relay(line: "GPIO12", isActiveHigh: false)),
      output("lamps", "2 LEDs", .leds(lines: lines(16, 20))),
      output("alarm", "LED", .led(line: "GPIO21", isActiveHigh: false)),
    ],
    playsSounds: true)

  /// In the order of the pins, odd and even ones in turn.
  static let lamps = WiringPlan(
    title: "Twenty-six lamps, one on each line of the header",
    devices: [2, 3, 4, 14, 15, 17, 18, 27, 22, 23, 24, 10, 9, 25, 11, 8, 7, 5, 6, 12, 13, 19, 16, 26, 20, 21]
      .enumerated().map { index, line in
        output(
          index % 4 == 0 ? "lamp-on-the-north-wall-\(index + 1)" : "lamp-\(index + 1)", "LED", .led(line: "GPIO\(line)")
        )
      })

  static let shuffled = WiringPlan(
    title: "Shuffled",
    devices: [
      input("a", "6 push buttons", .buttons(lines: lines(21, 2, 20, 3, 16, 4))),
      input("k", "rotary encoder", .encoder(a: "GPIO26", b: "GPIO14")),
      input("s", "switch", .switch(line: "GPIO12")),
      output("b", "bar of 8 LEDs", .leds(lines: lines(5, 24, 6, 25, 13, 8, 19, 7))),
      output("l", "LED", .led(line: "GPIO17")),
      output("m", "LED", .led(line: "GPIO15")),
      output("n", "LED", .led(line: "GPIO27")),
      output("r", "relay board", .relay(line: "GPIO22", isActiveHigh: true)),
    ])

  static let kinds = WiringPlan(
    title: "More kinds",
    devices: [
      input("b", "2 push buttons", .buttons(lines: lines(17, 27), pull: .none)),
      output("text", "display, I²C backpack", .i2cDisplay()),
      output("digit", "7-segment display", .segments(lines: lines(5, 6, 13, 19, 26, 16, 20, 21))),
      output("beep", "piezo buzzer", .piezo(line: "GPIO12")),
      WiringPlan.Device(
        name: "go", kind: "lit push button", direction: .input,
        circuits: [.button(line: "GPIO23"), .led(line: "GPIO24")]),
      output(
        "row", "shift register, 74HC595",
        .box(
          "74HC595", terminals: [.init("GPIO10", "SER"), .init("GPIO11", "SRCLK"), .init("GPIO8", "RCLK")],
          supplies: ["VCC": .volts3, "GND": .ground, "OE": .ground])),
      output(
        "tall", "display, HD44780",
        .characterDisplay(registerSelect: "GPIO14", enable: "GPIO15", data: ["GPIO18", "GPIO25", "GPIO7", "GPIO9"])),
    ],
    playsSounds: true)

  /// Two chips and a display on one I²C bus.
  static let bus = WiringPlan(
    title: "Bus",
    devices: [
      chip("air", "BME280"), chip("light", "BH1750"), output("text", "display, I²C backpack", .i2cDisplay()),
      input("warm", "thermometer, DS18B20", .thermometer(line: "GPIO4")),
      input("cold", "thermometer, DS18B20", .thermometer(line: "GPIO4", hasPullUp: false)),
      output("lamp", "LED", .led(line: "GPIO23")),
    ])

  static let one = WiringPlan(title: "Lamp", devices: [output("lamp", "LED", .led(line: "GPIO17"))])

  static let otherBoard = WiringPlan(
    title: "Other board",
    devices: [
      input("bell", "push button", .button(line: "gpiochip2:17")),
      input("door", "switch", .switch(line: "gpiochip2:4", isActiveHigh: true, word: "open")),
      output("lamp", "LED", .led(line: "gpiochip2:12")),
      output("row", "bar of 3 LEDs", .leds(lines: ["PA7", "PA8", "PA9"])),
      output("pump", "relay board", .relay(line: "PA10", isActiveHigh: false)),
    ],
    playsSounds: true)

  static func input(_ name: String, _ kind: String, _ circuit: some WiringCircuit) -> WiringPlan.Device {
    WiringPlan.Device(name: name, kind: kind, direction: .input, circuits: [circuit])
  }

  static func output(_ name: String, _ kind: String, _ circuit: some WiringCircuit) -> WiringPlan.Device {
    WiringPlan.Device(name: name, kind: kind, direction: .output, circuits: [circuit])
  }

  private static func chip(_ name: String, _ part: String) -> WiringPlan.Device {
    input(
      name, "sensor, \(part)",
      .box(
        part, terminals: [.init("GPIO2", "SDA", for: .i2c), .init("GPIO3", "SCL", for: .i2c)],
        supplies: ["VCC": .volts3, "GND": .ground]))
  }

  private static func lines(_ numbers: Int...) -> [String] { numbers.map { "GPIO\($0)" } }
}
