import CycleCore

/// Errors of a sensor on a 1-wire bus: the real sensor and the simulated one report the same text.
package struct OneWireErrorFactory {
  /// The sensor's name in messages.
  package var sensor: String

  package init(sensor: String) {
    self.sensor = sensor
  }

  package func absent(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .absent, of: sensor, cannot: "read the thermometer \(sensor)", reason: "there is no such sensor", cause: cause,
      remedy:
        "Switch the bus on (on a Raspberry Pi `dtoverlay=w1-gpio` in config.txt), and check the wires and the pull-up "
        + "of 4.7 kΩ; `ls /sys/bus/w1/devices` lists the sensors.")
  }

  package func lost() -> DriverError {
    DriverError(
      .lost, of: sensor, cannot: "read the thermometer \(sensor)", reason: "it went away while it was read",
      remedy: "Check its wires; it is read again when it is back.")
  }

  package func checksum() -> DriverError {
    DriverError(
      .failed, of: sensor, cannot: "read the thermometer \(sensor)", reason: "its checksum is wrong",
      remedy: "The bus is disturbed: check the wires and the pull-up, which long wires need stronger than 4.7 kΩ.")
  }

  package func noAnswer() -> DriverError {
    DriverError(
      .failed, of: sensor, cannot: "read the thermometer \(sensor)", reason: "it gave no reply",
      remedy: "Check its wires, its supply and the pull-up of 4.7 kΩ.")
  }

  package func powerUpValue() -> DriverError {
    DriverError(
      .failed, of: sensor, cannot: "read the thermometer \(sensor)",
      reason: "it reports 85 °C, its value after power-up, before a measurement",
      remedy: "Its supply fails while it measures: check it, and give it a wire of its own instead of the data wire.")
  }

  package func impossible(_ temperature: Temperature) -> DriverError {
    DriverError(
      .failed, of: sensor, cannot: "read the thermometer \(sensor)",
      reason: "\(temperature) is outside of what it can measure",
      remedy: "Its supply fails while it measures, or the bus is disturbed.")
  }

  package func fixedResolution(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .unsupported, of: sensor, cannot: "set the resolution of the thermometer \(sensor)",
      reason: "its resolution is fixed", cause: cause, remedy: "Leave the resolution open.")
  }

  package func notPermitted(_ operation: String, cause: DriverError.Cause? = nil) -> DriverError {
    let remedy =
      operation == "read"
      ? "Add a udev rule that lets this user read its files in /sys/bus/w1/devices."
      : "Add a udev rule that lets this user do it, or set the resolution once as root and write `save` to "
        + "/sys/bus/w1/devices/\(sensor)/eeprom_cmd, which was named eeprom before Linux 5.10."
    return DriverError(
      .notPermitted, of: sensor, cannot: "\(operation) the thermometer \(sensor)", reason: "permission denied",
      cause: cause, remedy: remedy)
  }

  package func failed(_ operation: String, _ reason: String, cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .failed, of: sensor, cannot: "\(operation) the thermometer \(sensor)", reason: reason, cause: cause,
      remedy: "Check its wires, its supply and the pull-up of 4.7 kΩ; `dmesg` may show the cause.")
  }
}
