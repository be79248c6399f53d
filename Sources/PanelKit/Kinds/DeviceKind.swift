import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A kind of device that a panel file can name, as `button` in `bell: { button: GPIO17 }`. A value of the type is one device of
/// a file, with its settings.
///
/// A kind is one file: what it is called, what a file can set, its driver, what steps of a scenario do to it, and how it looks. It is
/// either an ``InputKind`` or an ``OutputKind``; on GPIO lines a ``LineInputKind`` or a ``LineOutputKind``, which need least. The list of
/// kinds that ``PanelCommand/main(kinds:)`` takes makes it known.
public protocol DeviceKind: Equatable, Sendable {
  /// The keys that a file can write for such a device; the first one names the kind.
  static var grammar: Place { get }
  /// The kind's devices in a message, which is the name of their lens too: `buttons`.
  static var plural: String { get }

  /// Reads the settings of one device. Adds a problem for each that is wrong; nil if no device can be made of them.
  init?(reading fields: DeviceFields)

  /// The GPIO lines of the device, as the file names them.
  var lines: [String] { get }
  /// How the device is wired, for the picture of the panel's wiring; nil for one without wires of its own. Unless a kind says
  /// otherwise it is a box with a terminal for each line.
  func wiring(named name: String) -> WiringPlan.Device?
}

extension DeviceKind {
  public static var plural: String { grammar.keys[0].name + "s" }
  /// The kind in a sentence: `a button`.
  static var phrase: String { grammar.name }

  /// A box with a terminal for each line; nil for a device without lines.
  public func wiring(named name: String) -> WiringPlan.Device? {
    lines.isEmpty
      ? nil
      : WiringPlan.Device(
        named: name, kind: Self.grammar.summary, isInput: self is any InputKind,
        .box(Self.grammar.keys[0].name, lines: lines.enumerated().map { ($1, "\($0 + 1)") }))
  }

  func isEqual(to other: any DeviceKind) -> Bool { other as? Self == self }
}

/// What somebody does with an input: it decides which steps of a scenario and which keys of a console operate it.
public enum InputControl: Equatable, Sendable {
  /// Pressed and released: `press`, `release`, `click`, `hold`.
  case button
  /// Set to one of two positions: `switch`.
  case `switch`
  /// Turned in detents: `turn`.
  case knob
  /// Gives a number: `sense`.
  case sensor
  /// Follows from other inputs.
  case none

  /// Whether somebody touches the panel to operate it.
  var isTouched: Bool {
    switch self {
    case .button, .switch, .knob: true
    case .sensor, .none: false
    }
  }
}

/// The world's side of a simulated input.
public enum InputWorld {
  /// Of a button or a switch.
  case contact(any ContactWorld)
  /// Of a knob.
  case knob(any KnobWorld)
  /// Of a sensor.
  case sensor(any SensorWorld)
  /// The input follows from others.
  case none
}

/// The world's side of a simulated button or switch, as steps of a scenario move it. It is a contact at a line, or another simulated part.
public protocol ContactWorld: AnyObject {
  /// How long the contact bounces when it closes or opens; without effect on a part that doesn't bounce.
  var bounce: Duration { get set }
  /// Whether it is pressed, or on.
  var isClosed: Bool { get }
  /// Presses or switches it on, and handles everything that is due now.
  func press() throws(DriverError)
  /// Releases or switches it off, and handles everything that is due now.
  func release() throws(DriverError)
  /// Has the contact touch and let go without a rest, for a time; nil until it is moved. Without effect on a part that
  /// doesn't chatter.
  func chatter(for span: Duration?)
}

extension ContactWorld {
  public func chatter(for span: Duration?) {}
}

extension Contact: ContactWorld {}

/// The world's side of a simulated knob, as steps of a scenario turn it.
public protocol KnobWorld: AnyObject {
  /// Turns it clockwise by so many detents, counterclockwise if the number is negative.
  func turn(by detents: Int) throws(DriverError)
}

extension Knob: KnobWorld {}

/// The numbers that a sensor gives: each is multiplied by 10 ^ `decimals`, so that it is whole.
public struct ReadingScale: Equatable, Sendable {
  public var range: ClosedRange<Int>
  /// 0 to 3.
  public var decimals: Int
  /// What it counts as before the first reading; in the range. Nil if it is unknown until then.
  public var initial: Int?
  /// What it counts as while the sensor is lost; in the range. Nil if it stays at the last number.
  public var lost: Int?
  /// The numbers that it can ever read: the whole range, unless its sensor can't.
  var readable: [ClosedRange<Int>]

