import CycleCore
import HardwareDrivers
import HardwareSimulation
import Terminal
import Testing

@testable import PanelLanguage
@testable import PanelNetwork

/// Sensors as Home Assistant needs them: with unit and classes it draws a graph, and a lost one is not available.
@Suite("HA sensor: what Home Assistant is told of numbers")
struct SensorDiscoveryTests {
  private static let text = """
    panel: Größe "A" & <b>
    inputs:
      temp: { sensor: { w1: any }, min: -20, max: 60, decimals: 1, initial: 20, if-lost: keep }
      key: { button: GPIO5 }
      pad: { buttons: [ GPIO6, GPIO13 ] }
      knob: { encoder: [ GPIO16, GPIO20 ] }
      door: { switch: GPIO21, words: { on: shut, off: open } }
      mute: { switch: GPIO26 }
    outputs:
      lamp: { led: GPIO23 }
      lock: { relay: GPIO24 }
    values:
      fixed: { initial: 5, min: 5, max: 5 }
      level: { initial: 3, min: 0, max: 10 }
      time:  { initial: 30s, min: 0s, max: 5m }
      code:  { list: 4, min: 1, max: 2 }
    accept: { set: [ level, fixed, time ], press: [ key, pad(1) ], turn: [ knob ], event: [ light ] }
    mqtt: { publish: all, discovery: homeassistant }
    on: { key.pressed: { set: { level: +1 } }, pad.pressed: { set: { code: append pad } }, network.light: { set: { level: 0 } }, knob.clockwise: { set: { level: +1 } } }
    show: { lamp: on }
    initial: a
    states:
      a: { when: { temp > 50: b } }
      b: { show: { lock: on }, when: { temp < 40: a } }

    """

  /// The entity of a key, in a line.
  private func entity(_ key: String, of text: String) throws -> String? {
    let panel = try PanelFile.read(Array(text.utf8), file: "panel")
    guard case .object(let members) = HomeAssistantDiscovery(of: panel, id: "p").message,
      case .object(let entities)? = members.first(where: { $0.name == "cmps" })?.value
    else { return nil }
    return entities.first { $0.name == key }?.value.line
  }

  @Test("a thermometer has its unit and classes, and an availability of its own")
  func thermometer() throws {
    #expect(
      try entity("temp", of: Self.text)
        == #"{"p": "sensor", "unique_id": "panel_p_temp", "name": "Temp", "device_class": "temperature", "#
        + #""state_class": "measurement", "unit_of_measurement": "°C", "state_topic": "panel/p/input/temp", "#
        + #""avty": [{"t": "panel/p/availability"}, {"t": "panel/p/availability/temp"}], "avty_mode": "all"}"#)
  }

  @Test("a number sets by =, so that a negative one is no change; one that is always the same is not discovered")
  func numbers() throws {
    #expect(
      try entity("level", of: Self.text)
        == #"{"p": "number", "unique_id": "panel_p_level", "name": "Level", "min": 0, "max": 10, "step": 1, "#
        + #""state_topic": "panel/p/value/level", "command_topic": "panel/p/set/level", "#
        + #""command_template": "= {{ value }}"}"#)
    #expect(try entity("fixed", of: Self.text) == nil)
    #expect(
      try entity("time", of: Self.text)
        == #"{"p": "sensor", "unique_id": "panel_p_time", "name": "Time", "state_topic": "panel/p/value/time"}"#)
  }

