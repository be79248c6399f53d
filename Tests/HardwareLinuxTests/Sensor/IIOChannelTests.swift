import CycleCore
import Glibc
import HardwareDrivers
import Testing

@testable import HardwareLinux

@Suite("IIOChannel")
struct IIOChannelTests {
  private let devices = [
    "iio:device0": [
      "name": "ads1015\n", "label": "tank\n", "in_voltage0_raw": "1200\n", "in_voltage0_scale": "3.000000\n",
      "in_voltage1_raw": "-8\n", "in_voltage_scale": "2\n", "in_voltage0-voltage1_raw": "100\n",
      "in_voltage-voltage_scale": "0.5\n",
    ],
    "iio:device10": [
      "name": "bme280\n", "in_temp_input": "21560\n", "in_temp_raw": "5\n", "in_pressure_input": "101.325000000\n",
      "in_humidityrelative_input": "45200\n",
    ],
    "iio:device2": [
      "name": "mpu6050\n", "in_temp_raw": "-2352\n", "in_temp_offset": "12420\n", "in_temp_scale": "2.941176\n",
      "in_accel_x_raw": "16384\n", "in_accel_scale": "0.000598\n", "in_intensity_both_raw": "77\n", "scale": "10\n",
      "in_offset": "3\n",
    ],
    "trigger0": ["name": "ads1015\n"],
  ]

  @Test("raw numbers have the offset and the scale of their channel, their type or the whole device")
  func raw() throws {
    try withDevices(devices) { (folder: String) throws in
      #expect(try reading(IIOChannel("ads1015", "voltage0", folder: folder)) == "3.6 V")
      #expect(try reading(IIOChannel("ads1015", "voltage1", folder: folder)) == "-0.016 V")
      #expect(try reading(IIOChannel("ads1015", "voltage0-voltage1", folder: folder)) == "0.05 V")
      let temperature = try IIOChannel("mpu6050", "temp", folder: folder).readNumber(on: WorkClock(at: .zero))
      #expect((temperature - 29.611_76).magnitude < 1e-5)
      let acceleration = try IIOChannel("mpu6050", "accel_x", folder: folder).readNumber(on: WorkClock(at: .zero))
      #expect((acceleration - 9.799_426).magnitude < 1e-6)
      #expect(try reading(IIOChannel("mpu6050", "intensity_both", folder: folder)) == "800.0 ")
    }
  }

  @Test("numbers that the kernel has converted come before raw ones")
  func processed() throws {
    try withDevices(devices) { (folder: String) throws in
      #expect(try reading(IIOChannel("bme280", "temp", folder: folder)) == "21.56 °C")
      #expect(try reading(IIOChannel("bme280", "pressure", folder: folder)) == "101.325 kPa")
      #expect(try reading(IIOChannel("bme280", "humidityrelative", folder: folder)) == "45.2 %")
    }
  }

  @Test(
    "a device is found by its name, its label, its folder or its number",
    arguments: ["ads1015", "tank", "iio:device0", "0"])
  func device(name: String) throws {
    try withDevices(devices) { (folder: String) throws in
      #expect(try reading(IIOChannel(name, "voltage0", folder: folder)) == "3.6 V")
    }
  }

  @Test("a device that is called with its place is found without it, unless another one has that name")
  func place() throws {
    let place = ["name": "dht11@11\n", "in_temp_input": "21500\n"]
    try withDevices(["iio:device0": place]) { (folder: String) throws in
      #expect(try reading(IIOChannel("dht11", "temp", folder: folder)) == "21.5 °C")
      #expect(try reading(IIOChannel("dht11@11", "temp", folder: folder)) == "21.5 °C")
      #expect(throws: DriverError.self) { try reading(IIOChannel("dht", "temp", folder: folder)) }
    }
    let whole = ["name": "dht11\n", "in_temp_input": "7000\n"]
    try withDevices(["iio:device0": place, "iio:device1": whole]) { (folder: String) throws in
      #expect(try reading(IIOChannel("dht11", "temp", folder: folder)) == "7.0 °C")
    }
    try withDevices(["iio:device0": place, "iio:device1": ["name": "dht11@1b\n"]]) { (folder: String) throws in
      #expect(throws: DriverError.self) { try reading(IIOChannel("dht11", "temp", folder: folder)) }
    }
  }

