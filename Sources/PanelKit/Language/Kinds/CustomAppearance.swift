/// An appearance that only its kind of output knows, such as the colour of a lamp.
public protocol CustomAppearance: Equatable, Sendable {
  /// The appearance as a file writes it after `show:`, for messages: `{ mood: red }`.
  var text: String { get }
  /// The indexes of the panel's values on which the appearance depends. The kind gets the values beside the appearance,
  /// and makes its model again when one of them has changed. The default is none.
  var followedValues: [Int] { get }
  /// The colour of a lamp with this appearance on the monitor's page. The default is nil, for a lamp without a colour.
  var colour: LampColour? { get }
  /// Whether the appearance changes with time, as blinking does. The default is false.
  var isMoving: Bool { get }
  /// Whether the output can keep the appearance when no program drives it, in `safe`. The default is true.
  var staysWithoutProgram: Bool { get }
}

extension CustomAppearance {
  public var followedValues: [Int] { [] }
  public var colour: LampColour? { nil }
  public var isMoving: Bool { false }
  public var staysWithoutProgram: Bool { followedValues.isEmpty }

  fileprivate func isEqual(to other: any CustomAppearance) -> Bool { other as? Self == self }
}

/// A ``CustomAppearance`` of any kind.
public struct AnyCustomAppearance: Equatable, Sendable {
  package let value: any CustomAppearance

  public static func == (first: AnyCustomAppearance, second: AnyCustomAppearance) -> Bool {
    first.value.isEqual(to: second.value)
  }
}
