/// A lamp that a driver of the kernel has: the activity LED of a Raspberry Pi, a backlight, the lamps of a keyboard.
///
/// It is used like a PWM channel: the share of a wave is the brightness, in the steps of the kernel's driver.
public struct KernelLightPort: Port {
  public typealias Hardware = any PWMChannel
  public static let name = "lights"
  public static let help = "Use the lamps of this machine's kernel, or simulated ones."
  public static let deviceNodes: DeviceNodes? = DeviceNodes(
    file: "brightness", inFolders: "/sys/class/leds/", group: "gpio")

  /// The name of the lamp in `/sys/class/leds` or `/sys/class/backlight`: `ACT`.
  public var name: String

  public init(_ name: String) {
    self.name = name
  }
}
