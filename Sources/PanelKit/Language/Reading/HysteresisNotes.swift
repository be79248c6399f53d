import Terminal

/// Finds relays that follow a sensor without hysteresis. One comparison leads to the state that closes a relay, and the
/// opposite one leads back. So each small change of the number around the threshold switches the relay.
struct HysteresisNotes {
  let panel: PanelDefinition
  let problems: ProblemList

  /// A comparison of a sensor with a constant in a transition of `when`.
  private struct Threshold {
    var sensor: Int
    var isAbove: Bool
    /// The first number for which the comparison holds, coming from the other side.
    var number: Int
    /// The constant in the file.
    var constant: Int
  }

  /// Adds a note for each relay of such a state, at the comparison that leads to it, and for each relay whose look
  /// compares a sensor.
  func addNotes() {
    addNotesOfLooks()
    for state in panel.states.indices.dropFirst() {
      for exit in panel.states[state].when {
        guard let target = exit.target?.state, let back = threshold(exit.condition) else { continue }
        for entry in panel.states[target].when where entry.target?.state == state {
          guard let there = threshold(entry.condition), there.sensor == back.sensor, there.isAbove != back.isAbove,
            abs(there.number - back.number) <= 2, let position = entry.written.source?.position,
            let output = actingOutput(of: state, unlike: target), panel.inputs[there.sensor].device.isSensor,
            let scale = panel.inputs[there.sensor].device.scale
          else { continue }
          addNote(output, there, scale, at: position)
        }
      }
    }
  }

  private func addNotesOfLooks() {
    var told: Set<Position> = []
    for show in panel.states.flatMap(\.show) where type(of: panel.outputs[show.output].device).isActing {
      for choice in show.rule.choices {
        guard let compared = thresholds(in: choice.condition).first, let position = choice.written.source?.position,
          panel.inputs[compared.sensor].device.isSensor, let scale = panel.inputs[compared.sensor].device.scale,
          told.insert(position).inserted
        else { continue }
        addNote(show.output, compared, scale, at: position)
      }
    }
  }

  private func thresholds(in condition: Condition) -> [Threshold] {
    switch condition {
    case .not(let condition): thresholds(in: condition)
    case .all(let conditions), .any(let conditions): conditions.flatMap { thresholds(in: $0) }
    default: threshold(condition).map { [$0] } ?? []
    }
  }

  private func addNote(_ output: Int, _ threshold: Threshold, _ scale: SensorNumberRange, at position: Position) {
    let kind = type(of: panel.outputs[output].device).word
    problems.note(
      position,
      "\(kind) \(quoted(panel.outputs[output].name)) follows \(quoted(panel.inputs[threshold.sensor].name)) directly and "
        + "switches often around \(scale.text(of: threshold.constant)); use a switch with on: and off:")
  }

  /// The first output that moves something and that only one of two states shows.
  private func actingOutput(of state: Int, unlike other: Int) -> Int? {
    panel.states[state].show.first { show in
      type(of: panel.outputs[show.output].device).isActing && show.rule != .always(panel.safe[show.output])
        && !panel.states[other].show.contains(show)
    }?.output
  }

  /// Returns nil for any other condition.
  private func threshold(_ condition: Condition?) -> Threshold? {
    guard case .comparison(let left, let relation, let right)? = condition else { return nil }
    switch (left, relation, right) {
    case (.reading(let sensor), .greater, .constant(let number)), (.constant(let number), .less, .reading(let sensor)):
      return Threshold(sensor: sensor, isAbove: true, number: number + 1, constant: number)
    case (.reading(let sensor), .greaterOrEqual, .constant(let number)),
      (.constant(let number), .lessOrEqual, .reading(let sensor)):
      return Threshold(sensor: sensor, isAbove: true, number: number, constant: number)
    case (.reading(let sensor), .less, .constant(let number)), (.constant(let number), .greater, .reading(let sensor)):
      return Threshold(sensor: sensor, isAbove: false, number: number - 1, constant: number)
    case (.reading(let sensor), .lessOrEqual, .constant(let number)),
      (.constant(let number), .greaterOrEqual, .reading(let sensor)):
      return Threshold(sensor: sensor, isAbove: false, number: number, constant: number)
    default: return nil
    }
  }
}
