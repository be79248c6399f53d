import CycleCore
import HardwareDrivers
import HardwareSimulation

/// A kind of device that a panel file can name, as `button` in `bell: { button: GPIO17 }`. A value of the type is one device of
/// a file, with its settings.
///
/// A kind is one file: what it is called, what a file can set, its driver, what steps of a scenario do to it, and how it looks.
protocol DeviceKind: Equatable, Sendable {
  /// The keys that a file can write for such a device; the first one names the kind.
  static var grammar: Place { get }
  /// The kind's devices in a message, which is the name of their lens too: `buttons`.
  static var plural: String { get }

  /// Reads the settings of one device. Adds a problem for each that is wrong; nil if no device can be made of them.
  init?(reading fields: DeviceFields)

  /// The GPIO lines of the device, as the file names them.
  var lines: [String] { get }
  /// How the device is wired, for the picture of the panel's wiring.
  func wiring(named name: String) -> WiringPlan.Device
}

extension DeviceKind {
  /// The key that names the kind: `button`.
  static var word: String { grammar.keys[0].name }
  static var plural: String { word + "s" }
  /// The kind in a sentence: `a button`.
  static var phrase: String { grammar.name }

  func isEqual(to other: any DeviceKind) -> Bool { other as? Self == self }
}

/// What a person does with an input: it decides which steps of a scenario and which keys of a console operate it.
enum InputControl: Equatable, Sendable {
  /// Pressed and released: `press`, `release`, `click`, `hold`.
  case button
  /// Set to one of two positions: `switch`.
  case `switch`
  /// Turned in detents: `turn`.
  case knob
}

/// The world's side of a simulated input.
enum InputWorld {
  case contact(Contact)
  case knob(Knob)
}

/// A kind of input.
protocol InputKind: DeviceKind {
  static var control: InputControl { get }

  /// The words of the device's events. An event is known by its place in this list.
  var events: [String] { get }
  /// The file reacts to this event: the driver has to emit it.
  mutating func enable(event: Int)
  /// The words of the positions that the device can be in, the one at rest first; none for a device that has no positions.
  var positions: [String] { get }
  /// The place in ``positions`` of the position that the device is in after an event; nil if the event doesn't change it.
  func position(after event: Int) -> Int?
  /// How long a contact must be stable before it counts; zero for an input without contacts that bounce.
  var debounce: Duration { get }

  /// The lenses of devices of this kind that follow each other in the file.
  static func lenses(of devices: [Self], in context: InputLensContext) -> PanelLenses
  func world(on chip: SimulatedChip, _ bench: Bench) -> InputWorld
}

extension InputKind {
  mutating func enable(event: Int) {}
  var positions: [String] { [] }
  func position(after event: Int) -> Int? { nil }
  var debounce: Duration { .zero }
}

/// A kind of output.
protocol OutputKind: DeviceKind {
  /// What the device shows in the safe state unless the file says otherwise.
  var rest: Appearance { get }
  /// Reads what a file has the device show. Adds a problem and returns nil if the device can't.
  func appearance(reading show: ShowField) -> Appearance?

  /// The lenses of all devices of this kind.
  static func lenses(of devices: [Self], in context: OutputLensContext) -> PanelLenses
  /// Brings the device into its safe state, and releases its lines. Throws if it can't be had.
  func show(safe: Appearance, in values: PanelShow.Values, on hardware: PanelHardware) throws(DriverError)

  /// What an expectation of such a device takes: `off or on`.
  var expectation: String { get }
  /// The look that an expectation names; nil if the device never looks so.
  func look(named text: String) -> ObservedOutput?
  /// How the device looks to somebody in front of it.
  func look(of appearance: Appearance, in view: OutputView) -> ObservedOutput
  /// How a console draws the device.
  func picture(of look: ObservedOutput, in view: OutputView) -> String
}

extension OutputKind {
  var rest: Appearance { .off }
}
