import HardwareDrivers

/// Advice for common names of devices that are not names of kinds.
package enum KindAdvice {
  /// The noun of a place in the file where a kind is named.
  package enum Noun: String {
    case input, output, sound, chip
    case sensorSource = "sensor source"
    case display
  }

  /// The advice for a type that is not a kind; nil for an unknown word.
  ///
  /// - Parameter noun: the noun of the place, as in messages: `input`, `output`.
  static func of(_ entry: YAMLNode.Entry, _ noun: String) -> String? { Noun(rawValue: noun).flatMap { of(entry, $0) } }

  /// The advice for a type that is not a kind, with the line that the user wrote; nil for an unknown word.
  package static func of(_ entry: YAMLNode.Entry, _ noun: Noun) -> String? {
    guard let advice = table[noun]?[entry.key.lowercased()] ?? kernelSensor(entry.key.lowercased(), noun) else {
      return nil
    }
    guard case .scalar(let line) = entry.value.content, line.hasPrefix("GPIO"), let number = Int(line.dropFirst(4))
    else { return advice }
    // The table names these lines.
    let changes = [
      ("GPIO17", line), ("GPIO18", line), ("gpiopin=17", "gpiopin=\(number)"), ("gpio_pin=17", "gpio_pin=\(number)"),
    ]
    return changes.reduce(advice) { text, change in
      text.parts(between: change.0).joined(separator: change.1)
    }
  }

  /// The advice for a chip that a driver of the kernel reads; nil for any other word.
  private static func kernelSensor(_ word: String, _ noun: Noun) -> String? {
    guard let known = KernelSensorOverlay.named(word) else { return nil }
    let source = "{ \(known.interface): \(known.device), channel: \(known.channels[0].name) }"
    switch noun {
    case .input: return "write { sensor: \(source), min: 0, max: 100 } and load \(known.line)"
    case .sensorSource: return "write \(source) and load \(known.line)"
    case .output, .sound, .chip, .display: return nil
    }
  }

  /// The advice for each word, in lowercase.
  private static let table: [Noun: [String: String]] = [
    .input: [
      "motion": motion, "pir": motion, "contact": "write { switch: GPIO17 }",
      "reed": "a reed contact is a switch: { switch: GPIO17 }", "key": "write { button: GPIO17 }",
      "touch": "a touch module is a button: { button: GPIO17, pull: down }", "mpr121": touchChip,
      "cap1188": "write chips: { pads: { sheet: cap1188 } } and an input { button: pads.C1 }",
      "rotary": "write { encoder: [GPIO5, GPIO6] }", "knob": "write { encoder: [GPIO5, GPIO6] }",
      "adc": analog, "analog": analog, "potentiometer": analog, "poti": analog, "ldr": analog,
      "ads1115": analogDevice("ads1015", overlay: "ads1115,cha_enable"),
      "ads1015": analogDevice("ads1015", overlay: "ads1015,cha_enable"), "mcp3008": analog, "thermometer": thermometer,
      "temperature": thermometer, "ds18b20": thermometer,
      "dht22": "write { sensor: { iio: dht11, channel: temp }, min: -40, max: 80 } and load dtoverlay=dht11,gpiopin=17",
      "dht11": "write { sensor: { iio: dht11, channel: temp }, min: 0, max: 50 } and load dtoverlay=dht11,gpiopin=17",
      "ultrasonic": distance, "distance": distance, "hcsr04": distance, "hc-sr04": distance, "w1": thermometer,
      "iio": "write { sensor: { iio: bme280, channel: temp }, min: -20, max: 60 }",
      "hwmon": "write { sensor: { hwmon: cpu_thermal, channel: temp1 }, min: 0, max: 100 }",
      "rfid": tag, "rc522": tag, "mfrc522": tag, "nfc": tag, "barcode": reader, "scanner": reader, "card": reader,
      "reader": reader, "rotary-switch": selector, "toggle": selector,
      "gps": gps, "serial": serial, "uart": serial, "scale": serial,
      "midi": missing("MIDI inputs"), "pwm": missing("PWM inputs"), "ir": infrared, "infrared": infrared,
      "keyboard": keyboard, "remote": keyboard, "evdev": keyboard, "footswitch": keyboard,
      "pulse_counter": pulses, "pulse-counter": pulses, "counter": pulses, "flow": pulses, "anemometer": pulses,
      "tachometer": pulses, "pulses": pulses,
      "load": "write { sensor: { load: 1m }, min: 0, max: 100, decimals: 2 }",
      "disk": "write { sensor: { disk: / }, min: 0, max: 100 }",
      "ping": "write { sensor: { ping: 192.168.1.1 }, min: 0, max: 1000 }",
    ],
    .output: [
      "speaker": "write sounds: { chime: { file: chime.wav } }", "lamp": "write { led: GPIO18 }",
      "light": "write { led: GPIO18 }", "dimmer": dimmed,
      "pwm": "write { led: GPIO18, pwm: required }, or { servo: GPIO18 }", "esc": "write { servo: GPIO12, arm: 2s }",
      "piezo": "write { buzzer: GPIO18, tones: true }", "beeper": "write { buzzer: GPIO18 }",
      "dc-motor": "write { motor: [GPIO5, GPIO6] }",
      "rgbw": "write { rgb: [GPIO12, GPIO13, GPIO19, GPIO26] }", "rgbled": "write { rgb: [GPIO12, GPIO13, GPIO19] }",
      "pump": relay, "fan": relay, "valve": relay, "solenoid": relay, "lock": relay,
      "midi": missing("MIDI outputs"),
      "neopixel": strip, "neopixels": strip, "ws2811": strip, "ws2812": strip, "ws2812b": strip,
      "sk6812": "write { strip: { sk6812: 60, spi: 0.0 } }", "apa102": "write { strip: { apa102: 60, spi: 0.0 } }",
      "dotstar": "write { strip: { apa102: 60, spi: 0.0 } }",
      "dac": level, "analog": level, "mcp4725": level,
      "mcp4728": "write { level: { sheet: mcp4728, output: A } }",
      "lcd": "write { display: { i2c: 0x27 } }", "oled": screen, "ssd1306": screen,
      "sh1106": "write { screen: { sh1106: 0x3C } }", "e-paper": missing("e-paper displays"),
      "tm1637": "write { digits: { tm1637: [GPIO20, GPIO21] } }",
      "max7219": "write { digits: { max7219: 8, spi: 0.0 } }", "ht16k33": digits,
      "7-segment": digits, "seven-segment": digits, "segments": digits,
    ],
    .sound: [
      "wav": "write { file: chime.wav }", "path": "write { file: chime.wav }",
      "mp3": "write { file: chime.mp3 }",
      "ogg": "write { file: chime.ogg }",
      "beep": "write { tone: 2kHz }", "note": "write { tone: 440Hz }", "frequency": "write { tone: 440Hz }",
    ],
    .chip: [
      "mcp23008": "write { expander: mcp23008 }", "mcp23017": "write { expander: mcp23017 }",
      "pcf8574": "write { expander: pcf8574 }", "tca9555": "write { expander: tca9555 }",
      "mpr121": "write { sheet: mpr121 }", "cap1188": "write { sheet: cap1188 }",
      "mcp4725": "a DAC is an output: { level: { sheet: mcp4725 } }",
      "74hc595": shiftRegister, "hc595": shiftRegister, "pca9685": "write { pwm: pca9685 }",
      "ads1115": analogDevice("ads1015", overlay: "ads1115,cha_enable"), "mcp3008": analog,
    ],
    .sensorSource: [
      "ds18b20": "write { w1: any }", "ds18s20": "write { w1: any }",
      "hcsr04": "write { distance: [GPIO23, GPIO24] }", "hc-sr04": "write { distance: [GPIO23, GPIO24] }",
      "adc": "write { iio: mcp3008, channel: voltage0 }", "uart": serialSource, "tty": serialSource,
      "gps": "write { serial: /dev/serial0, match: \"$GPGGA,*,{latitude:nmea}\", checksum: nmea }",
    ],
    .display: [
      "ssd1306": otherScreen, "sh1106": "an OLED is an output of its own: { screen: { sh1106: 0x3C } }",
      "oled": otherScreen,
      "tm1637": "seven-segment digits are an output of their own: { digits: { tm1637: [GPIO20, GPIO21] } }",
      "max7219": "seven-segment digits are an output of their own: { digits: { max7219: 8 } }",
      "ht16k33": "seven-segment digits are an output of their own: { digits: { ht16k33: 0x70 } }",
    ],
  ]

  private static let reader =
    "a reader that types like a keyboard is a code: { code: { keys: DEVICE }, known: { anna: 0008312345 } }"
  private static let keyboard = "write { keys: [a, b], device: DEVICE } with the name of the input device"
  private static let infrared =
    "write { keys: [playpause], device: gpio_ir_recv } and load dtoverlay=gpio-ir,gpio_pin=17"
  private static let motion = "a motion sensor is a switch: { switch: GPIO17, pull: down }"
  private static let analog =
    "an analog input is a sensor: { sensor: { iio: mcp3008, channel: voltage0 }, min: 0, max: 3.3, decimals: 1 }"
  private static let tag = "write { tag: { mfrc522: 0.0 }, known: { anna: 04A2B3C4 } }"
  private static let pulses = "write { sensor: { pulses: GPIO24 }, min: 0, max: 1000 }"
  private static let selector = "write { selector: { off: none, slow: GPIO5, fast: GPIO6 } }"
  private static let thermometer = "write { sensor: { w1: any }, min: -20, max: 60 }"
  private static let distance = "write { sensor: { distance: [GPIO23, GPIO24] }, min: 0, max: 4000 }"
  private static let serialSource = "write { serial: /dev/serial0, match: \"t={temperature}\" }"
  private static let serial =
    "a device that sends text is a sensor: { sensor: { serial: /dev/serial0, match: \"t={temperature}\" }, min: 0, max: 50 }"
  private static let gps =
    "write { sensor: { serial: /dev/serial0, match: \"$GPGGA,*,{latitude:nmea}\", checksum: nmea }, min: -90, max: 90, decimals: 3 }"
  private static let relay = "a device that only switches on and off is a relay: { relay: GPIO18 }"
  private static let strip = "write { strip: { ws2812: 60, spi: 0.0 } }"
  private static let dimmed = "dim a lamp where a state shows it: { led: GPIO18 } and show: { NAME: { level: 0.3 } }"
  private static let shiftRegister = "write { shift-register: { data: GPIO5, clock: GPIO6, latch: GPIO13 } }"
  private static let otherScreen = "an OLED is an output of its own: { screen: { ssd1306: 0x3C } }"
  private static let screen = "write { screen: { ssd1306: 0x3C } }"
  private static let level = "write { level: { sheet: mcp4725, i2c: 0x60 } }"
  private static let touchChip = "write chips: { pads: { sheet: mpr121 } } and an input { button: pads.0 }"
  private static let digits = "write { digits: { ht16k33: 0x70 } }"

  private static func analogDevice(_ name: String, overlay: String) -> String {
    "write { sensor: { iio: \(name), channel: voltage0 }, min: 0, max: 3.3, decimals: 1 } and load dtoverlay=\(overlay)"
  }

  private static func missing(_ devices: String) -> String {
    "\(devices) are not supported yet; you can write a kind for them in Swift (docs/swift/kinds.md)"
  }

  /// The advice for a key that a kind does not have; nil for an unknown word.
  static func of(_ key: String, amongKeysOf place: FieldSet) -> String? {
    let isKnob = place.keys.contains { $0.name == "edges" }
    guard isKnob, ["detent", "detents", "steps", "resolution", "half", "period"].contains(key) else { return nil }
    return "write edges: 2 for a knob whose contacts make two edges from one detent to the next, edges: 1 for one"
  }
}