  @Test("a conversion is applied to the number in its unit")
  func conversion() throws {
    try withDevices(devices) { (folder: String) throws in
      let level = NumberConversion(scale: 25, offset: -10, unit: "%")
      #expect(try reading(IIOChannel("tank", "voltage0", conversion: level, folder: folder)) == "80.0 %")
    }
  }

  @Test("where attributes of a channel may be")
  func prefixes() {
    #expect(
      IIOChannel.prefixes(of: "voltage0-voltage1")
        == ["in_voltage0-voltage1_", "in_voltage-voltage_", "in_voltage_", "in_", ""])
    #expect(IIOChannel.prefixes(of: "temp") == ["in_temp_", "in_", ""])
    #expect(IIOChannel.prefixes(of: "voltage2_i") == ["in_voltage2_i_", "in_voltage_i_", "in_voltage_", "in_", ""])
  }

  @Test("a device that is not there, with those that are")
  func noDevice() throws {
    try withDevices(devices) { (folder: String) throws in
      #expect(
        failure(IIOChannel("hx711", "voltage0", folder: folder))
          == "absent: cannot read the sensor hx711 voltage0: there is no IIO device hx711 in \(folder). "
          + "There is iio:device0 (ads1015, tank), iio:device2 (mpu6050), iio:device10 (bme280).")
    }
    try withDevices([:]) { (folder: String) throws in
      let none =
        "absent: cannot read the sensor 0 temp: there is no IIO device 0 in \(folder). "
        + "There is none: check the wires, and the overlay that loads the kernel driver."
      #expect(failure(IIOChannel("0", "temp", folder: folder)) == none)
      #expect(
        failure(IIOChannel("0", "temp", folder: "\(folder)/devices"))
          == "absent: cannot read the sensor 0 temp: there is no IIO device 0 in \(folder)/devices. "
          + "There is none: check the wires, and the overlay that loads the kernel driver.")
    }
  }

  @Test("a channel that the device doesn't have, with those that it has; a path is no channel")
  func noChannel() throws {
    try withDevices(devices) { (folder: String) throws in
      #expect(
        failure(IIOChannel("tank", "voltage7", folder: folder))
          == "absent: cannot read the sensor tank voltage7: \(folder)/iio:device0 has no channel voltage7. "
          + "It has voltage0, voltage0-voltage1, voltage1.")
      #expect(
        failure(IIOChannel("tank", "x/../../iio:device10/in_temp", folder: folder)).hasPrefix(
          "absent: cannot read the sensor tank x/../../iio:device10/in_temp: \(folder)/iio:device0 has no channel x/"))
    }
  }

  @Test("two devices of one name are not guessed between")
  func ambiguous() throws {
    let device = ["name": "ads1015\n", "in_voltage0_raw": "1\n"]
    try withDevices(["iio:device0": device, "iio:device1": device]) { (folder: String) throws in
      #expect(
        failure(IIOChannel("ads1015", "voltage0", folder: folder))
          == "misconfigured: cannot read the sensor ads1015 voltage0: iio:device0 and iio:device1 are all called ads1015. "
          + "Name one of them by its number, which may change when the system starts, or give them labels.")
      #expect(try reading(IIOChannel("1", "voltage0", folder: folder)) == "0.001 V")
    }
  }

  @Test("an input/output error while reading")
  func unreadable() throws {
    try withDevices(["iio:device0": ["name": "ads1015\n"]]) { (folder: String) throws in
      // The kernel gives EIO for the memory of a process at address 0.
      let path = "\(folder)/iio:device0/in_voltage0_raw"
      #expect(symlink("/proc/self/mem", path) == 0)
      #expect(
        failure(IIOChannel("ads1015", "voltage0", folder: folder))
          == "failed: cannot read the sensor ads1015 voltage0: its reading failed (EIO). "
          + "Check its wires and its supply; `dmesg` may show the cause.")
    }
  }

  @Test("a device that goes away and comes back under another number")
  func moved() throws {
    try withDevices(devices) { (folder: String) throws in
      let channel = IIOChannel("ads1015", "voltage0", folder: folder)
      #expect(rename("\(folder)/iio:device0", "\(folder)/gone") == 0)
      #expect(failure(channel).hasPrefix("absent: "))
      #expect(rename("\(folder)/gone", "\(folder)/iio:device5") == 0)
      #expect(try reading(channel) == "3.6 V")
    }
  }
}
