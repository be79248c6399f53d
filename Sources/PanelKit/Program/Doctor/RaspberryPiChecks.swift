extension DoctorCheck {
  /// Checks of a Raspberry Pi's outputs and its power supply.
  static let boardChecks = [keptOutputs, supply]

  /// Checks a parameter of the driver of a Raspberry Pi's lines.
  static let keptOutputs = DoctorCheck(7) { system in
    let path = "/sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs"
    guard system.machine.text(of: path) == "Y" else { return [] }
    return [
      .warning(
        "the kernel leaves outputs driven when a program is killed",
        "the service sets them to their safe state; if a resistor holds each output in its safe state, "
          + "dtparam=strict_gpiod in /boot/firmware/config.txt makes the kernel release them, too"
      )
    ]
  }

  static let supply = DoctorCheck(15) { system in
    let machine = system.machine
    let folder = "/sys/class/hwmon"
    let sensors = (machine.entries(of: folder) ?? []).filter { machine.text(of: "\(folder)/\($0)/name") == "rpi_volt" }
    let isLow = sensors.contains { machine.text(of: "\(folder)/\($0)/in0_lcrit_alarm") == "1" }
    let bits = machine.text(of: "/sys/devices/platform/soc/soc:firmware/get_throttled").flatMap { Int($0, radix: 16) }
    let remedy = "use the power supply made for the board, and a short cable: low voltage damages SD cards"
    if isLow || (bits ?? 0) & 1 != 0 { return [.warning("the supply's voltage is too low", remedy)] }
    guard let bits else { return sensors.isEmpty ? [] : [.ok("the supply's voltage is right")] }
    if bits & 0x1_0000 != 0 { return [.warning("the supply's voltage was too low since the start", remedy)] }
    if bits & 0xE != 0 { return [.warning("the processor is slowed down: it is too hot", "cool the board")] }
    return [.ok("the supply's voltage is right")]
  }
}
