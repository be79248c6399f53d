/// One step of a scenario, or one line typed to a simulated panel.
///
/// Inputs, outputs, sounds, values and states are indices of the ``PanelDefinition`` that it was read for.
enum Step: Equatable, Sendable {
  /// Presses buttons, one after the other at one moment, and leaves them so.
  case press([Int])
  case release([Int])
  /// Presses and releases each button, one after the other.
  case click([Int])
  /// Presses for so long, then releases.
  case hold(input: Int, Duration)
  /// Turns an encoder by this number of detents, clockwise if positive; never 0.
  case turn(input: Int, detents: Int)
  case `switch`(input: Int, on: Bool)
  case wait(Wait)
  /// Time passes in which the panel is told nothing that its file names, and shows nothing new.
  case nothing(Duration)
  /// The events of the panel's file since the last such step, or since the start: exactly these, in this order.
  case heard([PanelEvent])
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
  /// Another program requests the lines of devices, or releases them.
  case busy([DeviceReference])
  case idle([DeviceReference])
  /// The contact is stuck in a position, by its place in ``InputKind/positions``.
  case jam(input: Int, position: Int)
  /// The contact moves again.
  case free(input: Int)
  /// The sound card takes no samples for so long.
  case stutter(Duration)
  /// The supply fails for so long; then the panel starts anew.
  case powerCut(Duration)
  /// The panel ends and starts anew.
  case restart(Restart)
  /// From here on the input's contacts bounce for this long at each press and release.
  case bounce(input: Int, Duration)
  /// Somebody asks for something from outside.
  case remote(RemoteCommand)
  /// Another panel takes the place of this one.
  case reload(ReloadedPanel)
  /// Seeds the random numbers of the bounces, the faults and the draws that follow.
  case seed(UInt64)
}

/// The panel file of a `reload`. The steps behind it are read for that panel.
final class ReloadedPanel: Equatable, Sendable {
  let file: String
  let panel: PanelDefinition

  init(file: String, panel: PanelDefinition) {
    (self.file, self.panel) = (file, panel)
  }

  static func == (one: ReloadedPanel, other: ReloadedPanel) -> Bool {
    one === other || one.file == other.file && one.panel == other.panel
  }
}

/// How a panel ends that starts anew.
enum Restart: Equatable, Sendable {
  /// It is stopped, and saves what it keeps.
  case stop
  /// The supply fails for ``Restart/pause``: when the next save comes to a place, or at once.
  case powerCut(at: PanelFolder.Place?)

  static let pause = Duration.seconds(1)
}

/// A device of a panel, by its index.
enum DeviceReference: Hashable, Sendable {
  case input(Int)
  case output(Int)
}

/// How long a step waits.
enum Wait: Equatable, Sendable {
  case span(Duration)
  /// Until a condition holds, which must be after `atLeast` and not after `atMost`.
  case until(StatedCondition, atLeast: Duration, atMost: Duration)
  /// For the whole span, in which the condition must hold.
  case during(Duration, StatedCondition)
}

/// A condition with its text, as it is written.
struct StatedCondition: Equatable, Sendable {
  var condition: Condition
  var text: String
}

/// A condition that an `expect` checks.
enum Expectation: Equatable, Sendable {
  case output(Int, ObservedOutput)
  /// What an output shows in full, with the times of its blinking.
  case appearance(Int, Appearance)
  /// The index of a value, and the numbers that it may have.
  case value(Int, ClosedRange<Int>)
  /// The elements of a list.
  case elements(of: ListPlace, [Int])
  /// The numbers that a sensor may read, in the units of its ``ReadingScale``.
  case reading(input: Int, ClosedRange<Int>)
  /// A state, and the region that it was asked of; nil for the panel's only region of the top level.
  case state(PanelDefinition.Target, of: Int?)
  /// These sounds and no other, in any order.
  case playing([Int])
  /// The messages that were sent since the last such expectation, or since the start, in words: exactly these, in this order.
  case sent([String])
  /// The position that the panel knows an input to be in, by its place in ``InputKind/positions``.
  case position(input: Int, Int)
  case presence(PluggableHardware, isLost: Bool)
  /// The volume of everything, 0...1.
  case volume(Double)
  /// The exit status that `panel run` would end with now.
  case ended(Int32)
  case condition(StatedCondition)
}

/// A scenario file, read against the panel that it is for.
struct Scenario: Equatable, Sendable {
  var name: String
  /// The path as the user wrote it.
  var file: String
  /// One for each row of `cases`; without these one.
  var cases: [Case]

  /// What is done with a fresh panel.
  struct Case: Equatable, Sendable {
    /// `case 2 (typed 3141, end wrong)`; nil without `cases`.
    var title: String?
    var start = Start()
    var steps: [PlacedStep]

    /// Whether a step expects that the panel has ended otherwise than well: that is no failure then.
    var expectsEnd: Bool {
      steps.contains { placed in
        guard case .expect(let expectations) = placed.step else { return false }
        return expectations.contains { if case .ended(let status) = $0 { status != 0 } else { false } }
      }
    }
  }

  /// What is so before the panel starts.
  struct Start: Equatable, Sendable {
    /// Positions of contacts, by their places in ``InputKind/positions``; the others are at rest.
    var positions: [Int: Int] = [:]
    /// What sensors read, in the units of their ``ReadingScale``; the others have not been read yet.
    var readings: [Int: Int] = [:]
    /// Contacts that chatter from before the start on: for so long, or until a step moves them.
    var unsettled: [Int: Duration?] = [:]
    /// The hardware that is away.
    var missing: Set<PluggableHardware> = []
    /// The devices whose lines another program has requested.
    var busy: [DeviceReference] = []
    /// What was kept, by its name; of others nothing was.
    var kept: [String: Int] = [:]

    /// Whether some lines can't be had.
    var isIncomplete: Bool { !missing.isEmpty || !busy.isEmpty }
  }

  struct PlacedStep: Equatable, Sendable {
    var step: Step
    /// Where the step's word stands in the file.
    var position: Position
    /// The round of the `repeat` that the step is in: `round 2 of 3`; nil outside.
    var round: String?
  }

  /// A line for each `draw` whose results nothing has drawn in any case.
  ///
  /// - Parameter undrawn: how many results are left in the case with the fewest; they are the last ones of all steps.
  func notes(undrawn: Int) -> [String] {
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

  /// The name of a case in reports.
  func title(of one: Case) -> String { [name, one.title].compactMap { $0 }.joined(separator: ", ") }
}
