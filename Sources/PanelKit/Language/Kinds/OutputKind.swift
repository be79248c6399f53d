import CycleCore
import HardwareDrivers
import PanelWiring

/// A kind of output.
public protocol OutputKind: DeviceKind, OutputDeclaration {
  /// The appearance in the safe state unless the file sets another.
  var rest: OutputAppearance { get }
  /// Whether the output moves, heats or opens something, such as a motor on a relay. If so, a panel file must define
  /// its behavior while the sensor that would end it is lost. The default is false.
  static var isActing: Bool { get }
  /// Whether such outputs can be in an interlock. Then each has a relay: `DrivenOutputKind.relay(on:)`. The default is
  /// false.
  static var isInterlockable: Bool { get }
  /// The time for which the output stays off after it was on. Only a kind that can be in an interlock may return more
  /// than zero, which is the default.
  var restTime: Duration { get }
  /// Whether such an output is a single lamp, so that a group of them can show a list of lamps. The default is false.
  static var isLamp: Bool { get }
  /// Home Assistant's class of such an output as a binary sensor: `light`, `lock`. The default is nil, for an output
  /// without a class.
  static var deviceClass: String? { get }
  /// The picture of the device on the monitor's page. The default is a lamp.
  var pagePicture: PagePicture { get }
  /// Reads an appearance from the file. Adds a problem and returns nil if the device can't show it.
  func appearance(reading show: ShowField) -> OutputAppearance?

  /// Whether the device switches lines beside hardware with a port of its own, such as the direction of a motor beside
  /// its PWM. The default is false. A `LineOutputKind` has no other hardware, and doesn't need it.
  var switchesLines: Bool { get }
  /// Whether a loss of such a device is one of the chip of its lines: `gpio == lost`. The default is true.
  func isLossOfLines(_ error: DriverError) -> Bool

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
  func look(expecting appearance: OutputAppearance) -> ObservedOutput?
}

extension OutputKind {
  public static var isActing: Bool { false }
  public static var isInterlockable: Bool { false }
  public var restTime: Duration { .zero }
  public static var isLamp: Bool { false }
  public static var deviceClass: String? { nil }
  public var pagePicture: PagePicture { .lamp }
  public static var isGroup: Bool { false }
  public static func members(reading fields: DeviceFields) -> [any OutputKind]? { Self(reading: fields).map { [$0] } }
  public var rest: OutputAppearance { .off }
  public var switchesLines: Bool { false }
  public func isLossOfLines(_ error: DriverError) -> Bool { true }
  public var events: [String] { [] }
  public func look(expecting appearance: OutputAppearance) -> ObservedOutput? { nil }
}
