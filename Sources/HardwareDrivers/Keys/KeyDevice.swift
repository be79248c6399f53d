import CycleCore

/// An input device with keys or axes: a keyboard, a numeric keypad, a foot switch, a barcode reader, a remote control, a
/// knob.
///
/// `LinuxKeys` is a device of the kernel (`evdev`), `SimulatedKeys` is in memory.
///
/// **Source.** The kernel's `Documentation/input/event-codes`.
public protocol KeyDevice: AnyObject {
  /// The name of the device in messages, as the configuration has it.
  var name: String { get }
  /// True if the device exists. It is not opened.
  var isPresent: Bool { get }

  /// Opens the device.
  ///
  /// - Parameter isGrabbed: whether no other program gets the keys. If it is false, the console gets them as well.
  /// - Throws: kind `absent`, `busy` if another program has grabbed the device, or `notPermitted`.
  func open(isGrabbed: Bool) throws(DriverError) -> any KeyConnection

  /// Starts a watch that wakes the driver when the device may be back.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?
}

/// An input device that is open.
public protocol KeyConnection: AnyObject {
  /// Wakes the driver whenever there are events, and when the device is gone.
  func watch(_ watcher: Watcher) throws(DriverError)
  /// Appends events that have not been read, at most ``KeyEvent/mostRead``, in their order. Doesn't block. More events
  /// wake the driver again.
  ///
  /// - Throws: kind `lost` if the device is gone.
  func read(into events: inout [KeyEvent]) throws(DriverError)
  /// The keys that are down now. Drops the events of keys that have not been read.
  func pressedKeys() throws(DriverError) -> Set<KeyCode>
  /// Closes the device. Other programs get its keys again.
  func close()
}

/// One event of an input device.
public struct KeyEvent: Equatable, Sendable {
  /// The maximum number of events of one reading.
  public static var mostRead: Int { 64 }
  /// The type of events that separate or describe others, `EV_SYN`.
  public static var synchronization: UInt16 { 0 }
  /// The type of events of keys, `EV_KEY`.
  public static var key: UInt16 { 1 }
  /// The type of events of relative axes, `EV_REL`: a wheel, a knob.
  public static var relative: UInt16 { 2 }
  /// The code of a synchronization after lost events, `SYN_DROPPED`.
  public static var dropped: UInt16 { 3 }

  public var type: UInt16
  public var code: UInt16
  /// Of a key: 0 released, 1 pressed, 2 repeated because it is held down. Of a relative axis: the steps that it has moved.
  public var value: Int32
  /// The kernel's time stamp, of the clock of edges.
  public var moment: Moment

  public init(type: UInt16, code: UInt16, value: Int32, moment: Moment) {
    (self.type, self.code, self.value, self.moment) = (type, code, value, moment)
  }
}

/// Selects an input device.
public enum KeyChoice: Hashable, Sendable {
  /// By its name, as in `/proc/bus/input/devices`: the first device with keys or axes that has it.
  case named(String)
  /// By the path of its node, such as `/dev/input/by-id/usb-046d_Keyboard-event-kbd`.
  case path(String)
  /// By the numbers of its manufacturer and its product, as `lsusb` prints them: the first device with keys
  /// or axes that has them.
  case usb(vendor: UInt16, product: UInt16)

  /// Reads a path, which begins with `/`, two numbers of four hexadecimal digits, `046d:c31c`, or a name. Returns nil
  /// for a text that is empty, longer than 255 bytes, or has control characters.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 255, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isNumber = parts.count == 2 && parts.allSatisfy { $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) }
    if text.hasPrefix("/") {
      self = .path(text)
    } else if isNumber, let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16) {
      self = .usb(vendor: vendor, product: product)
    } else {
      self = .named(text)
    }
  }

  /// The choice as text, as ``init(_:)`` reads it.
  public var text: String {
    switch self {
    case .named(let name): return name
    case .path(let path): return path
    case .usb(let vendor, let product):
      let numbers = [vendor, product].map { number in
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
      }
      return numbers.joined(separator: ":")
    }
  }
}
