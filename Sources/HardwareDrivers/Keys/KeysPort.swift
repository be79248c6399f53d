/// An input device with keys: `LinuxKeys`, or `SimulatedKeys`.
public struct KeysPort: Port {
  public typealias Hardware = any KeyDevice
  public static let name = "keys"
  public static let help = "Use input devices of this machine (keyboards, readers), or simulated ones."
  public static let deviceNodes: DeviceNodes? = DeviceNodes("input/event", driver: "char-input", group: "input")

  public var choice: KeyChoice

  public init(_ choice: KeyChoice) { self.choice = choice }
}
