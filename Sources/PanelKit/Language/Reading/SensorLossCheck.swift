import Terminal

/// Finds outputs that move or heat something, and that stay on forever if a sensor is lost. The transition out of their
/// state compares the sensor, and no part of the file handles its loss.
struct SensorLossCheck {
  let panel: PanelDefinition
  let problems: ProblemList
  private let tree: StateTree
  /// The transitions that enter each state or a state inside it.
  private let entering: [[Path]]

  /// A transition, and its event, if any.
  fileprivate struct Path {
    var event: PanelEvent?
    var transition: PanelDefinition.Transition
  }

  init(panel: PanelDefinition, problems: ProblemList) {
    self.panel = panel
    self.problems = problems
    let tree = StateTree(panel)
    self.tree = tree
    var entering = [[Path]](repeating: [], count: panel.states.count)
    // Computed only if an error is possible: a file can have a hundred thousand states.
    for state in Self.hasUndecidedSensor(panel) ? panel.states.indices : 0..<0 {
      let around = tree.chain(from: state)
      for way in Self.ways(of: panel.states[state]) {
        guard let target = way.transition.target?.state else { continue }
        // A transition between two states inside the same state doesn't enter that state.
        for outer in tree.chain(from: target) where outer == target || !around.contains(outer) {
          entering[outer].append(way)
        }
      }
    }
    self.entering = entering
  }

  private static func hasUndecidedSensor(_ panel: PanelDefinition) -> Bool {
    panel.inputs.contains { $0.device.scale?.isLossDecided == false }
  }

