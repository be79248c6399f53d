import CycleCore
import HardwareDrivers
import PanelLanguage
import PanelRun

/// The input of one run of a random test.
package struct RunInput: Equatable {
  /// The inputs of the contacts that aren't at rest before the panel starts.
  package var moved: [Int] = []
  /// The time on the clock before the panel starts; nil if it is unknown.
  package var clock: ClockTime?
  package var steps: [Step] = []

  var start: Scenario.Start {
    var start = Scenario.Start()
    for input in moved { start.positions[input] = 1 }
    start.clock = clock
    return start
  }

  /// Returns the run without the steps that are impossible at their place.
  func repaired(for panel: PanelDefinition) -> RunInput {
    var world = ExploredWorld(of: panel, startedBy: self)
    var run = self
    run.steps = steps.filter { world.take($0) }
    return run
  }
}

/// The state of a simulated environment: contacts that are pressed or on, and unplugged hardware. This state alone
/// determines which steps are possible, not the state of the panel.
struct ExploredWorld {
  private let panel: PanelDefinition
  /// The contacts that are pressed or on.
  private(set) var closed: Set<Int>
  private(set) var unplugged: Set<PluggableHardware> = []
  /// The ports whose hardware is unplugged.
  private(set) var unpluggedPorts: Set<String> = []
  /// The sensors that have a reading.
  private(set) var sensing: Set<Int> = []
  /// The sensors that were unplugged after they had a reading.
  private(set) var away: Set<Int> = []
  private(set) var bounces: [Int: Duration] = [:]
  /// The time to which the clock was set last; nil while it is unknown.
  private(set) var clock: ClockTime?
  /// The time since then that waits and holds have taken.
  private(set) var passed = Duration.zero

  init(of panel: PanelDefinition, startedBy run: RunInput) {
    self.panel = panel
    closed = Set(run.moved)
    clock = run.clock
  }

  /// Performs a step. Returns false and changes nothing if the step is impossible now.
  mutating func take(_ step: Step) -> Bool {
    switch step {
    case .press(let inputs):
      guard closed.isDisjoint(with: inputs) else { return false }
      closed.formUnion(inputs)
      return true
    case .release(let inputs):
      guard closed.isSuperset(of: inputs) else { return false }
      closed.subtract(inputs)
      return true
    case .click(let inputs): return closed.isDisjoint(with: inputs)
    case .hold(let input, let span):
      guard !closed.contains(input) else { return false }
      passed += span
      return true
    case .wait(.span(let span)):
      passed += span
      return true
    case .clock(let time):
      (clock, passed) = (time, .zero)
      // A clock that is set is plugged in.
      unpluggedPorts.remove(ClockPort.name)
      return true
    case .switch(let input, let isOn): return isOn ? closed.insert(input).inserted : closed.remove(input) != nil
    case .unplug(let hardware): return !overlaps(hardware) && unplugged.insert(hardware).inserted
    case .plug(let hardware): return unplugged.remove(hardware) != nil
    case .unplugPort(let port): return unpluggedPorts.insert(port).inserted
    case .plugPort(let port): return unpluggedPorts.remove(port) != nil
    case .sense(let input, _):
      away.remove(input)
      sensing.insert(input)
      return true
    case .unplugSensor(let input): return sensing.remove(input) != nil && away.insert(input).inserted
    case .plugSensor(let input): return away.remove(input) != nil && sensing.insert(input).inserted
    case .bounce(let input, let span):
      guard bounces[input] != span else { return false }
      bounces[input] = span
      return true
    case .turn(_, let detents): return detents != 0
    default: return true
    }
  }

  /// Whether hardware is unplugged, alone or as a part of other hardware.
  private func overlaps(_ hardware: PluggableHardware) -> Bool {
    guard hardware.hasLines else { return unplugged.contains(hardware) }
    return unplugged.contains(.gpio) || hardware == .gpio && unplugged.contains { $0.hasLines }
  }
}
