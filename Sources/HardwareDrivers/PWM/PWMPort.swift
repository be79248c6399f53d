import CycleCore

/// A PWM channel: `LinuxPWM`, or `SimulatedPWM`.
public struct PWMPort: Port {
  public typealias Hardware = any PWMChannel
  public static let name = "pwm"
  public static let deviceNodes: DeviceNodes? = DeviceNodes(
    file: "export", inFolders: "/sys/class/pwm/pwmchip", group: "gpio")
  public static let help = "Use the PWM channels of this machine, or simulated ones."

  public enum ChannelChoice: Hashable, Sendable {
    /// The channel that drives this GPIO line, by the device tree: `GPIO18`.
    case line(LineName)
    /// A channel of the chip with this name: `1f00098000.pwm` 2. It is the name of the chip's device in
    /// `/sys/class/pwm/pwmchip0/device`. Numbers of chips are not used, because they change with the kernel.
    case chip(String, channel: Int)
  }

  public var choice: ChannelChoice

  public init(_ choice: ChannelChoice) {
    self.choice = choice
  }

  /// The channel that drives a GPIO line.
  public init(line: LineName) { self.init(.line(line)) }

  /// The name of the channel in messages: `GPIO18`, `1f00098000.pwm channel 2`.
  public var subject: String {
    switch choice {
    case .line(let line): line.description
    case .chip(let chip, let channel): "\(chip) channel \(channel)"
    }
  }
}
