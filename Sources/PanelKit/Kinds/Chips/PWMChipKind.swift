import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `drive: { pwm: pca9685 }`: a PWM chip that the kernel drives. Its channels are the lines `drive.0` and so on.
///
/// The kernel's drivers for such chips include `pwm-pca9685`, `pwm-bcm2835`, `pwm-rp1`, `pwm-gpio` and `pwm-pio-rp1`.
///
/// **Source.** NXP, PCA9685, sections 7.1.1 and 7.3.5; the kernel's `drivers/pwm/pwm-pca9685.c`.
package struct PWMChipKind: DrivenChipKind {
  package static let grammar = FieldSet(
    name: "a PWM chip", summary: "PWM chip that Linux drives, such as a PCA9685", sample: "drive: { pwm: pca9685 }",
    keys: [
      Key(
        name: "pwm", takes: "pca9685, or the name of the device of a chip in /sys/class/pwm: 1f00098000.pwm",
        shape: .text,
        meaning: "`pca9685`, or the name of a different PWM chip"),
      Key(
        name: "address", takes: "an address 0x40...0x77: 0x40", shape: .text, usual: "`0x40`",
        meaning: "address of a PCA9685"),
      Key(
        name: "bus", takes: "a whole number 0...99", shape: .whole(0...99), usual: "`1`",
        meaning: "number of the I²C bus of a PCA9685"),
      Key(
        name: "frequency", takes: "24Hz...1526Hz", shape: .frequency, usual: "`50Hz`",
        meaning: "frequency of all channels of a PCA9685. Servos need 50 Hz. Lamps flicker less with 200 Hz"),
    ])
  package static let hasInputs = false
  package static var ports: [any Port.Type] { [PWMPort.self] }

  /// The name of the chip's device.
  private let device: String
  private let channelCount: Int
  package let pwmHertz: Int?
  /// The address of a PCA9685; nil for another chip.
  private let address: I2CAddress?

  /// The name in files of the chip that has one frequency for all channels.
  private static let pca9685 = "pca9685"
  private static let usualAddress: I2CAddress = 0x40
  /// Channels of a chip that is not a PCA9685.
  private static let mostChannels = 64

  package init?(reading fields: DeviceFields) {
    guard let field = fields["pwm"], let name = fields.text("pwm") else { return nil }
    guard name == Self.pca9685 else {
      for key in ["address", "bus", "frequency"] where fields.has(key) {
        fields.addProblem(at: key, "only a pca9685 has \(key): leave it out, or write pwm: pca9685")
        return nil
      }
      guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
        fields.problems.add(
          field.node.position,
          "\(quoted(name)) is not a PWM chip; write pca9685, or the name of a device in /sys/class/pwm")
        return nil
      }
      if let remedy = Self.remedy(for: name) {
        fields.problems.add(field.node.position, "\(quoted(name)) is not the name of a device; \(remedy)")
        return nil
      }
      guard fields.take("the PWM chip \(name)", at: "pwm") else { return nil }
      (device, channelCount, pwmHertz, address) = (name, Self.mostChannels, nil, nil)
      return
    }
    let bus = fields.whole("bus")
    let hertz = fields["frequency"].map { fields.problems.frequency($0, in: 24...1_526) }
    guard fields.has("bus") == (bus != nil), hertz != .some(nil),
      let address = fields.i2cAddress("address", of: fields.name, usual: Self.usualAddress, bus: bus ?? 1)
    else { return nil }
    guard address >= Self.usualAddress else {
      fields.addProblem(at: "address", "a PCA9685 can't be at \(address); it takes an address 0x40...0x77")
      return nil
    }
    self.address = address
    // The kernel names the device by its bus and its address: `1-0040`.
    device = "\(bus ?? 1)-00\(address.description.dropFirst(2))"
    channelCount = 16
    pwmHertz = Int(((hertz ?? nil) ?? 50).rounded())
  }

  /// The remedy for a name that is a chip with one frequency, is misspelt, or changes; nil for any other name.
  private static func remedy(for name: String) -> String? {
    if let overlay = PWMOverlay.text(forDevice: name), let address = overlay.split(separator: "=").last {
      let bus = name.prefix { $0 != "-" }
      return "for the PCA9685 at \(address.prefix(4)) write pwm: \(pca9685), address: \(address.prefix(4))"
        + (bus == "1" ? "" : ", bus: \(bus)")
    }
    if nearest(to: name.lowercased(), among: [pca9685]) != nil { return "did you mean \(quoted(pca9685))?" }
    if name.hasPrefix("pwmchip") {
      return "this number can change; write the end of: readlink /sys/class/pwm/\(name)/device"
    }
    return nil
  }

  package var choices: String { "0...\(channelCount - 1)" }

  package func line(_ text: String) -> String? {
    guard let number = Int(text), (0..<channelCount).contains(number), "\(number)" == text else { return nil }
    return text
  }

  package func pwmChannel(of line: String) -> PWMPort? {
    Int(line).map { PWMPort(.chip(device, channel: $0)) }
  }

  package func identity(of line: String, on chip: String) -> String { "channel \(line) of \(device)" }

  // MARK: - Driver

  /// The channel of a line with the chip's name.
  private func port(of line: String) -> PWMPort? {
    LineUsers.parts(of: line).flatMap { pwmChannel(of: String($0.line)) }
  }

  package func chip(in context: ChipContext) -> any GPIOChip {
    let platform = context.platform
    return PWMLineChip(hertz: pwmHertz ?? 1_000) { line in
      port(of: "\(line)").map { platform.hardware(at: $0) }
    }
  }

  /// Has all channels, because a reload can use further ones. A line is high while its channel is not low all the time.
  package func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld? {
    let names = (0..<channelCount).map { LineName("\(context.name).\($0)") }
    let outputs = SimulatedChip(chip.bench, label: context.name, names: names)
    var channels: [SimulatedPWM] = []
    for (number, name) in names.enumerated() {
      // With real channels, no world sees them.
      guard let channel = context.platform.simulated(at: PWMPort(.chip(device, channel: number))) else { break }
      channels.append(channel)
      let level: () -> Void = { [weak outputs, unowned channel] in
        guard let outputs else { return }
        outputs.line(name).drive(channel.share > 0 ? .high : .low)
      }
      level()
      channel.onChange(for: outputs, level)
    }
    if pwmHertz != nil { SimulatedPWM.sharePeriod(channels) }
    return ChipWorld(lines: outputs, hardware: PWMChannels(channels, outputs))
  }

  // MARK: - Wiring

  package var wiringKind: String { address == nil ? "PWM chip \(device)" : "PCA9685" }

  package var wiringNotes: [WiringNote] {
    guard address != nil else { return [] }
    return [
      WiringNote(
        """
        Connect VCC of the PCA9685 to 3.3 V, GND to ground, SDA and SCL to the I²C bus, and OE to ground. Servos get their \
        5 V from a supply of their own at V+, whose ground is joined with a ground of the Pi.
        """),
      WiringNote(
        "Add \(PWMOverlay.text(forDevice: device) ?? "its overlay") to config.txt for the PCA9685, and restart the Pi."),
    ]
  }
}

/// The simulated channels of one chip, and their lines.
private final class PWMChannels: SimulatedHardware {
  private let channels: [SimulatedPWM]
  private let lines: SimulatedChip

  init(_ channels: [SimulatedPWM], _ lines: SimulatedChip) { (self.channels, self.lines) = (channels, lines) }

  var isPlugged: Bool { lines.isPlugged }

  func unplug() {
    for channel in channels { channel.unplug() }
    lines.unplug()
  }

  func plug() {
    lines.plug()
    for channel in channels { channel.plug() }
  }
}