  /// - Parameters:
  ///   - range: of the numbers; one beyond it counts as its end.
  ///   - decimals: 0 to 3.
  ///   - initial: what it counts as before the first reading, in the range; nil if it is unknown until then.
  ///   - lost: what it counts as while the sensor is lost, in the range; nil if it stays at the last number.
  public init(range: ClosedRange<Int>, decimals: Int, initial: Int? = nil, lost: Int? = nil) {
    self.range = range
    self.decimals = decimals
    self.initial = initial
    self.lost = lost
    readable = [range]
  }
}

/// What a key of an input names: a kind of device, or several devices under one name.
public protocol InputWord: Sendable {
  /// The keys that a file can write; the first one is the word itself.
  static var grammar: Place { get }
  /// Whether the devices are a group, whose members are counted from 1.
  static var isGroup: Bool { get }

  /// Reads the devices. Adds a problem for each setting that is wrong; nil if no device can be made of them.
  static func members(reading fields: DeviceFields) -> [any InputKind]?

  /// ``grammar``, where a key takes what other kinds of the list say.
  static func place(in kinds: KindList) -> Place
}

extension InputWord {
  public static func place(in kinds: KindList) -> Place { grammar }
  /// The key that names the devices: `button`.
  static var word: String { grammar.keys[0].name }
  public static var isGroup: Bool { true }
}

/// What a key of an output names, as ``InputWord``.
public protocol OutputWord: Sendable {
  /// The keys that a file can write; the first one is the word itself.
  static var grammar: Place { get }
  /// Whether the devices are a group, whose members are counted from 1.
  static var isGroup: Bool { get }
  /// What a file can have such an output show.
  static var shown: Shape { get }

  /// Reads the devices. Adds a problem for each setting that is wrong; nil if no device can be made of them.
  static func members(reading fields: DeviceFields) -> [any OutputKind]?
}

extension OutputWord {
  /// The keys that a file can write for such an output: its own, and what all outputs have.
  static var place: Place { Place(name: grammar.name, keys: grammar.keys + [Grammar.shownBy]) }
  static var word: String { grammar.keys[0].name }
  public static var isGroup: Bool { true }
}

/// A kind of input.
public protocol InputKind: DeviceKind, InputWord {
  /// What somebody does with such an input.
  static var control: InputControl { get }

  /// The words of the device's events. An event is known by its place in this list.
  var events: [String] { get }
  /// The file reacts to this event: the driver has to emit it.
  mutating func enable(event: Int)
  /// The words of the positions that the device can be in, the one at rest first; none for a device that has no positions.
  var positions: [String] { get }
  /// Whether the position in which the device is found at the start is an event of it, as the file asks.
  var reportsStart: Bool { get }
  /// The place in ``positions`` of the position that the device is in after an event; nil if the event doesn't change it.
  func position(after event: Int) -> Int?
  /// What the file calls the device in its group; nil for its place there, from 1.
  var number: Int? { get }
  /// How long a contact must be stable before it counts; zero for an input without contacts that bounce.
  var debounce: Duration { get }
  /// How long it may take until a contact that is stable counts: more than ``debounce`` where contacts are read from time to time.
  var longestDebounce: Duration { get }
  /// The numbers that the device gives; nil for one that gives none.
  var scale: ReadingScale? { get }
  /// How long it takes at most until a simulated sensor has read what a step has it sense; zero where it is read at once.
  var readingDelay: Duration { get }
  /// How the presses of a button are told apart; nil for an input that is no button.
  var gesture: Gesture? { get }

  /// The name of the device's lens. Devices of a kind that follow each other in the file have one driver if these are the same.
  var lens: String { get }
  /// The lenses of devices of this kind that follow each other in the file.
  static func lenses(of devices: [Self], in context: InputLensContext) -> PanelLenses
}

/// A kind of input with a driver of its own. A kind on GPIO lines is a ``LineInputKind``; one on other hardware gives its drivers to
/// ``InputLensContext/lenses(of:for:showing:report:)``.
public protocol DrivenInputKind: InputKind {
  /// The world's side of the device in a simulation, for the steps of ``InputKind/control``.
  func world(on chip: SimulatedChip, _ platform: Platform) -> InputWorld
}

/// A kind of input that follows from other inputs: it has no driver but a clock.
protocol DerivedInputKind: InputKind {
  /// Whether the input tells events by itself, after a time.
  var needsClock: Bool { get }
  /// Finds the inputs that it follows from. Adds a problem for each that is wrong.
  mutating func resolve(_ name: String, in names: Names, _ problems: ProblemList)
}

