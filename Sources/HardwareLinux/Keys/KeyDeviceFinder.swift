import HardwareDrivers

/// Finds the node of an input device by its name or its numbers, which `/sys/class/input` has. Opens no device, so it
/// needs no right to it.
///
/// One keyboard may have several devices of one name, for its keys and for its other controls. The first with keys or
/// relative axes is taken.
struct KeyDeviceFinder {
  let files: any SysfsAccess
  let deviceFolder: String

  private static let folder = "/sys/class/input"

  /// The path of the node; nil if there is no such device.
  func path(of choice: KeyChoice) -> String? {
    if case .path(let path) = choice { return files.exists(path) ? path : nil }
    let devices = files.entries(of: Self.folder).filter { $0.hasPrefix("event") }
    let numbers = devices.compactMap { Int($0.dropFirst(5)) }.sorted()
    return numbers.first { (hasAny($0, "key") || hasAny($0, "rel")) && matches($0, choice) }.map {
      "\(deviceFolder)/event\($0)"
    }
  }

  private func matches(_ number: Int, _ choice: KeyChoice) -> Bool {
    switch choice {
    case .named(let name): text(number, "name") == name
    case .usb(let vendor, let product):
      hexadecimal(number, "id/vendor") == vendor && hexadecimal(number, "id/product") == product
    case .path: false
    }
  }

  /// Whether the bit map of the device's keys or axes has any.
  private func hasAny(_ number: Int, _ controls: String) -> Bool {
    text(number, "capabilities/\(controls)").map { $0.contains { $0 != "0" && $0 != " " } } ?? false
  }

  private func hexadecimal(_ number: Int, _ file: String) -> UInt16? {
    text(number, file).flatMap { UInt16($0, radix: 16) }
  }

  private func text(_ number: Int, _ file: String) -> String? {
    files.bytes(of: "\(Self.folder)/event\(number)/device/\(file)").map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }
}