  @Test(
    "unit and class are those of the source and of the file; a class only with a unit that Home Assistant takes for it",
    arguments: [
      ("{ iio: bme280, channel: temp }", "temperature", "°C"),
      ("{ iio: bme280, channel: humidityrelative }", "humidity", "%"),
      ("{ iio: bme280, channel: pressure }", "pressure", "kPa"),
      ("{ iio: bme280, channel: pressure, scale: 10, unit: hPa }", "pressure", "hPa"),
      ("{ iio: tsl2561, channel: illuminance0 }", "illuminance", "lx"),
      ("{ iio: ads1015, channel: voltage0 }", "voltage", "V"),
      ("{ iio: ads1015, channel: voltage0, scale: 30, unit: \"%\" }", nil, "%"),
      ("{ iio: x, channel: accel_x }", nil, "m/s²"), ("{ iio: x, channel: intensity0 }", nil, nil),
      ("{ hwmon: cpu_thermal, channel: temp1 }", "temperature", "°C"),
      ("{ hwmon: pwmfan, channel: fan1 }", nil, "RPM"),
      ("{ w1: any, scale: 1.8, offset: 32, unit: °F }", "temperature", "°F"), ("{ w1: any, unit: °R }", nil, "°R"),
      ("{ distance: [GPIO23, GPIO24] }", "distance", "mm"),
      ("{ distance: [GPIO23, GPIO24], scale: 0.1, unit: cm }", "distance", "cm"),
      ("{ file: /run/air }", nil, nil), ("{ file: /run/air, unit: ppm }", nil, "ppm"),
    ] as [(String, String?, String?)])
  func sources(_ source: String, _ deviceClass: String?, _ unit: String?) throws {
    let text = """
      panel: P
      inputs: { air: { sensor: \(source), min: 0, max: 100 } }
      outputs: { lamp: { led: GPIO17 } }
      mqtt: { publish: all, discovery: homeassistant }
      initial: a
      states: { a: { when: { air > 50: b } }, b: { show: { lamp: on }, when: { air < 40: a } } }

      """
    let entity = try #require(try entity("air", of: text))
    #expect(entity.contains(text: #""state_class": "measurement""#))
    let known = deviceClass.map { #""device_class": "\#($0)""# }
    #expect(known.map { entity.contains(text: $0) } ?? !entity.contains(text: "device_class"), "\(entity)")
    let told = unit.map { #""unit_of_measurement": "\#($0)""# }
    #expect(told.map { entity.contains(text: $0) } ?? !entity.contains(text: "unit_of"), "\(entity)")
  }

  @Test("a sensor's topic has numbers or None, and its availability says whether it is lost")
  func lost() throws {
    let stage = try NetworkStage(Self.text)
    func told() -> [String] {
      stage.arrived().compactMap { message in
        let parts = message.split(separator: "/", maxSplits: 2)
        return parts[2].hasPrefix("input/temp") || parts[2].hasPrefix("availability/temp") ? String(parts[2]) : nil
      }
    }
    // Before its first reading it is unknown, and not lost.
    #expect(told() == ["input/temp None", "availability/temp online"])
    try stage.take("sense temp=21.5; wait 300ms")
    #expect(told() == ["input/temp 21.5"])
    try stage.take("sense temp=-0.5; wait 300ms")
    #expect(told() == ["input/temp -0.5"])
    try stage.take("unplug temp; wait 20s")
    #expect(told() == ["input/temp None", "availability/temp offline"])
    try stage.take("plug temp; wait 20s")
    #expect(told() == ["input/temp -0.5", "availability/temp online"])
  }

  @Test(
    "a text that may be too long for a state of Home Assistant ends in an ellipsis there, and the topic has all of it")
  func long() throws {
    let text = """
      panel: P
      inputs: { key: { button: GPIO5 } }
      outputs: { lamp: { led: GPIO23 } }
      values:
        long: { list: 64, min: -999999999, max: 999999999 }
        short: { list: 60, min: 0, max: 9 }
      mqtt: { publish: all, discovery: homeassistant }
      on: { key.pressed: { set: { long: append -999999999, short: append 7 } } }
      show: { lamp: on }
      initial: a
      states: { a: }

      """
    let template = #""value_template": "{{ value if value | length <= 255 else value[:254] ~ '…' }}""#
    #expect(try entity("long", of: text)?.contains(text: template) == true)
    #expect(try entity("short", of: text)?.contains(text: "template") == false)
    let stage = try NetworkStage(text)
    for _ in 0..<64 { try stage.take("click key; wait 100ms") }
    try stage.take("wait 1s")
    let list = "[" + Array(repeating: "-999999999", count: 64).joined(separator: ",") + "]"
    #expect(stage.broker.retained["panel/p/value/long"] == list && list.utf8.count == 705)
  }

  @Test("an id with a point is written without it where Home Assistant takes none")
  func point() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "panel")
    let topics = PanelTopics(of: panel, id: "hall.1", fixed: [])
    #expect(topics.name(of: .discovery) == "homeassistant/device/panel_hall-1/config")
    #expect(topics.name(of: .value(0)) == "panel/hall.1/value/fixed")
    #expect(
      HomeAssistantDiscovery(of: panel, id: "hall.1").message.line.contains(text: #""unique_id": "panel_hall-1_temp""#))
  }
}