extension DerivedInputKind {
  static var control: InputControl { .none }
  var lines: [String] { [] }
  func wiring(named name: String) -> WiringPlan.Device? { nil }

  // A lens among those of the other inputs: what is told at one moment comes in the order of the file.
  static func lenses(of devices: [Self], in context: InputLensContext) -> PanelLenses {
    let (rules, inputs) = (context.rules, context.inputs)
    return PanelLenses(
      lenses: AnyLenses {
        Lens(
          Timer<PanelDeadline>(), name: plural,
          show: { frame in frame.isStopped ? [] : rules.derived.deadlines(of: inputs, in: frame) },
          on: { frame, event, past in
            if case .due(let deadline) = event { rules.react(to: deadline, at: past.moment, in: &frame) }
          }
        ).refusingEvents { rules.refusal(of: $0) }
      },
      journal: LensJournal(source: PanelTrouble.Source(lens: plural, hardware: nil, number: context.source)))
  }
}

extension InputKind {
  /// Whether its position is unknown until it has been read. A chord is not pressed until somebody presses it.
  var isReadAtStart: Bool { !positions.isEmpty && !(self is ChordKind) }

  /// The word of a position, which may be unknown.
  func word(ofPosition position: Int) -> String {
    positions.indices.contains(position) ? positions[position] : "unknown"
  }

  public static var isGroup: Bool { false }
  public static func members(reading fields: DeviceFields) -> [any InputKind]? { Self(reading: fields).map { [$0] } }
  public var scale: ReadingScale? { nil }
  public var readingDelay: Duration { .zero }
  public mutating func enable(event: Int) {}
  public var positions: [String] { [] }
  public var reportsStart: Bool { false }
  public func position(after event: Int) -> Int? { nil }
  public var lens: String { Self.plural }
  public var number: Int? { nil }
  public var debounce: Duration { .zero }
  public var longestDebounce: Duration { debounce }
  public var gesture: Gesture? { nil }
}

/// A kind of output.
public protocol OutputKind: DeviceKind, OutputWord {
  /// What the device shows in the safe state unless the file says otherwise.
  var rest: Appearance { get }
  /// Whether something moves, heats or opens by it, as a motor does behind a relay: a panel file has to decide what it does while the
  /// sensor is lost that would end it. False unless a kind says otherwise.
  static var isActing: Bool { get }
  /// Reads what a file has the device show. Adds a problem and returns nil if the device can't.
  func appearance(reading show: ShowField) -> Appearance?

  /// The lenses of all devices of this kind.
  static func lenses(of devices: [Self], in context: OutputLensContext) -> PanelLenses
  /// Brings the device into its safe state, and releases its lines. Throws if it can't be had.
  func show(safe: Appearance, in values: PanelValues, on hardware: PanelHardware) throws(DriverError)
  /// The lines of the device that are high while it shows this. No lines of its own unless it is a ``LineOutputKind``.
  func highLines(showing appearance: Appearance, in values: PanelValues, on chip: any GPIOChip) -> [String]

  /// The simulated display that the output is, on a simulated chip or bus; nil for any other output.
  func display(on chip: SimulatedChip?, _ platform: Platform) -> SimulatedCharacterDisplay?

  /// What an expectation of such a device takes: `off or on`.
  var expectation: String { get }
  /// The look that an expectation names; nil if the device never looks so.
  func look(named text: String) -> ObservedOutput?
  /// How the device looks while it shows this, where an expectation of the one is one of the other: a lamp at `{ level: 1 }` is on.
  /// Nil, as usual, where what is shown says more than its look.
  func look(expecting appearance: Appearance) -> ObservedOutput?
  /// How the device looks to somebody in front of it.
  func look(of appearance: Appearance, in view: OutputView) -> ObservedOutput
  /// How a console draws the device, in one line; the look's word unless a kind says otherwise.
  func picture(of look: ObservedOutput, in view: OutputView) -> String
}

extension OutputKind {
  public func highLines(showing appearance: Appearance, in values: PanelValues, on chip: any GPIOChip) -> [String] {
    []
  }
  public func display(on chip: SimulatedChip?, _ platform: Platform) -> SimulatedCharacterDisplay? { nil }
  public static var isActing: Bool { false }
  public static var isGroup: Bool { false }
  public static func members(reading fields: DeviceFields) -> [any OutputKind]? { Self(reading: fields).map { [$0] } }
  public var rest: Appearance { .off }
  public func look(expecting appearance: Appearance) -> ObservedOutput? { nil }
  public func picture(of look: ObservedOutput, in view: OutputView) -> String { "\(look)" }
}
