import HardwareDrivers
import PanelWiring

/// A kind of device that a panel file can name, such as `button` in `bell: { button: GPIO17 }`. A value of the type is
/// one device of a file, with its settings.
///
/// A kind is one file with its name, its settings, its driver, its scenario steps, and its look. It is either an
/// ``InputKind`` or an ``OutputKind``. A kind on GPIO lines is a `LineInputKind` or a `LineOutputKind`, which
/// require the least code. Add it to the list of kinds for `PanelCommand.main(kinds:)`.
public protocol DeviceKind: Equatable, Sendable {
  /// The keys that a file can write for such a device; the first one names the kind.
  static var grammar: FieldSet { get }
  /// The name of the kind's devices in messages, and of their lens: `buttons`.
  static var plural: String { get }

  /// Reads the settings of one device. Adds a problem for each wrong one. Returns nil if they don't give a device.
  init?(reading fields: DeviceFields)

  /// The GPIO lines of the device, as the file names them.
  var lines: [String] { get }
  /// The wiring of the device in the picture of the panel's wiring; nil for a device without its own wires. The default
  /// is a box with a terminal for each line.
  func wiring(named name: String) -> WiringPlan.Device?
}

extension DeviceKind {
  public static var plural: String { grammar.keys[0].name + "s" }
  /// The kind with its article: `a button`.
  package static var phrase: String { grammar.name }

  /// A box with a terminal for each line; nil for a device without lines.
  public func wiring(named name: String) -> WiringPlan.Device? {
    lines.isEmpty
      ? nil
      : WiringPlan.Device(
        named: name, kind: Self.grammar.summary, isInput: self is any InputKind,
        .box(Self.grammar.keys[0].name, lines: lines.enumerated().map { ($1, "\($0 + 1)") }))
  }

  package func isEqual(to other: any DeviceKind) -> Bool { other as? Self == self }
}

/// The way to operate an input. It determines the steps of a scenario and the keys of a console for it.
public enum InputControl: Equatable, Sendable {
  /// Pressed and released: `press`, `release`, `click`, `hold`.
  case button
  /// Set to one of two positions: `switch`.
  case `switch`
  /// Turned in detents: `turn`.
  case knob
  /// Gives a number: `sense`.
  case sensor
  /// Emits its events one by one, some of them with a number: `event`. A card reader is such an input. Its state is
  /// unknown until the first event.
  case events
  /// Not operated: derived from other inputs.
  case none

  /// Whether a person touches the panel to operate such an input.
  var isTouched: Bool {
    switch self {
    case .button, .switch, .knob, .events: true
    case .sensor, .none: false
    }
  }
}

/// A word that names an input in a file: a kind of device, or several devices under one name.
public protocol InputWord: Sendable {
  /// The keys that a file can write; the first one is the word itself.
  static var grammar: FieldSet { get }
  /// Whether the devices are a group, whose members are numbered from 1.
  static var isGroup: Bool { get }

  /// Reads the devices. Adds a problem for each wrong setting. Returns nil if the settings don't give a device.
  static func members(reading fields: DeviceFields) -> [any InputKind]?

  /// The ``grammar`` with those keys whose values depend on the other kinds of the list.
  static func place(in kinds: KindList) -> FieldSet
  /// The ports of the hardware that such devices need beside the lines of a chip: `[I2CBusPort.self]`. A command has an
  /// option for each, `--i2c real|simulated`, and a scenario the step `unplug: i2c`. The default is none.
  static var ports: [any Port.Type] { get }
}

extension InputWord {
  public static var ports: [any Port.Type] { [] }
  public static func place(in kinds: KindList) -> FieldSet { grammar }
  /// The key that names the devices: `button`.
  package static var word: String { grammar.keys[0].name }
  public static var isGroup: Bool { true }
}

/// A word that names an output in a file, like ``InputWord``.
public protocol OutputWord: Sendable {
  /// The keys that a file can write; the first one is the word itself.
  static var grammar: FieldSet { get }
  /// Whether the devices are a group, whose members are numbered from 1.
  static var isGroup: Bool { get }
  /// The appearances that a file can give such an output.
  static var shown: Shape { get }

  /// Reads the devices. Adds a problem for each wrong setting. Returns nil if the settings don't give a device.
  static func members(reading fields: DeviceFields) -> [any OutputKind]?
  /// The ports of the hardware that such devices need beside the lines of a chip: `[I2CBusPort.self]`. A command has an
  /// option for each, `--i2c real|simulated`, and a scenario the step `unplug: i2c`. The default is none.
  static var ports: [any Port.Type] { get }
}

