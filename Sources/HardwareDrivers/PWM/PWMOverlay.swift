/// The overlay that gives lines of a Raspberry Pi their PWM channels.
///
/// **Source.** Raspberry Pi, `boot/overlays/README`: `pwm` and `pwm-2chan` for the lines that the two channels of the
/// PWM hardware reach, `pwm-gpio` for any other line, with timers of the kernel.
public struct PWMOverlay: Equatable, Sendable {
  /// The line for `config.txt`: `dtoverlay=pwm,pin=12,func=4`.
  public let text: String
  /// The GPIO lines that get a channel: one, or two.
  public let lines: [LineName]

  /// The overlay of a single line.
  ///
  /// - Parameter line: a line's name; nil if it is not one of `GPIO0` to `GPIO27`.
  public init?(for line: LineName) {
    guard let overlay = Self.all(for: [line]).first else { return nil }
    self = overlay
  }

  private init(_ text: String, _ lines: [LineName]) { (self.text, self.lines) = (text, lines) }

  /// The overlays of several lines together, without lines that are not one of `GPIO0` to `GPIO27`. Each channel of the
  /// hardware is given to the first line that it reaches.
  public static func all(for lines: [LineName]) -> [PWMOverlay] {
    let functions = [12: 4, 13: 4, 18: 2, 19: 2]
    var hardware: [(pin: Int, line: LineName)?] = [nil, nil]
    var others: [(pin: Int, line: LineName)] = []
    for line in lines {
      guard let pin = pin(of: line) else { continue }
      let channel = functions[pin] == nil ? nil : pin % 2
      if let channel, hardware[channel] == nil {
        hardware[channel] = (pin, line)
      } else {
        others.append((pin, line))
      }
    }
    let used = hardware.compactMap(\.self)
    let overlays =
      used.count == 2
      ? [
        PWMOverlay(
          "dtoverlay=pwm-2chan,pin=\(used[0].pin),func=\(functions[used[0].pin]!),pin2=\(used[1].pin),"
            + "func2=\(functions[used[1].pin]!)", used.map(\.line))
      ] : used.map { PWMOverlay("dtoverlay=pwm,pin=\($0.pin),func=\(functions[$0.pin]!)", [$0.line]) }
    return overlays + others.map { PWMOverlay("dtoverlay=pwm-gpio,gpio=\($0.pin)", [$0.line]) }
  }

  private static func pin(of line: LineName) -> Int? {
    let name = line.description
    guard name.hasPrefix("GPIO"), let number = Int(name.dropFirst(4)), (0...27).contains(number) else { return nil }
    return number
  }
}

extension PWMOverlay {
  /// The line for `config.txt` for the PCA9685 of an I²C device, such as `1-0040`; nil for any other device.
  package static func text(forDevice device: String) -> String? {
    let parts = device.split(separator: "-")
    guard parts.count == 2, Int(parts[0]) != nil, parts[1].count == 4, let number = Int(parts[1], radix: 16),
      (0x40...0x77).contains(number)
    else { return nil }
    return "dtoverlay=i2c-pwm-pca9685a,addr=0x\(parts[1].suffix(2))" + (parts[0] == "1" ? "" : ",i2c\(parts[0])")
  }
}
