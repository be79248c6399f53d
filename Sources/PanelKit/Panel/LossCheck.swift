import Terminal

/// Finds outputs that move or heat something, and go on for ever if a sensor is lost: the way out of their state compares the sensor, and
/// nothing decides what happens without it.
struct LossCheck {
  let panel: PanelDefinition
  let problems: ProblemList
  private let tree: StateTree
  /// For each state the transitions that enter it or a state inside it.
  private let entering: [[Way]]

  /// A transition, and the event by which it is taken, if any.
  fileprivate struct Way {
    var event: PanelEvent?
    var transition: PanelDefinition.Transition
  }

  init(panel: PanelDefinition, problems: ProblemList) {
    self.panel = panel
    self.problems = problems
    let tree = StateTree(panel)
    self.tree = tree
    var entering = [[Way]](repeating: [], count: panel.states.count)
    // Only where something can be wrong: a file can have a hundred thousand states.
    for state in Self.hasUndecidedSensor(panel) ? panel.states.indices : 0..<0 {
      let around = tree.chain(from: state)
      for way in Self.ways(of: panel.states[state]) {
        guard let target = way.transition.target?.state else { continue }
        // What leads from inside a state to inside it doesn't enter it.
        for outer in tree.chain(from: target) where outer == target || !around.contains(outer) {
          entering[outer].append(way)
        }
      }
    }
    self.entering = entering
  }

  private static func hasUndecidedSensor(_ panel: PanelDefinition) -> Bool {
    panel.inputs.contains { ($0.device as? SensorKind)?.decidesLoss == false }
  }

  private static func ways(of state: PanelDefinition.State) -> [Way] {
    state.on.flatMap { reaction in reaction.transitions.map { Way(event: reaction.event, transition: $0) } }
      + (state.after.flatMap(\.transitions) + state.done + state.when).map { Way(event: nil, transition: $0) }
  }

  /// Adds a problem for each such output of a state.
  ///
  /// - Parameter shown: every place where a state shows an output.
  func addLasting(_ shown: [(output: Int, state: Int, position: Position)]) {
    guard Self.hasUndecidedSensor(panel) else { return }
    var told: Set<Position> = []
    for (output, state, position) in shown where type(of: panel.outputs[output].device).isActing {
      guard moves(output, in: state) else { continue }
      let exits = exits(from: state, endingShowOf: output)
      for (input, definition) in panel.inputs.enumerated() {
        guard let sensor = definition.device as? SensorKind, !sensor.decidesLoss, let scale = sensor.scale,
          exits.contains(where: { compares($0, input) || followsComparison($0, input) }),
          !exits.contains(where: { asksPresence($0, of: input) }),
          !panel.nevers.contains(where: { asksPresence($0.condition, of: input) }), told.insert(position).inserted
        else { continue }
        let (word, number) = stopping(exits, input, scale)
        let other = word == "max" ? "min" : "max"
        let look = panel.states[state].show.contains { $0.output == output && $0.appearance == .off } ? "off" : "on"
        let kind = type(of: panel.outputs[output].device).word
        problems.add(
          position,
          "\(kind) \(quoted(panel.outputs[output].name)) stays \(look) if sensor \(quoted(definition.name)) is lost; give "
            + "\(quoted(definition.name)) if-lost: \(word) (it then counts as \(scale.text(of: number))), \(other), a number "
            + "or keep, or react to \(definition.name) == lost in state \(panel.states[state].name)")
      }
    }
  }

  /// Whether a state shows an output otherwise than in `safe`.
  private func moves(_ output: Int, in state: Int) -> Bool {
    panel.states[state].show.contains {
      $0.output == output && ($0.selection != nil || $0.appearance != panel.safe[output])
    }
  }

  /// The transitions that leave a state, by itself or by a state around it, to one that doesn't show the output in the same way.
  private func exits(from state: Int, endingShowOf output: Int) -> [Way] {
    let show = panel.states[state].show.first { $0.output == output }
    return tree.chain(from: state).flatMap { source in
      Self.ways(of: panel.states[source]).filter { way in
        guard let target = way.transition.target?.state, !tree.chain(from: target).contains(state),
          source != 0 || tree.topRegions[target] == tree.topRegions[state]
        else { return false }
        let shown = tree.chain(from: target).lazy.compactMap { outer in
          panel.states[outer].show.first { $0.output == output }
        }.first
        return shown == nil || shown != show
      }
    }
  }

  // MARK: - What a transition depends on

  /// Whether a transition compares a sensor's number, or a computed switch that does.
  private func compares(_ way: Way, _ sensor: Int) -> Bool {
    if case .input(let input, _)? = way.event, isComputed(input, from: sensor) { return true }
    return dependsOn(sensor, way.transition.condition)
  }

  private func dependsOn(_ sensor: Int, _ condition: Condition?) -> Bool {
    var asked = Dependencies()
    asked.add(condition)
    return asked.readings.contains(sensor) || asked.positions.contains { isComputed($0, from: sensor) }
  }

  /// Whether an input is a switch that is computed from a sensor's number.
  private func isComputed(_ input: Int, from sensor: Int) -> Bool {
    guard let computed = panel.inputs[input].device as? ComputedSwitchKind else { return false }
    var asked = Dependencies()
    asked.add(computed.isOn)
    asked.add(computed.isOff)
    return asked.readings.contains(sensor)
  }

