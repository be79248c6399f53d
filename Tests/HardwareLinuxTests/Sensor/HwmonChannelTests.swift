import CycleCore
import Testing

@testable import HardwareLinux

@Suite("HwmonChannel")
struct HwmonChannelTests {
  private let chips = [
    "hwmon0": ["name": "cpu_thermal\n", "temp1_input": "48312\n", "temp1_fault": "0\n"],
    "hwmon1": [
      "name": "ina219\n", "in0_input": "8\n", "in1_input": "5104\n", "curr1_input": "-312\n",
      "power1_input": "1592000\n", "power2_average": "250000\n", "energy1_input": "7200000\n",
    ],
    "hwmon2": [
      "name": "pwmfan\n", "fan1_input": "2450\n", "pwm1": "128\n", "pwm1_enable": "1\n", "humidity1_input": "45200\n",
      "temp1_input": "0\n", "temp1_fault": "1\n",
    ],
  ]

  @Test("thousandths and millionths of the kernel become units")
  func units() throws {
    try withDevices(chips) { (folder: String) throws in
      func read(_ chip: String, _ channel: String) throws -> String {
        try reading(HwmonChannel(chip, channel, folder: folder))
      }
      #expect(try read("cpu_thermal", "temp1") == "48.312 °C")
      #expect(try read("ina219", "in0") == "0.008 V")
      #expect(try read("ina219", "in1") == "5.104 V")
      #expect(try read("ina219", "curr1") == "-0.312 A")
      #expect(try read("ina219", "power1") == "1.592 W")
      #expect(try read("ina219", "power2") == "0.25 W")
      #expect(try read("ina219", "energy1") == "7.2 J")
      #expect(try read("pwmfan", "fan1") == "2450.0 RPM")
      #expect(try read("pwmfan", "pwm1") == "128.0 ")
      #expect(try read("hwmon2", "humidity1") == "45.2 %")
      #expect(try read("1", "in1") == "5.104 V")
    }
  }

  @Test("a conversion is applied to the number in its unit")
  func conversion() throws {
    try withDevices(chips) { (folder: String) throws in
      let divider = NumberConversion(scale: 4)
      #expect(try reading(HwmonChannel("ina219", "in0", conversion: divider, folder: folder)) == "0.032 V")
    }
  }

  @Test("an input that the chip itself doesn't trust gives no number")
  func fault() throws {
    try withDevices(chips) { (folder: String) throws in
      #expect(
        failure(HwmonChannel("pwmfan", "temp1", folder: folder))
          == "failed: cannot read the sensor pwmfan temp1: the chip reports a fault of its input. "
          + "Check what is connected there, and its wires.")
    }
  }

  @Test("a chip or a channel that is not there, with those that are")
  func absent() throws {
    try withDevices(chips) { (folder: String) throws in
      #expect(
        failure(HwmonChannel("coretemp", "temp1", folder: folder))
          == "absent: cannot read the sensor coretemp temp1: there is no hwmon chip coretemp in \(folder). "
          + "There is hwmon0 (cpu_thermal), hwmon1 (ina219), hwmon2 (pwmfan).")
      #expect(
        failure(HwmonChannel("pwmfan", "temp9", folder: folder))
          == "absent: cannot read the sensor pwmfan temp9: \(folder)/hwmon2 has no channel temp9. "
          + "It has fan1, humidity1, pwm1, temp1.")
      #expect(failure(HwmonChannel("pwmfan", "../hwmon0/temp1", folder: folder)).hasPrefix("absent: "))
    }
  }
}
