/// The position of a motor that does not report it: the steps of a stepper, or the angle of a servo. It is an object, so
/// that the driver of an application that replaces another one continues from there.
public final class MotorPosition {
  /// The last position before the driver lost its hardware or stopped, in steps or degrees; nil before that.
  public internal(set) var value: Double?

  public init() {}
}
