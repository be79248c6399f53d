/// One step of a scenario, or one line typed to a simulated panel.
///
/// Inputs, outputs, sounds, values and states are indices of the ``PanelDefinition`` that it was read for.
enum Step: Equatable, Sendable {
  /// Presses a button and leaves it so.
  case press(input: Int)
  case release(input: Int)
  /// Presses and releases.
  case click(input: Int)
  /// Presses for so long, then releases.
  case hold(input: Int, Duration)
  /// Turns an encoder by this number of detents, clockwise if positive; never 0.
  case turn(input: Int, detents: Int)
  case `switch`(input: Int, on: Bool)
  case wait(Duration)
  case expect([Expectation])
  /// Prints what the panel shows now.
  case show
  case unplug(PluggableHardware)
  case plug(PluggableHardware)
  /// A sensor reads a number, in the units of its ``ReadingScale``.
  case sense(input: Int, Int)
  case unplugSensor(input: Int)
  case plugSensor(input: Int)
  /// The results that chance has next.
  case draw([Int])
  /// From here on the input's contacts bounce for this long at each press and release.
  case bounce(input: Int, Duration)
  /// Seeds the random numbers of the bounces and faults that follow.
  case seed(UInt64)
}

/// A condition that an `expect` checks.
enum Expectation: Equatable, Sendable {
  case output(Int, ObservedOutput)
  /// The index of a value, and the number expected.
  case value(Int, Int)
  /// A state, and the region that it was asked of; nil for the panel's only region of the top level.
  case state(PanelDefinition.Target, of: Int?)
  /// These sounds and no other, in any order.
  case playing([Int])
}

/// A scenario file, read against the panel that it is for.
struct Scenario: Equatable, Sendable {
  var name: String
  /// The path as the user wrote it.
  var file: String
  var steps: [PlacedStep]

  struct PlacedStep: Equatable, Sendable {
    var step: Step
    /// Where the step's word stands in the file.
    var position: Position
  }
}
