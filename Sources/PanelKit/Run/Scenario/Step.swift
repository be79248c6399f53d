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
  /// Sets the number that a sensor reads, in the units of its ``ReadingScale``.
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
  case powerCut(at: PanelFolder.PowerCut?)

  static let pause = Duration.seconds(1)
}

/// A device of a panel, by its index.
package enum DeviceReference: Hashable, Sendable {
  case input(Int)
  case output(Int)
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

/// A condition that an `expect` checks.
package enum Expectation: Equatable, Sendable {
  case output(Int, ObservedOutput)
  /// The complete appearance of an output, with its blinking times.
  case appearance(Int, Appearance)
  /// The index of a value, and the range of expected numbers.
  case value(Int, ClosedRange<Int>)
  /// The expected elements of a list.
  case elements(of: ListPlace, [Int])
  /// The expected range of a sensor's reading, in the units of its ``ReadingScale``.
  case reading(input: Int, ClosedRange<Int>)
  /// A state, and the region whose state is checked; nil for the panel's only top-level region.
  case state(PanelDefinition.Target, of: Int?)
  /// Exactly these sounds, in any order.
  case playing([Int])
  /// The exact messages, as text, that were sent since the last such expectation or the start, in this order.
  case sent([String])
  /// The position that the panel knows for an input, by its index in ``InputKind/positions``.
  case position(input: Int, Int)
  case presence(PluggableHardware, isLost: Bool)
  /// The master volume, 0...1.
  case volume(Double)
  /// The exit status with which `panel run` would end now.
  case ended(Int32)
  case condition(StatedCondition)
}

/// A scenario file that was read for a panel.
package struct Scenario: Equatable, Sendable {
  var name: String
  /// The path as the user wrote it.
  package var file: String
  /// The cases: one for each row of `cases`, or a single one without `cases`.
  package var cases: [Case]

  /// The start and the steps of one run on a new panel.
  package struct Case: Equatable, Sendable {
    /// The title: `case 2 (typed 3141, end wrong)`; nil without `cases`.
    var title: String?
    var start = Start()
    var steps: [PlacedStep]

    /// Whether a step expects an exit status other than 0: then the stop of the panel is not a failure.
    var expectsEnd: Bool {
      steps.contains { placed in
        guard case .expect(let expectations) = placed.step else { return false }
        return expectations.contains { if case .ended(let status) = $0 { status != 0 } else { false } }
      }
    }
  }

  /// The conditions before the panel starts.
  package struct Start: Equatable, Sendable {
    /// Positions of contacts, by their indices in ``InputKind/positions``; other contacts are at rest.
    package var positions: [Int: Int] = [:]
    /// The readings of sensors, in the units of their ``ReadingScale``; other sensors have no reading yet.
    var readings: [Int: Int] = [:]
    /// Contacts that chatter from before the start on: for a duration, or if it is nil, until a step moves them.
    var unsettled: [Int: Duration?] = [:]
    /// The missing hardware.
    var missing: Set<PluggableHardware> = []
    /// The devices whose lines another program has requested.
    var busy: [DeviceReference] = []
    /// The kept numbers by name; others have none.
    var kept: [String: Int] = [:]

    package init(
      positions: [Int: Int] = [:], readings: [Int: Int] = [:], unsettled: [Int: Duration?] = [:],
      missing: Set<PluggableHardware> = [], busy: [DeviceReference] = [], kept: [String: Int] = [:]
    ) {
      (self.positions, self.readings, self.unsettled, self.missing, self.busy, self.kept) = (
        positions, readings, unsettled, missing, busy, kept
      )
    }

    /// Whether some lines are not available.
    var isIncomplete: Bool { !missing.isEmpty || !busy.isEmpty }
  }

  package struct PlacedStep: Equatable, Sendable {
    package var step: Step
    /// The position of the step's word in the file.
    package var position: Position
    /// The round of the `repeat` around the step: `round 2 of 3`; nil outside a `repeat`.
    var round: String?
  }

  /// Returns a line for each `draw` whose results were not used in any case.
  ///
  /// - Parameter undrawn: the smallest number of unused results among the cases. They are the last ones of all steps.
  package func notes(undrawn: Int) -> [String] {
    var count = undrawn
    var notes: [String] = []
    for placed in cases[0].steps.reversed() {
      guard count > 0, case .draw(let drawn) = placed.step else { continue }
      let results = drawn.suffix(count).map(String.init).joined(separator: ", ")
      notes.append("\(file):\(placed.position.line):\(placed.position.column): note: no random choice used \(results)")
      count -= min(count, drawn.count)
    }
    return notes.reversed()
  }

  /// Returns the name of a case in reports.
  package func title(of one: Case) -> String { [name, one.title].compactMap { $0 }.joined(separator: ", ") }
}