  /// Whether a transition waits for a state of another region that only comparisons with the sensor lead to.
  private func followsComparison(_ way: Way, _ sensor: Int) -> Bool {
    states(askedBy: way.transition.condition).contains { state in
      !entering[state].isEmpty && entering[state].allSatisfy { compares($0, sensor) }
    }
  }

  /// Whether a transition asks whether a sensor is there, reacts to its loss, or asks for a state that such a transition leads to.
  private func asksPresence(_ way: Way, of sensor: Int) -> Bool {
    isOfPresence(way, of: sensor)
      || states(askedBy: way.transition.condition).contains { state in
        entering[state].contains { isOfPresence($0, of: sensor) }
      }
  }

  private func isOfPresence(_ way: Way, of sensor: Int) -> Bool {
    switch way.event {
    case .input(sensor, _)?: true
    case .input(let input, _)? where asksPresence(ofComputed: input, of: sensor): true
    default: asksPresence(way.transition.condition, of: sensor)
    }
  }

  private func asksPresence(_ condition: Condition?, of sensor: Int) -> Bool {
    var asked = Dependencies()
    asked.add(condition)
    return asked.positions.contains { $0 == sensor || asksPresence(ofComputed: $0, of: sensor) }
  }

  private func asksPresence(ofComputed input: Int, of sensor: Int) -> Bool {
    guard let computed = panel.inputs[input].device as? ComputedSwitchKind else { return false }
    var asked = Dependencies()
    asked.add(computed.isOn)
    asked.add(computed.isOff)
    return asked.positions.contains(sensor)
  }

  /// The states of other regions that a condition asks for.
  private func states(askedBy condition: Condition?) -> [Int] {
    switch condition {
    case .state(let target)?: [target.state]
    case .not(let condition)?: states(askedBy: condition)
    case .all(let conditions)?, .any(let conditions)?: conditions.flatMap { states(askedBy: $0) }
    default: []
    }
  }

  // MARK: - What would end the state

  /// The end of the sensor's range that lets one of the transitions be taken: what `if-lost` should be.
  private func stopping(_ exits: [Way], _ sensor: Int, _ scale: ReadingScale) -> (word: String, number: Int) {
    let ways = exits + exits.flatMap { states(askedBy: $0.transition.condition).flatMap { entering[$0] } }
    let ends = [("max", scale.range.upperBound), ("min", scale.range.lowerBound)]
    let comparing = ways.filter { compares($0, sensor) }
    for isCertain in [true, false] {
      for (word, number) in ends {
        let isTaken = comparing.contains { way in
          let truth = way.truth(where: sensor, is: number, in: panel)
          return isCertain ? truth == true : truth != false
        }
        if isTaken { return (word, number) }
      }
    }
    return ends[0]
  }
}

extension LossCheck.Way {
  /// Whether the transition is taken where a sensor's number is this one; nil if that depends on more.
  fileprivate func truth(where sensor: Int, is number: Int, in panel: PanelDefinition) -> Bool? {
    let known = KnownReading(sensor: sensor, number: number, panel: panel)
    let condition = transition.condition.map { known.truth(of: $0) } ?? true
    guard case .input(let input, let word)? = event, let computed = panel.inputs[input].device as? ComputedSwitchKind
    else { return condition }
    let event = known.truth(of: computed, inPosition: computed.position(after: word))
    if condition == false || event == false { return false }
    return condition == true && event == true ? true : nil
  }
}

/// What conditions are where only one sensor's number is known.
private struct KnownReading {
  let sensor: Int
  let number: Int
  let panel: PanelDefinition

  func truth(of condition: Condition) -> Bool? {
    switch condition {
    case .comparison(let left, let relation, let right): bounds(of: left).alwaysHolds(relation, bounds(of: right))
    case .position(let input, let position):
      (panel.inputs[input].device as? ComputedSwitchKind).flatMap { truth(of: $0, inPosition: position) }
    case .not(let condition): truth(of: condition).map { !$0 }
    case .all(let conditions): conjunction(conditions.map { truth(of: $0) })
    case .any(let conditions): conjunction(conditions.map { truth(of: $0).map { !$0 } }).map { !$0 }
    case .state, .isLost, .isUnknown, .elements, .sameElements, .output, .contact: nil
    }
  }

  /// Whether a computed switch is in a position.
  func truth(of computed: ComputedSwitchKind, inPosition position: Int?) -> Bool? {
    let isOn = computed.isOn.flatMap { truth(of: $0) }
    if position == 1 { return isOn }
    return computed.isOff.map { truth(of: $0) } ?? isOn.map { !$0 }
  }

  private func conjunction(_ parts: [Bool?]) -> Bool? {
    if parts.contains(false) { return false }
    return parts.contains(nil) ? nil : true
  }

  /// The bounds of a number, where the sensor's number alone is replaced: a sum with it is not looked into.
  private func bounds(of part: Number) -> ResultBounds {
    part == .reading(sensor) ? number...number : panel.bounds(of: part)
  }
}
