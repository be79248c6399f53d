import PanelLanguage
import PanelNetwork

/// One step of a scenario, or one line that is typed to a simulated panel.
///
/// Inputs, outputs, sounds, values and states are indices of the ``PanelDefinition`` for which the step was read.
package enum Step: Equatable, Sendable {
  /// Presses buttons one after the other in the same moment, and leaves them pressed.
  case press([Int])
  case release([Int])
  /// Presses and releases each button, one after the other.
  case click([Int])
  /// Presses for this duration, then releases.
  case hold(input: Int, Duration)
  /// Turns an encoder by this number of detents, clockwise if positive; never 0.
  case turn(input: Int, detents: Int)
  case `switch`(input: Int, on: Bool)
  case wait(Wait)
  /// Lets time pass, in which the panel must receive no event that its file names, and must not change its outputs.
  case nothing(Duration)
  /// The exact events of the panel's file since the last such step or the start, in this order.
  case heard([PanelEvent])
  case expect([Expectation])
  /// Prints what the panel shows now.
  case show
  case unplug(PluggableHardware)
  case plug(PluggableHardware)
  /// Sets the number that a sensor reads, in the units of its ``SensorNumberRange``.
  case sense(input: Int, Int)
  /// Makes an input emit an event, by its index in ``InputKind/events``, with the number that it carries.
  case event(input: Int, event: Int, number: Int?)
  case unplugSensor(input: Int)
  /// Disconnects all hardware of the port with this name.
  case unplugPort(String)
  case plugPort(String)
  case plugSensor(input: Int)
  /// The next random results.
  case draw([Int])
  /// Another program requests the lines of devices, or releases them.
  case busy([DeviceReference])
  case idle([DeviceReference])
  /// The contact sticks in a position, by its index in ``InputKind/positions``.
  case jam(input: Int, position: Int)
  /// The contact moves again.
  case free(input: Int)
  /// The sound card accepts no samples for this duration.
  case stutter(Duration)
  /// The power supply fails for this duration; then the panel starts again.
  case powerCut(Duration)
  /// The panel stops and starts again.
  case restart(Restart)
  /// From now on the input's contacts bounce for this duration at each press and release.
  case bounce(input: Int, Duration)
  /// A remote command arrives.
  case remote(RemoteCommand)
  /// Another panel replaces this one.
  case reload(ReloadedPanel)
  /// The clock is set.
  case clock(ClockTime)
  /// Seeds the random numbers of the following bounces, faults and draws.
  case seed(UInt64)
}

/// The panel file of a `reload`. The steps after it are read for that panel.
package final class ReloadedPanel: Equatable, Sendable {
  let file: String
  let panel: PanelDefinition

  init(file: String, panel: PanelDefinition) {
    (self.file, self.panel) = (file, panel)
  }

  package static func == (one: ReloadedPanel, other: ReloadedPanel) -> Bool {
    one === other || one.file == other.file && one.panel == other.panel
  }
}

/// The way a panel stops before it starts again.
package enum Restart: Equatable, Sendable {
  /// The panel stops normally, and saves its kept values.
  case stop
  /// The supply fails for ``Restart/pause``: when the next save reaches a place, or immediately if it is nil.
  case powerCut(at: KeptValuesFolder.PowerCut?)

  static let pause = Duration.seconds(1)
}

/// The length of a wait.
package enum Wait: Equatable, Sendable {
  case span(Duration)
  /// Waits until a condition holds. This must occur after `atLeast` and not after `atMost`.
  case until(StatedCondition, atLeast: Duration, atMost: Duration)
  /// Waits for the whole duration, in which the condition must hold.
  case during(Duration, StatedCondition)
}

/// A condition and its text in the file.
package struct StatedCondition: Equatable, Sendable {
  var condition: Condition
  var text: String
}
