/// What to write for devices that people look for under names which no kind has.
enum KindAdvice {
  private static let inputs = [
    "motion": motion, "pir": motion, "reed": "a reed contact is a switch: { switch: GPIO17 }",
    "key": "write { button: GPIO17 }", "touch": "a touch module is a button: { button: GPIO17, pull: down }",
    "rotary": "write { encoder: [GPIO5, GPIO6] }", "knob": "write { encoder: [GPIO5, GPIO6] }", "adc": analog,
    "analog": analog, "potentiometer": analog, "poti": analog, "thermometer": thermometer, "temperature": thermometer,
    "ds18b20": thermometer, "dht22": "write { sensor: { iio: dht11, channel: temp }, min: -40, max: 80 }",
    "ultrasonic": distance, "distance": distance, "w1": thermometer,
    "iio": "write { sensor: { iio: bme280, channel: temp }, min: -20, max: 60 }",
    "hwmon": "write { sensor: { hwmon: cpu_thermal, channel: temp1 }, min: 0, max: 100 }",
  ]
  private static let outputs = [
    "buzzer": "a buzzer that sounds by itself is { relay: GPIO18 }; for a note write sounds: { beep: { tone: 2kHz } }",
    "lamp": "write { led: GPIO18 }", "light": "write { led: GPIO18 }",
    "pwm": "a lamp is dimmed where it is shown: { led: GPIO18 } and show: { NAME: { level: 0.3 } }",
    "dimmer": "a lamp is dimmed where it is shown: { led: GPIO18 } and show: { NAME: { level: 0.3 } }",
    "motor": relay, "pump": relay, "fan": relay, "valve": relay, "solenoid": relay, "lock": relay,
    "rgb": "write three lamps: { leds: [GPIO16, GPIO20, GPIO21] }", "lcd": "write { display: { i2c: 0x27 } }",
  ]

  private static let motion = "a motion sensor is a switch: { switch: GPIO17, pull: down }"
  private static let analog =
    "an analog input is a sensor: { sensor: { iio: mcp3008, channel: voltage0 }, min: 0, max: 3.3, decimals: 1 }"
  private static let thermometer = "write { sensor: { w1: any }, min: -20, max: 60 }"
  private static let distance = "write { sensor: { distance: [GPIO23, GPIO24] }, min: 0, max: 4000 }"
  private static let relay = "what is only switched is a relay: { relay: GPIO18 }"

  /// What to write instead of a key that a kind has not; nil for a word of which nothing is known.
  static func of(_ key: String, amongKeysOf place: Place) -> String? {
    let isKnob = place.keys.contains { $0.name == "edges" }
    guard isKnob, ["detent", "detents", "steps", "resolution", "half", "period"].contains(key) else { return nil }
    return "write edges: 2 for a knob whose contacts make two edges from one detent to the next, edges: 1 for one"
  }

  /// What to write instead of a type that no kind has; nil for a word of which nothing is known.
  ///
  /// - Parameter noun: what the type is of: `input`, `output`.
  static func of(_ type: String, _ noun: String) -> String? {
    switch noun {
    case "input": inputs[type.lowercased()]
    case "output": outputs[type.lowercased()]
    default: nil
    }
  }
}
