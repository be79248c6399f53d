import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

@Suite("LinuxOneWireSensor")
struct LinuxOneWireTests {
  private let clock = WorkClock(at: .zero)
  private let scratchpad = "4b 01 4b 46 7f ff 0c 10 d8 : crc=d8 YES\n4b 01 4b 46 7f ff 0c 10 d8 t=20687\n"

  /// A folder like the kernel's, with the files of some sensors.
  private func withSensors(_ sensors: [String: [String: String]], _ body: (String) throws -> Void) throws {
    try withFiles { folder in
      for (sensor, files) in sensors {
        #expect(mkdir("\(folder)/\(sensor)", 0o755) == 0)
        for (file, text) in files { try set(text, "\(folder)/\(sensor)/\(file)") }
      }
      try body(folder)
      for (sensor, files) in sensors {
        for file in files.keys { unlink("\(folder)/\(sensor)/\(file)") }
        rmdir("\(folder)/\(sensor)")
      }
    }
  }

  private func set(_ text: String, _ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  @Test("the first thermometer is found among other devices, and read by temperature or w1_slave")
  func reading() throws {
    try withSensors([
      "w1_bus_master1": [:], "01-000000000001": ["id": "x"], "28-0000000000b2": ["temperature": "21562\n"],
      "28-0000000000a1": ["w1_slave": scratchpad],
    ]) { (folder: String) throws in
      let first = LinuxOneWireSensor(folder: folder)
      let temperature = try first.read(on: clock)
      #expect(temperature.millidegreesCelsius == 20687)
      #expect(first.name == "28-0000000000a1")
      let other = try LinuxOneWireSensor("28-0000000000b2", folder: folder).read(on: clock)
      #expect(other.millidegreesCelsius == 21562)
    }
  }

  @Test("no bus, no sensor, and one that goes away")
  func absent() throws {
    func kind(_ sensor: LinuxOneWireSensor) -> DriverError.Kind? {
      do throws(DriverError) {
        _ = try sensor.read(on: clock)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind(LinuxOneWireSensor(folder: "/no/such/folder")) == .absent)
    try withSensors(["28-1": ["temperature": "1000\n"]]) { folder in
      #expect(kind(LinuxOneWireSensor("28-2", folder: folder)) == .absent)
      let sensor = LinuxOneWireSensor(folder: folder)
      #expect(kind(sensor) == nil)
      unlink("\(folder)/28-1/temperature")
      #expect(kind(sensor) == .absent)
      try set("\n", "\(folder)/28-1/temperature")
      #expect(kind(sensor) == .failed)
    }
  }

  @Test("the resolution is written if it is another")
  func resolution() throws {
    try withSensors(["28-1": ["temperature": "1000\n", "resolution": "12\n"], "10-1": ["temperature": "1000\n"]]) {
      folder in
      let sensor = LinuxOneWireSensor("28-1", folder: folder)
      try sensor.setResolution(9, on: clock)
      #expect(bytes(of: "\(folder)/28-1/resolution") == Array("9\n\n".utf8))
      try set("10\n", "\(folder)/28-1/resolution")
      try sensor.setResolution(10, on: clock)
      #expect(bytes(of: "\(folder)/28-1/resolution") == Array("10\n".utf8))
      #expect(throws: OneWireErrorFactory(sensor: "10-1").fixedResolution()) {
        try LinuxOneWireSensor("10-1", folder: folder).setResolution(9, on: clock)
      }
    }
    try withSensors(["28-1": ["w1_slave": scratchpad]]) { folder in
      try LinuxOneWireSensor("28-1", folder: folder).setResolution(11, on: clock)
      #expect(bytes(of: "\(folder)/28-1/w1_slave")?.prefix(3) == Array("11\n".utf8)[...])
    }
  }
}
