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
      ("{ serial: /dev//serial0, match: '{t}' }", "is not the path of a serial line"),
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

  @Test("two names that can be the same line are a note")
  func twoNames() throws {
    let sensors = ["/dev/serial0", "/dev/ttyAMA0"].map { "{ serial: \($0), match: '{x}' }, min: 0, max: 100" }
    let panel = try PanelFile.read(Array(Self.text(sensors).utf8), file: "x")
    #expect(
      panel.notes.map(\.text) == [
        "/dev/ttyAMA0 and /dev/serial0 can be the same line; write the same path for one line"
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

  private static let meter =
    "{ modbus: { serial: /dev/serial0, register: 0 }, scale: 0.1 }, min: 0, max: 100, if-lost: 0"
  private static let other =
    "{ modbus: { serial: /dev/serial0, unit: 2, register: 4, table: input, as: f32 } }, min: -20, max: 60"

  @Test("Modbus devices share a simulated line: each is unplugged alone, and the line takes all of them away")
  func modbusLine() throws {
    let stage = try Stage(panel: Self.text([Self.meter, Self.other]))
    #expect(stage.names.portWords == ["serial"])
    #expect(
      try stage.take(
        """
        expect air1=unknown; sense air1=26; expect air1=26; expect lamp=on; expect air2=unknown; sense air2=-7; \
        expect air2=-7; wait 1m; unplug air1; expect air1=lost; expect lamp=off; expect air2=-7; wait 1m; expect air1=lost; \
        plug air1; expect air1=26; expect lamp=on; unplug serial; expect air1=lost; expect air2=lost; wait 1m; \
        plug serial; expect air1=26; expect air2=-7
        """) == [])
    let line = try #require(stage.session.platform.simulated(at: SerialPort("/dev/serial0")))
    // The request for unit 2, its input register 4, of two registers.
    let request: [UInt8] = [2, 4, 0, 4, 0, 2]
    #expect(line.written.indices.contains { line.written[$0...].starts(with: request) })
    let device = try #require(line.devices.compactMap { $0 as? SimulatedModbusDevice }.first { $0.unit == 1 })
    #expect(device.holding == [0: 260])
    // A wrong checksum, noise, half a reply and an exception are each one reading without a number.
    for fault in 0..<4 {
      switch fault {
      case 0: device.wrongChecksums = 1
      case 1: line.noisyBytes = 1
      case 2: device.cutReplies = 1
      default: device.exception = 4
      }
      #expect(try stage.take("wait 1100ms; expect air1=lost; expect lamp=off") == [], "\(fault)")
      device.exception = nil
      #expect(try stage.take("wait 3s; expect air1=26; expect lamp=on; expect air2=-7") == [], "\(fault)")
    }
    // A failure that lasts.
    line.lastingError = SerialErrorFactory(line.name).failed("input/output error (EIO)")
    #expect(try stage.take("wait 10s; expect air1=lost; expect air2=lost") == [])
    line.lastingError = nil
    #expect(try stage.take("wait 3s; expect air1=26; expect air2=-7") == [])
    device.replyDelay = .seconds(2)
    #expect(try stage.take("wait 3s; expect air1=lost") == [])
    device.replyDelay = .zero
    line.echoes = true
    #expect(try stage.take("wait 10s; expect air1=26; expect air2=-7") == [])
  }

  @Test("a serial device with a sheet sends frames with the numbers of the scenario, and is gone with its line")
  func sheet() throws {
    let dust = { (number: String) in
      "{ sheet: sds011, number: \(number), serial: /dev/serial0 }, min: 0, max: 900, if-lost: 0, decimals: 2"
    }
    let stage = try Stage(panel: Self.text([dust("pm25") + ", every: 100ms", dust("pm10")]))
    #expect(stage.names.portWords == ["serial"])
    #expect(
      try stage.take(
        """
        expect air1=unknown; sense air1=26.55; expect air1=26.55; expect lamp=on; expect air2=unknown; \
        sense air2=301.04; expect air2=301.04; wait 1m; expect air1=26.55; expect air2=301.04; unplug air1; expect air1=lost; \
        expect air2=lost; expect lamp=off; wait 1m; plug air2; expect air1=26.55; expect air2=301.04; unplug serial; \
        expect air1=lost; wait 1m; plug serial; expect air1=26.55; sense air1=3; expect lamp=off
        """) == [])
    let line = try #require(stage.session.platform.simulated(at: SerialPort("/dev/serial0")))
    let device = try #require(line.devices.first as? SimulatedSheetDevice)
    for fault in 0..<4 {
      switch fault {
      case 0: device.isSilent = true
      case 1: device.damagedFrames = 1_000_000
      case 2: device.cutFrames = 100_000
      default: line.lastingError = SerialErrorFactory(line.name).failed("input/output error (EIO)")
      }
      #expect(try stage.take("wait 5s; expect air1=lost; expect air2=lost") == [], "\(fault)")
      (device.isSilent, device.damagedFrames, device.cutFrames, line.lastingError) = (false, 0, 0, nil)
      #expect(try stage.take("wait 5s; expect air1=3; expect air2=301.04") == [], "\(fault)")
    }
  }
}
