import HardwareDrivers
import PanelWiring

/// A kind of input.
public protocol InputKind: DeviceKind, InputDeclaration {
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
  /// The time for which a device must stay in a position until that position counts. The default is ``debounce``.
  func settlingTime(to position: Int) -> Duration
  /// The scale of the numbers that the device reads, or that its events carry; nil if it has no number.
  var scale: SensorNumberRange? { get }
  /// The reading of a sensor in the first frame, in its ``scale``; nil if it is unknown then. The default is nil.
  var readingAtStart: Int? { get }
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
  package var derivation: Derivation? { derived?.rule }

  /// The first event that leads to a position; nil if none does.
  package func event(of position: Int) -> Int? { events.indices.first { self.position(after: $0) == position } }

  /// The word of a position, or `unknown`.
  package func word(ofPosition position: Int) -> String {
    positions.indices.contains(position) ? positions[position] : "unknown"
  }

  public static var isTouched: Bool { control.isTouched }
  public static var isGroup: Bool { false }
  public static func members(reading fields: DeviceFields) -> [any InputKind]? { Self(reading: fields).map { [$0] } }
  public var scale: SensorNumberRange? { nil }
  public var readingAtStart: Int? { nil }
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
  public func settlingTime(to position: Int) -> Duration { debounce }
  public var gesture: Gesture? { nil }
  public var usedPorts: [any Port.Type] { Self.ports }
}