extension OutputWord {
  public static var ports: [any Port.Type] { [] }
  /// The keys that a file can write for such an output: its own, and those of all outputs.
  package static var place: FieldSet { FieldSet(name: grammar.name, keys: grammar.keys + [Grammar.shownBy]) }
  package static var word: String { grammar.keys[0].name }
  public static var isGroup: Bool { true }
}

/// A kind of input.
public protocol InputKind: DeviceKind, InputWord {
  /// The way to operate such an input.
  static var control: InputControl { get }
  /// Whether an event of such an input is a touch of the panel by a person, for `untouched`. The default is true,
  /// except for sensors. Return false for an input that only reports, such as the end of a gate's travel.
  static var isTouched: Bool { get }

  /// The words of the device's events. The place in this list identifies an event.
  var events: [String] { get }
  /// Enables an event that the file reacts to; the driver must emit it.
  mutating func enable(event: Int)
  /// The words of the device's positions, the one at rest first; empty for a device without positions.
  var positions: [String] { get }
  /// Whether the device's position at the start is an event, as the file requests.
  var reportsStart: Bool { get }
  /// The place in ``positions`` of the position after an event; nil if the event does not change it.
  func position(after event: Int) -> Int?
  /// The number that the file gives the device in its group; nil for its place there, from 1.
  var number: Int? { get }
  /// The time for which a contact must be stable before it counts; zero for an input without bouncing contacts.
  var debounce: Duration { get }
  /// The longest time until a stable contact counts. It is more than ``debounce`` if contacts are polled.
  var longestDebounce: Duration { get }
  /// The scale of the numbers that the device reads, or that its events carry; nil if it has no number.
  var scale: ReadingScale? { get }
  /// Whether an event carries a number, in the device's ``scale``. It is the number of the input from then on, also in
  /// the transition that the event causes. Only a device with the control `events` has such events. The default is
  /// false.
  func carriesNumber(event: Int) -> Bool
  /// The unit of the numbers that the device reads, for people: `°C`. The default is empty, for an unknown unit.
  var unit: String { get }
  /// Home Assistant's class of the number, such as `temperature`, or of the two positions, such as `door`. The default
  /// is nil, for an input without a class.
  var deviceClass: String? { get }
  /// The source of the input's number, as a sentence for the wiring of an input without its own wires: `its number is
  /// in the file /run/air`. The default is nil.
  var origin: String? { get }
  /// The longest time until a simulated sensor has read the number of a step; zero if it reads it immediately.
  var readingDelay: Duration { get }
  /// The gesture that classifies a button's presses; nil for other inputs.
  var gesture: Gesture? { get }

  /// The name of the device's lens. Consecutive devices of a kind in the file have one driver if their names are the
  /// same.
  var lens: String { get }
  /// Those of the kind's ports that this device needs. The default is all of them.
  var usedPorts: [any Port.Type] { get }
}

/// A kind of input that is derived from other inputs. Its only driver is a clock.
package protocol DerivedInputKind: InputKind {
  /// The rule by which the input follows the others. It is complete after ``resolve(_:in:_:)``.
  var rule: Derivation { get }
  /// Whether the input emits delayed events by itself.
  var needsClock: Bool { get }
  /// Finds the inputs that it is derived from. Adds a problem for each that is wrong.
  mutating func resolve(_ name: String, in names: Names, _ problems: ProblemList)
}

extension DerivedInputKind {
  package static var control: InputControl { .none }
  package var lines: [String] { [] }
  package func wiring(named name: String) -> WiringPlan.Device? { nil }
}

extension InputKind {
  /// Whether the input's position is unknown until it has been read. A chord is not pressed until a person presses it.
  package var isReadAtStart: Bool {
    if case .chord? = derivation { return false }
    if Self.control == .events { return false }
    return !positions.isEmpty
  }

  /// Whether the number is measured, by a device that can be lost. If not, events carry it.
  package var isSensor: Bool { scale != nil && Self.control == .sensor }
  /// Whether the device has no positions, only a number that its events carry.
  package var isKnownByEvents: Bool { Self.control == .events && scale != nil && positions.isEmpty }
  /// Whether the state of the input is a number, and not one of its positions.
  package var isNumber: Bool { isSensor || isKnownByEvents }
  /// Whether the input is unknown in the first frame if nothing has been read by then.
  package var isUnknownAtStart: Bool {
    isReadAtStart || Self.control == .events && (!positions.isEmpty || scale != nil && scale?.initial == nil)
  }
  /// The events that carry a number, by their places in ``events``.
  package var carriers: [Int] {
    Self.control == .events && scale != nil ? events.indices.filter { carriesNumber(event: $0) } : []
  }

