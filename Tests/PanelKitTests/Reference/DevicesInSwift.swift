import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelKinds

/// The Swift code of the pages below `docs/panels/devices`: what is between a comment with the page's name and the next
/// comment.
enum DevicesInSwift {
  struct Frame: Equatable, Codable {
    var isLit = false
    var isOpen = false
    var level = 0
    var air: Double?
  }

  static func inputs(on platform: Platform) -> any Application<Frame> {
    Cycle(seed: Frame()) {
      // page: button
      Lens(
        Button(platform.chip, line: "GPIO17", settings: .init(hold: .seconds(1))),
        on: { frame, event in
          if event == .clicked { frame.isLit.toggle() }
        })
      // page: switch
      Lens(
        Switch(platform.chip, line: "GPIO27"),
        found: { frame, position in frame.isOpen = position == .off },
        on: { frame, event in
          if let isOn = event.isOn { frame.isOpen = !isOn }
        })
      // page: selector
      Lens(
        Selector(platform.chip, lines: ["GPIO5", "GPIO6", nil]),
        found: { frame, event in
          if case .selected(let position) = event { frame.level = position }
        },
        on: { frame, event in
          if case .selected(let position) = event { frame.level = position }
        })
      // page: tag
      Lens(
        TagReader(MFRC522(platform.hardware(at: SPIBusPort()), chipSelect: 0), known: [TagID("04A2B3C4")!]),
        on: { frame, event in
          if event == .found(0) { frame.isOpen = true }
        })
      // page: encoder
      Lens(
        RotaryEncoder(platform.chip, lines: ("GPIO5", "GPIO6")),
        on: { frame, event in
          if event == .clockwise { frame.level += 1 }
        })
      // page: keypad
      Lens(
        Keypad(platform.chip, rows: ["GPIO13", "GPIO19"], columns: ["GPIO12", "GPIO16"]),
        on: { frame, event in
          if case .pressed(let key) = event { frame.level = 2 * key.row + key.column }
        })
      // page: keys
      Lens(
        KeyButtons(
          platform.hardware(at: KeysPort(.named("USB Keypad"))), keys: [KeyCode("kp1")!, KeyCode("kp2")!]),
        on: { frame, event in
          if case .pressed(let key) = event { frame.level = key }
        })
      // page: code
      Lens(
        CodeReader(platform.hardware(at: KeysPort(.named("Sycreader USB Reader")))),
        on: { frame, event in
          if case .read(let code) = event { frame.isOpen = code == "0008312345" }
        })
      // end
    }
  }

  static func sensors(on platform: Platform) -> any Application<Frame> {
    Cycle(seed: Frame()) {
      // page: sensor-w1
      Lens(
        Sensor(platform.number(at: OneWireChannel("28-00000a1b2c3d"))), showing: .every(.seconds(10)),
        on: { frame, event, _ in
          if case .reading(let degrees) = event { frame.air = degrees }
        })
      // page: sensor-sheet
      Lens(
        Sensor(SheetChip(.named("bme280")!, I2CDevice(platform.i2c, at: 0x76)).source(of: "temperature")),
        showing: .every(.seconds(1)),
        on: { frame, event, _ in
          if case .reading(let degrees) = event { frame.air = degrees }
        })
      // page: sensor-iio
      Lens(
        Sensor(platform.number(at: IIOChannel("ads1015", "voltage0"))), showing: .every(.seconds(1)),
        on: { frame, event, _ in
          if case .reading(let volts) = event { frame.air = volts }
        })
      // page: sensor-hwmon
      Lens(
        Sensor(platform.number(at: HwmonChannel("cpu_thermal", "temp1"))), showing: .every(.seconds(5)),
        on: { frame, event, _ in
          if case .reading(let degrees) = event { frame.air = degrees }
        })
      // page: sensor-file
      Lens(
        Sensor(platform.number(at: NumberFile("/run/letters"))), showing: .every(.seconds(1)),
        on: { frame, event, _ in
          if case .reading(let number) = event { frame.air = number }
        })
      // page: sensor-load
      Lens(
        Sensor(platform.number(at: LoadAverage(over: .fiveMinutes)), settings: .init(decimals: 2)),
        showing: .every(.seconds(10)),
        on: { frame, event, _ in
          if case .reading(let load) = event { frame.air = load }
        })
      // page: sensor-disk
      Lens(
        Sensor(platform.number(at: DiskUsage(of: "/"))), showing: .every(.seconds(60)),
        on: { frame, event, _ in
          if case .reading(let percent) = event { frame.air = percent }
        })
      // page: sensor-ping
      Lens(
        Sensor(platform.number(at: PingTime(to: "192.168.1.1"))), showing: .every(.seconds(10)),
        on: { frame, event, _ in
          if case .reading(let milliseconds) = event { frame.air = milliseconds }
        })
      // page: sensor-pulses
      Lens(
        PulseCounter(platform.chip, line: "GPIO24"),
        found: { frame, _ in frame.air = 0 },
        on: { frame, event in
          if case .rate(let hertz) = event { frame.air = hertz / 7.5 }
        })
      // page: sensor-serial
      Lens(
        TextSensor(
          platform.hardware(at: SerialPort("/dev/serial0")),
          TextSensor.Settings(try! TextPattern("t={temperature}"))),
        on: { frame, event in
          if case .reading(let degrees) = event { frame.air = degrees }
        })
      // page: sensor-modbus
      Lens(
        Sensor(platform.number(at: ModbusLocation("/dev/serial0", ModbusRegister(unit: 1, 0, in: .input, as: .f32)))),
        showing: .every(.seconds(1)),
        on: { frame, event, _ in
          if case .reading(let volts) = event { frame.air = volts }
        })
      // page: sensor-distance
      Lens(
        DistanceSensor(platform.chip, trigger: "GPIO23", echo: "GPIO24"),
        show: { _ in .measuring },
        on: { frame, event in
          if case .distance(let millimetres) = event { frame.level = millimetres }
        })
      // end
    }
  }

