import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun
@testable import PanelWiring

@Suite("Serial devices in a panel")
struct SerialSourceTests {
  private static func text(_ sensors: [String]) -> String {
    """
    panel: Panel
    inputs: { \(sensors.enumerated().map { "air\($0 + 1): { sensor: \($1) }" }.joined(separator: ", ")) }
    outputs: { lamp: { led: GPIO18 } }
    initial: cool
    states:
      cool: { when: { air1 > 25: warm } }
      warm: { show: { lamp: on }, when: { air1 < 20: cool } }

    """
  }

  private static func problems(_ sensors: String...) -> [String] {
    Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(Array(text(sensors).utf8), file: "x", checkSound: { _ in nil })
    }
  }

  private static let air = "{ serial: /dev/serial0, match: 't={t};{h}', number: t }, min: -20, max: 60, if-lost: -20"
  private static let humidity = "{ serial: /dev/serial0, match: 't={t};{h}', number: h }, min: 0, max: 100"

  @Test(
    "each mistake is told with what to write",
    arguments: [
      (
        "{ serial: ttyUSB0, match: '{t}' }",
        "\"ttyUSB0\" is not the path of a serial line; write one such as /dev/serial0"
      ),
      ("{ serial: /dev/../etc/passwd, match: '{t}' }", "is not the path of a serial line"),
      ("{ serial: /dev/serial0 }", "serial has no match; write match: \"t={temperature}\""),
      ("{ serial: /dev/serial0, match: 't=' }", "the pattern \"t=\" is wrong: it has no number, such as {value}"),
      ("{ serial: /dev/serial0, match: '{a},{b}' }", "the pattern has several numbers; write number: and one of a, b"),
      ("{ serial: /dev/serial0, match: '{a},{b}', number: c }", "the pattern has no {c}; it has a, b"),
      ("{ serial: /dev/serial0, match: '{a}', checksum: nmea }", "checksum: nmea is for lines that begin with $ or !"),
      ("{ serial: /dev/serial0, match: '{a}', checksum: crc }", "\"checksum\" is \"crc\"; it takes nmea"),
      ("{ serial: /dev/serial0, match: '{a}', baud: 20 }", "\"baud\" is 20; it takes a speed in bits per second"),
      ("{ serial: /dev/serial0, match: '{a}', parity: mark }", "\"parity\" is \"mark\"; it takes none, even or odd"),
    ])
  func mistakes(source: String, message: String) {
    let problems = Self.problems("\(source), min: 0, max: 1")
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test("a sensor of a serial line has no interval, and all sensors of the line have its settings")
  func settings() {
    #expect(Self.problems(Self.air, Self.humidity) == [])
    #expect(
      Self.problems(Self.air + ", every: 1s").contains { $0.contains("is read when its device sends; leave every out") }
    )
    let other = "{ serial: /dev/serial0, match: '{x}', baud: 4800 }, min: 0, max: 1"
    #expect(
      Self.problems(Self.air, other).contains {
        $0.contains("/dev/serial0 has 4800 8N1 here, but 9600 8N1 on line 2; give both the same settings")
      })
    #expect(Self.problems("{ serial: /dev/ttyUSB0, match: '{x}' }, min: 0, max: 100") == [])
  }

  @Test("a name that changes between two starts is a note")
  func unstableName() throws {
    let sensors = ["{ serial: /dev/ttyUSB0, match: '{x}' }, min: 0, max: 100"]
    let panel = try PanelFile.read(Array(Self.text(sensors).utf8), file: "x")
    #expect(
      panel.notes.map(\.text) == [
        "/dev/ttyUSB with a number can be another adapter after a restart; write its path in /dev/serial/by-id"
      ])
  }

  @Test("a scenario senses numbers, and unplugs the device with all its sensors")
  func scenario() throws {
    let stage = try Stage(panel: Self.text([Self.air, Self.humidity]))
    #expect(
      try stage.take(
        """
        expect air1=unknown; sense air1=20; expect air1=20; expect air2=unknown; sense air1=26; expect lamp=on; \
        sense air2=55; expect air2=55; expect air1=26; wait 1m; expect air1=26; \
        unplug air1; expect air1=lost; expect air2=lost; expect lamp=off; \
        plug air2; expect air1=26; expect air2=55; expect lamp=on; \
        unplug serial; expect air1=lost; plug serial; expect air1=26
        """) == [])
  }

  @Test("scale and offset apply to what the device sends, and it sends what the scenario senses")
  func conversion() throws {
    let sensor = "{ serial: /dev/serial0, match: 'raw {x}', scale: 0.5, offset: -10 }, min: -100, max: 100"
    let stage = try Stage(panel: Self.text([sensor]))
    #expect(try stage.take("sense air1=26; expect air1=26; expect lamp=on") == [])
  }

  @Test("a line of the header is wired, and one on USB is not")
  func wiring() throws {
    func plan(_ sensors: [String]) throws -> [String] {
      WiringPlan(of: try PanelFile.read(Array(Self.text(sensors).utf8), file: "x")).devices.map(\.name)
    }
    #expect(try plan([Self.air, Self.humidity]) == ["air1, air2", "lamp"])
    #expect(try plan(["{ serial: /dev/serial/by-id/usb-gps, match: '{x}' }, min: 0, max: 100"]) == ["lamp"])
  }

  @Test("a register of Modbus is read as a sensor, and each mistake is named")
  func modbus() throws {
    func problems(_ place: String) -> [String] { Self.problems("{ modbus: \(place) }, min: 0, max: 100") }
    #expect(problems("{ serial: /dev/serial0, unit: 3, register: 0x0010, table: input, as: f32 }") == [])
    for (place, message) in [
      ("{ serial: /dev/serial0 }", "register"),
      ("{ register: 0 }", "serial"),
      (
        "{ serial: /dev/serial0, register: 70000 }",
        "\"70000\" is not a register; write 0 to 65535, or 0x0000 to 0xFFFF"
      ),
      ("{ serial: /dev/serial0, register: 0x10000 }", "is not a register"),
      ("{ serial: /dev/serial0, register: 0, unit: 0 }", "\"unit\" is \"0\""),
      ("{ serial: serial0, register: 0 }", "\"serial0\" is not the path of a serial line"),
    ] {
      #expect(problems(place).contains { $0.contains(message) }, "\(problems(place))")
    }
    #expect(
      Self.problems(Self.air, "{ modbus: { serial: /dev/serial0, register: 0 } }, min: 0, max: 1").contains {
        $0.contains("/dev/serial0 has Modbus here, and lines of text on line 2; give one another line")
      })
    let stage = try Stage(
      panel: Self.text(["{ modbus: { serial: /dev/serial0, register: 0 }, scale: 0.1 }, min: 0, max: 100"]))
    #expect(try stage.take("sense air1=26; expect lamp=on; unplug air1; expect air1=lost") == [])
  }
}
