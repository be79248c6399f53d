/// A serial line: `LinuxSerial`, or `SimulatedSerial`.
public struct SerialPort: Port {
  public typealias Hardware = any SerialLine
  public static let name = "serial"
  public static let help = "Use the serial lines of this machine, or simulated ones."
  // ttyUSB0, ttyACM0, ttyAMA0, ttyS0: the names of serial lines have a capital letter; those of consoles have not.
  public static let deviceNodes: DeviceNodes? = DeviceNodes(
    "tty", driver: "char-tty[A-Z]*", group: "dialout", hasCapital: true)

  /// The paths of the line on a Raspberry Pi's header: TX on pin 8, RX on pin 10.
  public static let headerPaths = ["/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"]

  /// The path of the device node: `/dev/serial0`, `/dev/ttyUSB0`, `/dev/serial/by-id/…`.
  public var path: String

  /// - Parameter path: the path of the device node. A link is followed each time that the line is opened.
  public init(_ path: String) {
    self.path = path
  }
}