  static func outputs(on platform: Platform, chime: Clip) -> any Application<Frame> {
    Cycle(seed: Frame()) {
      // page: led
      Lens(
        LED(platform.chip, line: "GPIO23"),
        show: { $0.isLit ? .blink(.milliseconds(250)) : .off })
      // page: rgb
      Lens(
        RGBLED(platform.chip, lines: ["GPIO12", "GPIO13", "GPIO19"]),
        show: { .fade(to: Colour($0.isLit ? "orange" : "black")!, over: .seconds(1)) })
      // page: strip
      Lens(
        LEDStrip(platform.hardware(at: SPIBusPort(number: 0)), .ws2812, count: 60),
        show: { PixelLight(.bar(share: Double($0.level) / 10, of: Colour("blue")!)) })
      // page: bar
      Lens(
        LEDBar(platform.chip, lines: ["GPIO12", "GPIO16", "GPIO20", "GPIO21"]),
        show: { .init(level: $0.level) })
      // page: relay
      Lens(
        Relay(platform.chip, line: "GPIO6", settings: .init(isActiveLow: true)),
        show: { $0.isOpen ? .on : .off })
      // page: servo
      Lens(
        PWMDriver(
          Servo(platform.hardware(at: PWMPort(line: "GPIO12")), settings: .init(speed: 60, rest: .milliseconds(500)))),
        show: { $0.isOpen ? .angle(90) : .angle(0) })
      // page: motor
      Lens(
        PWMDriver(
          Motor(
            .enabled(
              SwitchedLine(platform.chip, line: "GPIO5"), SwitchedLine(platform.chip, line: "GPIO6"),
              enable: platform.hardware(at: PWMPort(line: "GPIO12"))),
            settings: .init(ramp: .milliseconds(500)))),
        show: { .speed(Double($0.level) / 10) })
      // page: stepper
      Lens(
        Stepper(
          .coils(["GPIO17", "GPIO27", "GPIO22", "GPIO23"]), on: platform.chip,
          settings: .init(speed: 600, acceleration: 1_200)),
        show: { .position($0.isOpen ? 4_096 : 0) })
      // page: buzzer
      Lens(
        LED(platform.chip, line: "GPIO18"),
        show: { $0.isOpen ? .blink(on: .milliseconds(100), off: .milliseconds(200), times: 3) : .off })
      // page: display
      Lens(
        I2CCharacterDisplay(platform.i2c, address: 0x27),
        show: { CharacterScreen(["Level \($0.level)", "of 10"]) })
      // page: digits
      Lens(
        SegmentDisplay(HT16K33(platform.i2c)),
        show: { SegmentText("\($0.level)", isRightAligned: true, brightness: 0.4) })
      // page: matrix
      Lens(
        DotMatrix(platform.hardware(at: SPIBusPort()), moduleCount: 4),
        show: { .init("No \($0.level)") })
      // page: screen
      Lens(
        SSD1306(platform.i2c),
        show: { frame in
          var pixels = PixelBuffer(width: SSD1306.width, height: 64)
          pixels.draw("Level \(frame.level)", scale: 2)
          return SSD1306.Model(pixels)
        })
      // page: level
      Lens(
        SheetLevel(SheetChip(.named("mcp4725")!, I2CDevice(platform.i2c, at: 0x60)), output: "out"),
        show: { .level(Double($0.level) / 10) })
      // page: sound-tone
      Lens(
        AudioPlayer(platform.card),
        show: { $0.isLit ? [.tone(hertz: 700, gain: 0.3)] : [] })
      // page: sound-file
      Lens(
        AudioPlayer(platform.card),
        show: { $0.isOpen ? [.clip(chime, key: "chime")] : [] })
      // end
    }
  }

  static func registers(on platform: Platform) -> any Application<Frame> {
    // page: shift-register
    let out = ShiftRegisterChip(
      ShiftRegister(platform.chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13"))
    return Cycle(seed: Frame()) {
      Lens(LED(out, line: "Q0"), show: { $0.isLit ? .on : .off })
    }
    // end
  }

  static func pads(on platform: Platform) -> any Application<Frame> {
    // page: sheet
    let pads = I2CExpander(SheetContacts(.named("mpr121")!), platform.i2c, address: 0x5A)
    return Cycle(seed: Frame()) {
      Lens(pads)
      Lens(Button(pads, line: "0"), on: { frame, event in if event == .pressed { frame.level += 1 } })
    }
    // end
  }
}
