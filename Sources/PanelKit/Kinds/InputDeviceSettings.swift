import HardwareDrivers
import PanelLanguage
import Terminal

/// The settings of all kinds on an input device.
struct InputDeviceSettings: Equatable, Sendable {
  let choice: KeyChoice
  let isGrabbed: Bool

  static let takes = "an input device: USB Keypad"
  static let meaning =
    "input device: its name as in `/proc/bus/input/devices`, a path such as "
    + "`/dev/input/by-id/usb-046d_Keypad-event-kbd`, or the numbers that `lsusb` prints, `046d:c31c`. Only one entry of "
    + "`inputs` can use it"

  static let grabKey = Key(
    name: "grab", takes: "true or false", shape: .flag, usual: "`true`",
    meaning: "whether only the panel gets the keys of the device. With `false`, they are typed into the console, too")

  /// - Parameters:
  ///   - fields: the settings with `grab`.
  ///   - device: the settings with the device, at `key`.
  ///   - key: the key of the device.
  init?(reading fields: DeviceFields, device: DeviceFields, key: String) {
    isGrabbed = fields.flag("grab") ?? true
    guard let text = device.text(key) else { return nil }
    guard let choice = KeyChoice(text) else {
      device.addProblem(at: key, "\(quoted(text)) is not an input device; write its name, as in USB Keypad")
      return nil
    }
    guard device.take("the input device \(quoted(choice.text))", at: key) else { return nil }
    self.choice = choice
  }

  var port: KeysPort { KeysPort(choice) }
}
