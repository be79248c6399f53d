/// A level of a line.
public enum ActiveLevel: String, Equatable, Sendable, CaseIterable {
  case low, high

  /// The key `active` of an output.
  public static let key = Key(
    name: "active", takes: "low or high", shape: .choice(ActiveLevel.self), usual: "`high`",
    meaning: "level of the line that switches the device on")
}
