import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import Terminal

/// `pedal: { keys: [a, b, c], device: PCsensor FootSwitch }`: a group of keys of an input device, which are buttons. A
/// value of the type is one key. All keys of a group have one driver.
package struct KeysKind: DrivenInputKind {
  package static let grammar = FieldSet(
    name: "a group of keys", summary: "group of 1 to 64 keys of a keyboard, a numeric keypad or a remote control",
    sample: "pedal: { keys: [a, b, c], device: PCsensor FootSwitch }",
    keys: [
      Key(
        name: "keys", takes: "a list of 1...64 keys: [a, b, kp1, playpause]", shape: .list(of: .text, count: 1...64),
        meaning:
          "keys by the kernel's names in lower case, without `KEY_` and `BTN_`: `enter`, `kp1`, `playpause`. `evtest` "
          + "prints the names of the keys that you press"),
      Key(
        name: "device", takes: InputDeviceSettings.takes, isRequired: true, shape: .text,
        meaning: InputDeviceSettings.meaning),
      Key(
        name: "numbers", takes: "a list of the keys' numbers: [1, 2, 3, 0]",
        shape: .list(of: .whole(numbers), count: 1...64), usual: "1, 2, 3 … in their order",
        meaning: "numbers of the keys, as in `pedal(0)`: one for each key. All numbers are different"),
      InputDeviceSettings.grabKey,
    ] + DeviceFields.gestureKeys + [DeviceFields.reportStartKey])
  package static let control = InputControl.button
  package static let isGroup = true
  package static var ports: [any Port.Type] { [KeysPort.self] }

  private static let numbers = 0...99

  /// The common settings of the keys of a group.
  struct Settings: Equatable, Sendable {
    let name: String
    let device: InputDeviceSettings
    let keys: [KeyCode]
    let numbers: [Int]
  }

  private let settings: Settings
  private var place = 0
  private var presses: GestureSettings
  package private(set) var reportsStart: Bool
}

// MARK: - Settings

extension KeysKind {
  package static func members(reading fields: DeviceFields) -> [any InputKind]? {
    guard let first = KeysKind(reading: fields) else { return nil }
    return first.settings.keys.indices.map { place in
      var key = first
      key.place = place
      return key
    }
  }

  /// The first key of the group.
  package init?(reading fields: DeviceFields) {
    presses = fields.gestures(after: nil)
    reportsStart = fields.reportsStart
    let device = InputDeviceSettings(reading: fields, device: fields, key: "device")
    guard let keys = Self.keys(fields), let numbers = Self.numbers(fields, keys.count), let device else { return nil }
    settings = Settings(name: fields.name, device: device, keys: keys, numbers: numbers)
  }

  private static func keys(_ fields: DeviceFields) -> [KeyCode]? {
    guard let elements = fields.elements("keys") else { return nil }
    var keys: [KeyCode] = []
    for element in elements {
      guard let name = element.text("keys") else { return nil }
      guard let key = KeyCode(name) else {
        element.addProblem(at: "keys", "unknown key \(quoted(name)); \(advice(for: name))")
        return nil
      }
      guard !keys.contains(key) else {
        element.addProblem(at: "keys", "the key \(quoted(name)) is in the list twice; write it once")
        return nil
      }
      keys.append(key)
    }
    return keys
  }

  private static func advice(for name: String) -> String {
    var plain = name.lowercased()
    for prefix in ["key_", "btn_"] where plain.hasPrefix(prefix) { plain = String(plain.dropFirst(4)) }
    if KeyCode(plain) != nil { return "write \(plain)" }
    if let near = KeyCode.nearestName(to: plain) { return "did you mean \(quoted(near))?" }
    return "`evtest` prints the names of the keys that you press, write them in lower case without KEY_"
  }

  /// The numbers of the keys. The default is 1, 2 and so on.
  private static func numbers(_ fields: DeviceFields, _ count: Int) -> [Int]? {
    guard fields.has("numbers") else { return Array(1...count) }
    guard let elements = fields.elements("numbers") else { return nil }
    guard elements.count == count else {
      fields.addProblem(
        at: "numbers", "\"numbers\" is a list of \(elements.count); there are \(count) keys, write one for each")
      return nil
    }
    var numbers: [Int] = []
    for element in elements {
      guard let number = element.whole("numbers") else { return nil }
      guard !numbers.contains(number) else {
        element.addProblem(at: "numbers", "two keys have the number \(number); give each key a different one")
        return nil
      }
      numbers.append(number)
    }
    return numbers
  }
}

// MARK: - A key as an input

extension KeysKind {
  package var number: Int? { settings.numbers[place] }
  package var events: [String] { ButtonEvent.words }
  package var positions: [String] { ButtonEvent.positions }
  package func position(after event: Int) -> Int? { ButtonEvent.position(after: event) }
  package var lines: [String] { [] }
  package var lens: String { "keys \(settings.name)" }
  package var hardware: [DeviceHardware] { place == 0 ? [DeviceHardware(settings.device.port)] : [] }

  package var gesture: Gesture? { presses.gesture }

  package mutating func enable(event: Int) { presses.enable(event: event) }

  package var origin: String? {
    place == 0 ? "the keys of \(settings.name) are those of the input device \(settings.device.choice.text)" : nil
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    guard let keys = platform.simulated(at: settings.device.port) else { return .none }
    return .contact(SimulatedKey(settings.keys[place], of: keys))
  }

  package static func lenses(of keys: [KeysKind], in context: InputLensContext) -> LensBundle {
    let settings = keys[0].settings
    let pressed = context.positions.indices.filter { context.positions[$0] == 1 }
    let driver = KeyButtons(
      context.platform.hardware(at: settings.device.port), keys: settings.keys, gestures: keys.compactMap(\.gesture),
      isGrabbed: settings.device.isGrabbed, pressed: context.positions.contains(nil) ? nil : pressed)
    return context.lens(of: driver, for: keys, showing: NoModel()) { event in
      switch event {
      case .pressed(let key): (key, .event(ButtonEvent.pressed))
      case .released(let key): (key, .event(ButtonEvent.released))
      case .held(let key): (key, .event(ButtonEvent.held))
      case .clicked(let key): (key, .event(ButtonEvent.clicked))
      case .doubleClicked(let key): (key, .event(ButtonEvent.doubleClicked))
      case .repeated(let key): (key, .event(ButtonEvent.repeated))
      case .multiClicked(let key, let clicks): (key, .event(ButtonEvent.place(ofClicks: clicks)))
      }
    }
  }
}

/// A key of a simulated input device, for steps of a scenario.
private final class SimulatedKey: SimulatedContact {
  private let key: KeyCode
  private let keys: SimulatedKeys
  /// The device debounces its keys.
  var bounce = Duration.zero

  init(_ key: KeyCode, of keys: SimulatedKeys) {
    self.key = key
    self.keys = keys
  }

  var isClosed: Bool { keys.down.contains(key) }

  func press() throws(DriverError) {
    keys.press(key)
    try keys.bench.settle()
  }

  func release() throws(DriverError) {
    keys.release(key)
    try keys.bench.settle()
  }
}
