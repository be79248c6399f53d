import HardwareDrivers

/// Finds the chip and the channel of a PWM port in sysfs and in the device tree.
///
/// Numbers of chips change with the kernel, so a chip is found by its device, and the channel of a line by the pins
/// that the device tree gives to that device.
///
/// **Sources.** Kernel documentation, `ABI/testing/sysfs-class-pwm`, `devicetree/bindings/pwm/pwm-gpio.yaml`,
/// `devicetree/bindings/pinctrl/brcm,bcm2835-gpio.txt`; Broadcom, BCM2835 ARM Peripherals, table 6-31; Raspberry Pi,
/// RP1 Peripherals, table 4.
struct PWMChannelFinder {
  /// A channel of a chip in sysfs.
  struct Found: Equatable {
    /// The folder of the chip: `/sys/class/pwm/pwmchip0`.
    var chip: String
    var channel: Int
  }

  private static let folder = "/sys/class/pwm"
  private static let deviceTree = "/sys/firmware/devicetree/base"
  /// The most nodes of a device tree that are searched; that of a Raspberry Pi 5 has about 1 500.
  private static let mostNodes = 20_000

  let system: any SysfsAccess

  /// The channel; nil if the machine has none.
  func find(_ choice: PWMPort.ChannelChoice) -> Found? {
    let chips = system.entries(of: Self.folder).filter { $0.hasPrefix("pwmchip") }
      .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(Self.folder)/\($0)" }
    switch choice {
    case .chip(let device, let channel):
      guard let chip = chips.first(where: { name(ofDevice: $0) == device }) else { return nil }
      return Found(chip: chip, channel: channel)
    case .line(let line):
      guard let pin = Self.pin(of: line) else { return nil }
      for chip in chips {
        if let channel = channel(of: chip, driving: pin) { return Found(chip: chip, channel: channel) }
      }
      return nil
    }
  }

  /// The names of the devices of all chips, for a message.
  var devices: [String] {
    system.entries(of: Self.folder).filter { $0.hasPrefix("pwmchip") }.compactMap {
      name(ofDevice: "\(Self.folder)/\($0)")
    }
    .sorted()
  }

  private func name(ofDevice chip: String) -> String? {
    system.target(of: "\(chip)/device")?.split(separator: "/").last.map(String.init)
  }

  /// The pin of a line of a Raspberry Pi, `GPIO18`; nil for any other name.
  private static func pin(of line: LineName) -> Int? {
    let name = line.description
    return name.hasPrefix("GPIO") ? Int(name.dropFirst(4)) : nil
  }

  private func channel(of chip: String, driving pin: Int) -> Int? {
    let node = "\(chip)/device/of_node"
    let compatible = strings(system.bytes(of: "\(node)/compatible") ?? [])
    // Software of the kernel drives the lines that its node names, one for each channel.
    let lines = cells(system.bytes(of: "\(node)/gpios") ?? [])
    for (channel, place) in stride(from: 1, to: lines.count, by: 3).enumerated() where lines[place] == pin {
      return channel
    }
    guard lines.isEmpty, pins(of: node).contains(pin) else { return nil }
    if compatible.contains("raspberrypi,rp1-pwm") { return [12: 0, 13: 1, 14: 2, 15: 3, 18: 2, 19: 3][pin] }
    if compatible.contains("brcm,bcm2835-pwm") {
      return [12: 0, 13: 1, 18: 0, 19: 1, 40: 0, 41: 1, 45: 1, 52: 0, 53: 1][pin]
    }
    return nil
  }

  /// The pins that the device tree connects to a device.
  private func pins(of node: String) -> [Int] {
    let handles = Set(cells(system.bytes(of: "\(node)/pinctrl-0") ?? []))
    guard !handles.isEmpty else { return [] }
    var pins: [Int] = []
    var folders = [pinController]
    var count = 0
    while let folder = folders.popLast(), count < Self.mostNodes {
      count += 1
      if let handle = system.bytes(of: "\(folder)/phandle").map(cells)?.first, handles.contains(handle) {
        pins += cells(system.bytes(of: "\(folder)/brcm,pins") ?? [])
        pins += strings(system.bytes(of: "\(folder)/pins") ?? []).compactMap {
          $0.hasPrefix("gpio") ? Int($0.dropFirst(4)) : nil
        }
      }
      // A property is a file, and a node is a folder. A name with a comma or a # is a property.
      folders += system.entries(of: folder).filter { !$0.contains("#") }.map { "\(folder)/\($0)" }
    }
    return pins
  }

  /// The node of the controller of the pins, as the device tree of a Raspberry Pi names it; the whole tree on another
  /// board.
  private var pinController: String {
    let path = strings(system.bytes(of: "\(Self.deviceTree)/__symbols__/gpio") ?? []).first ?? ""
    return Self.deviceTree + path
  }

  /// The numbers of a property: 32 bits each, the highest byte first.
  private func cells(_ bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count / 4 * 4, by: 4).map { place in
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  /// The texts of a property, each with a zero at its end.
  private func strings(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
