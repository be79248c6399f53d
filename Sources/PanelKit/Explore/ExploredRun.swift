import CycleCore

/// What somebody does to a panel in one run of an exploration.
struct ExploredRun: Equatable {
  /// The contacts that aren't at rest before the panel starts, by their inputs.
  var moved: [Int] = []
  var steps: [Step] = []

  var start: Scenario.Start {
    var start = Scenario.Start()
    for input in moved { start.positions[input] = 1 }
    return start
  }

  /// Without the steps that nobody could do there.
  func repaired(for panel: PanelDefinition) -> ExploredRun {
    var world = ExploredWorld(of: panel, moved: moved)
    var run = self
    run.steps = steps.filter { world.take($0) }
    return run
  }
}

/// What is so in the world around a panel: what is down, on, and pulled out. A step can be done or not because of that alone, whatever the
/// panel is doing.
struct ExploredWorld {
  private let panel: PanelDefinition
  /// The contacts that are pressed, or on.
  private(set) var closed: Set<Int>
  private(set) var unplugged: Set<PluggableHardware> = []
  /// The sensors that give a number.
  private(set) var sensing: Set<Int> = []
  /// The sensors that are pulled out, after they have given one.
  private(set) var away: Set<Int> = []
  private(set) var bounces: [Int: Duration] = [:]

  init(of panel: PanelDefinition, moved: [Int]) {
    self.panel = panel
    closed = Set(moved)
  }

  /// Does a step; false, and nothing changes, if nobody could do it now.
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
    case .hold(let input, _): return !closed.contains(input)
    case .switch(let input, let isOn): return isOn ? closed.insert(input).inserted : closed.remove(input) != nil
    case .unplug(let hardware): return !overlaps(hardware) && unplugged.insert(hardware).inserted
    case .plug(let hardware): return unplugged.remove(hardware) != nil
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

  /// Whether a part of hardware, or all of which it is a part, is pulled out.
  private func overlaps(_ hardware: PluggableHardware) -> Bool {
    guard hardware.hasLines else { return unplugged.contains(hardware) }
    return unplugged.contains(.gpio) || hardware == .gpio && unplugged.contains { $0.hasLines }
  }
}
