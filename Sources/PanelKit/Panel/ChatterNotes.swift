import Terminal

/// Finds relays that follow a sensor without hysteresis: where one comparison leads to the state that closes a relay, and the opposite one
/// leads back, each small change of the number around the threshold moves the relay.
struct ChatterNotes {
  let panel: PanelDefinition
  let problems: ProblemList

  /// A comparison of a sensor with a constant that a transition by `when` waits for.
  private struct Threshold {
    var sensor: Int
    var isAbove: Bool
    /// The first number for which it holds, seen from the other side.
    var number: Int
    /// The constant as it is written.
    var constant: Int
  }

  /// Adds a note for each relay of such a state, at the comparison that leads to it.
  func addNotes() {
    for state in panel.states.indices.dropFirst() {
      for exit in panel.states[state].when {
        guard let target = exit.target?.state, let back = threshold(exit.condition) else { continue }
        for entry in panel.states[target].when where entry.target?.state == state {
          guard let there = threshold(entry.condition), there.sensor == back.sensor, there.isAbove != back.isAbove,
            abs(there.number - back.number) <= 2, let position = entry.written.source?.position,
            let output = actingOutput(of: state, unlike: target), let scale = panel.inputs[there.sensor].device.scale
          else { continue }
          let kind = type(of: panel.outputs[output].device).word
          problems.note(
            position,
            "\(kind) \(quoted(panel.outputs[output].name)) follows \(quoted(panel.inputs[there.sensor].name)) directly and "
              + "switches often around \(scale.text(of: there.constant)); use a switch with on: and off:")
        }
      }
    }
  }

  /// The first output by which something moves and that only one of two states shows.
  private func actingOutput(of state: Int, unlike other: Int) -> Int? {
    panel.states[state].show.first { show in
      type(of: panel.outputs[show.output].device).isActing && show.appearance != panel.safe[show.output]
        && !panel.states[other].show.contains(show)
    }?.output
  }

  /// Nil for a condition that is anything else than such a comparison.
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