  /// The first event as the step `event` of a scenario has it: `read 0`.
  package var eventExample: String {
    guard let scale, carriers.contains(0) else { return events.first ?? "" }
    return "\(events[0]) \(scale.text(of: scale.range.lowerBound))"
  }

  /// The rule by which the input follows other inputs; nil for an input that is not derived.
  package var derivation: Derivation? { (self as? any DerivedInputKind)?.rule }

  /// The word of a position, or `unknown`.
  package func word(ofPosition position: Int) -> String {
    positions.indices.contains(position) ? positions[position] : "unknown"
  }

  public static var isTouched: Bool { control.isTouched }
  public static var isGroup: Bool { false }
  public static func members(reading fields: DeviceFields) -> [any InputKind]? { Self(reading: fields).map { [$0] } }
  public var scale: ReadingScale? { nil }
  public func carriesNumber(event: Int) -> Bool { false }
  public var readingDelay: Duration { .zero }
  public var origin: String? { nil }
  public var unit: String { "" }
  public var deviceClass: String? { nil }
  public mutating func enable(event: Int) {}
  public var positions: [String] { [] }
  public var reportsStart: Bool { false }
  public func position(after event: Int) -> Int? { nil }
  public var lens: String { Self.plural }
  public var number: Int? { nil }
  public var debounce: Duration { .zero }
  public var longestDebounce: Duration { debounce }
  public var gesture: Gesture? { nil }
  public var usedPorts: [any Port.Type] { Self.ports }
}

/// The picture of an output on the monitor's page.
public enum PagePicture: Equatable, Sendable {
  /// A round lamp with the brightness and the ``KindAppearance/colour`` of the appearance.
  case lamp
  /// A row of this number of lamps, of which the first ones are lit.
  case bar(Int)
  /// A contact that is open or closed.
  case contact
  /// A text.
  case screen

  /// The word in the description of the panel.
  package var word: String {
    switch self {
    case .lamp: "lamp"
    case .bar: "bar"
    case .contact: "contact"
    case .screen: "screen"
    }
  }
}

/// A kind of output.
public protocol OutputKind: DeviceKind, OutputWord {
  /// The appearance in the safe state unless the file sets another.
  var rest: Appearance { get }
  /// Whether the output moves, heats or opens something, such as a motor on a relay. If so, a panel file must define
  /// its behavior while the sensor that would end it is lost. The default is false.
  static var isActing: Bool { get }
  /// Whether such outputs can be in an interlock. Then each has a relay: `DrivenOutputKind.relay(on:)`. The default is
  /// false.
  static var isInterlockable: Bool { get }
  /// Whether such an output is a single lamp, so that a group of them can show a list of lamps. The default is false.
  static var isLamp: Bool { get }
  /// Home Assistant's class of such an output as a binary sensor: `light`, `lock`. The default is nil, for an output
  /// without a class.
  static var deviceClass: String? { get }
  /// The picture of the device on the monitor's page. The default is a lamp.
  var pagePicture: PagePicture { get }
  /// Reads an appearance from the file. Adds a problem and returns nil if the device can't show it.
  func appearance(reading show: ShowField) -> Appearance?

  /// The words of the events that the device reports, such as the end of a gate's way. A file reacts to
  /// `gate.arrived`, and a scenario emits it with `event: { gate: arrived }`. The place in this list identifies an
  /// event. The default is none.
  var events: [String] { get }

  /// The texts that an expectation of such a device accepts: `off or on`.
  var expectation: String { get }
  /// The look that an expectation names; nil if the device never looks like that.
  func look(named text: String) -> ObservedOutput?
  /// The look that is equivalent to an appearance in an expectation: a lamp at `{ level: 1 }` is on. The default is
  /// nil, for appearances that contain more than the look.
  func look(expecting appearance: Appearance) -> ObservedOutput?
}

extension OutputKind {
  public static var isActing: Bool { false }
  public static var isInterlockable: Bool { false }
  public static var isLamp: Bool { false }
  public static var deviceClass: String? { nil }
  public var pagePicture: PagePicture { .lamp }
  public static var isGroup: Bool { false }
  public static func members(reading fields: DeviceFields) -> [any OutputKind]? { Self(reading: fields).map { [$0] } }
  public var rest: Appearance { .off }
  public var events: [String] { [] }
  public func look(expecting appearance: Appearance) -> ObservedOutput? { nil }
}