  private static func ways(of state: PanelDefinition.State) -> [Path] {
    var paths: [Path] = []
    for reaction in state.on {
      for transition in reaction.transitions { paths.append(Path(event: reaction.event, transition: transition)) }
    }
    let others: [PanelDefinition.Transition] = state.after.flatMap(\.transitions) + state.done + state.when
    for transition in others { paths.append(Path(event: nil, transition: transition)) }
    return paths
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
        guard let scale = definition.device.scale, !scale.isLossDecided,
          exits.contains(where: { compares($0, input) || followsComparison($0, input) }),
          !exits.contains(where: { asksPresence($0, of: input) }),
          !panel.nevers.contains(where: { asksPresence($0.condition, of: input) }), told.insert(position).inserted
        else { continue }
        let (word, number) = stopping(exits, input, scale)
        let other = word == "max" ? "min" : "max"
        let look = panel.states[state].show.contains { $0.output == output && $0.rule == .always(.off) } ? "off" : "on"
        let kind = type(of: panel.outputs[output].device).word
        problems.add(
          position,
          "\(kind) \(quoted(panel.outputs[output].name)) stays \(look) if sensor \(quoted(definition.name)) is lost; give "
            + "\(quoted(definition.name)) if-lost: \(word) (it then counts as \(scale.text(of: number))), \(other), a number "
            + "or keep, or react to \(definition.name) == lost in state \(panel.states[state].name)")
      }
    }
  }

  /// Adds a problem for each such output whose look compares the sensor.
  func addLastingLooks() {
    guard Self.hasUndecidedSensor(panel) else { return }
    var told: Set<Position> = []
    for state in panel.states.indices {
      for show in panel.states[state].show where type(of: panel.outputs[show.output].device).isActing {
        addLasting(show, in: state, &told)
      }
    }
  }

  private func addLasting(_ show: PanelDefinition.Show, in state: Int, _ told: inout Set<Position>) {
    let choices = show.rule.choices
    let exits = state == 0 ? [] : exits(from: state, endingShowOf: show.output)
    for (input, definition) in panel.inputs.enumerated() {
      guard let scale = definition.device.scale, !scale.isLossDecided,
        let choice = choices.first(where: { dependsOn(input, $0.condition) }),
        let position = choice.written.source?.position,
        !choices.contains(where: { asksPresence($0.condition, of: input) }),
        !exits.contains(where: { asksPresence($0, of: input) }),
        !panel.nevers.contains(where: { asksPresence($0.condition, of: input) }), told.insert(position).inserted
      else { continue }
      let stops = { (number: Int) in
        KnownReading(sensor: input, number: number, panel: panel).appearance(by: show.rule) == panel.safe[show.output]
      }
      let isMinimum = stops(scale.range.lowerBound) && !stops(scale.range.upperBound)
      let (word, other) = isMinimum ? ("min", "max") : ("max", "min")
      let number = isMinimum ? scale.range.lowerBound : scale.range.upperBound
      let (kind, name) = (type(of: panel.outputs[show.output].device).word, quoted(definition.name))
      problems.add(
        position,
        "\(kind) \(quoted(panel.outputs[show.output].name)) keeps its look if sensor \(name) is lost; give \(name) "
          + "if-lost: \(word) (it then counts as \(scale.text(of: number))), \(other), a number or keep, or use "
          + "\(definition.name) == there in the condition")
    }
  }

  /// Whether a state shows an output differently from `safe`.
  private func moves(_ output: Int, in state: Int) -> Bool {
    panel.states[state].show.contains { $0.output == output && $0.rule != .always(panel.safe[output]) }
  }

  /// The transitions out of a state, or out of a state around it, to a state that doesn't show the output in the same
  /// way.
  private func exits(from state: Int, endingShowOf output: Int) -> [Path] {
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

  // MARK: - Dependencies of a transition

  /// Whether a transition compares a sensor's number, or checks a computed switch that does.
  private func compares(_ way: Path, _ sensor: Int) -> Bool {
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
    guard let computed = panel.inputs[input].device.derivation?.ofSwitch else { return false }
    var asked = Dependencies()
    asked.add(computed.isOn)
    asked.add(computed.isOff)
    return asked.readings.contains(sensor)
  }

  /// Whether a transition waits for a state of another region that is entered only by comparisons with the sensor.
  private func followsComparison(_ way: Path, _ sensor: Int) -> Bool {
    states(askedBy: way.transition.condition).contains { state in
      !entering[state].isEmpty && entering[state].allSatisfy { compares($0, sensor) }
    }
  }

  /// Whether a transition handles the loss of a sensor: its condition or event is about the presence of the sensor, or
  /// it waits for a state that such a transition enters.
  private func asksPresence(_ way: Path, of sensor: Int) -> Bool {
    isOfPresence(way, of: sensor)
      || states(askedBy: way.transition.condition).contains { state in
        entering[state].contains { isOfPresence($0, of: sensor) }
      }
  }

  private func isOfPresence(_ way: Path, of sensor: Int) -> Bool {
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
    guard let computed = panel.inputs[input].device.derivation?.ofSwitch else { return false }
    var asked = Dependencies()
    asked.add(computed.isOn)
    asked.add(computed.isOff)
    return asked.positions.contains(sensor)
  }

  /// The states of other regions in a condition.
  private func states(askedBy condition: Condition?) -> [Int] {
    switch condition {
    case .state(let target)?: [target.state]
    case .not(let condition)?: states(askedBy: condition)
    case .all(let conditions)?, .any(let conditions)?: conditions.flatMap { states(askedBy: $0) }
    default: []
    }
  }

  // MARK: - The end of the state

  /// The end of the sensor's range at which one of the transitions fires. It is the suggestion for `if-lost`.
  private func stopping(_ exits: [Path], _ sensor: Int, _ scale: SensorNumberRange) -> (word: String, number: Int) {
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

extension SensorLossCheck.Path {
  /// Whether the transition fires at a number of a sensor; nil if that depends on more.
  fileprivate func truth(where sensor: Int, is number: Int, in panel: PanelDefinition) -> Bool? {
    let known = KnownReading(sensor: sensor, number: number, panel: panel)
    let condition = transition.condition.map { known.truth(of: $0) } ?? true
    guard case .input(let input, let word)? = event, let computed = panel.inputs[input].device.derivation?.ofSwitch
    else { return condition }
    let event = known.truth(of: computed, inPosition: panel.inputs[input].device.position(after: word))
    if condition == false || event == false { return false }
    return condition == true && event == true ? true : nil
  }
}

/// Evaluates conditions when only the number of one sensor is known.
private struct KnownReading {
  let sensor: Int
  let number: Int
  let panel: PanelDefinition

  func truth(of condition: Condition) -> Bool? {
    switch condition {
    case .comparison(let left, let relation, let right): bounds(of: left).alwaysHolds(relation, bounds(of: right))
    case .position(let input, let position):
      (panel.inputs[input].device.derivation?.ofSwitch).flatMap { truth(of: $0, inPosition: position) }
    case .not(let condition): truth(of: condition).map { !$0 }
    case .all(let conditions): conjunction(conditions.map { truth(of: $0) })
    case .any(let conditions): conjunction(conditions.map { truth(of: $0).map { !$0 } }).map { !$0 }
    case .state, .isLost, .isUnknown, .elements, .sameElements, .output, .contact: nil
    }
  }

  /// The appearance that a rule chooses; nil if that isn't known.
  func appearance(by rule: AppearanceRule) -> OutputAppearance? {
    guard case .first(let choices, let otherwise) = rule else { return rule.fixed }
    for choice in choices {
      guard let holds = truth(of: choice.condition) else { return nil }
      if holds { return appearance(by: choice.rule) }
    }
    return appearance(by: otherwise)
  }

  /// Whether a computed switch is in a position; nil if that isn't known.
  func truth(of computed: SwitchRule, inPosition position: Int?) -> Bool? {
    let isOn = computed.isOn.flatMap { truth(of: $0) }
    if position == 1 { return isOn }
    return computed.isOff.map { truth(of: $0) } ?? isOn.map { !$0 }
  }

  private func conjunction(_ parts: [Bool?]) -> Bool? {
    if parts.contains(false) { return false }
    return parts.contains(nil) ? nil : true
  }

  /// The bounds of a number, with the sensor's own number replaced. Sums that contain it are not evaluated.
  private func bounds(of part: Number) -> ResultBounds {
    part == .reading(sensor) ? .constant(number) : panel.bounds(of: part)
  }
}
