import HardwareDrivers
import PanelKinds

/// `up: { winch: GPIO23 }`: a motor that a relay switches. Winches that pull in opposite directions belong into an
/// interlock, which any output can be in whose device is a `Relay`.
public struct WinchKind: LineOutputKind {
  public static let grammar = FieldSet(
    name: "a winch", summary: "motor at a line, for an interlock", sample: "up: { winch: GPIO23 }",
    keys: [Key(name: "winch", takes: "a line: GPIO23", shape: .line)])
  public static var isActing: Bool { true }
  public static var deviceClass: String? { "running" }
  public static var shown: Shape { .switched }

  public let line: String
  public var lines: [String] { [line] }
  public var pagePicture: PagePicture { .contact }
  public var expectation: String { "off or on" }

  public init?(reading fields: DeviceFields) {
    guard let line = fields.line("winch") else { return nil }
    self.line = line
  }

  public func appearance(reading show: ShowField) -> OutputAppearance? { show.switched }
  public func look(named text: String) -> ObservedOutput? { text == "on" ? .on : text == "off" ? .off : nil }
  public func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    view.isActive(line, .high) ?? (appearance == .on) ? .on : .off
  }
  public func device(on chip: any GPIOChip) -> Relay { Relay(chip, line: LineName(line)) }
  public func model(of appearance: OutputAppearance, in values: PanelValues) -> Relay.Model {
    appearance == .on ? .on : .off
  }
}
