import Terminal

/// Finds kept values that change repeatedly: each change is saved, and wears the disk.
struct DiskWearNotes {
  /// The save interval from which a value may change without limit.
  static let rare = Duration.seconds(60)

  let panel: PanelDefinition
  let problems: ProblemList

  /// Adds a note for each kept value that an encoder or an `every` sets, unless it is saved rarely.
  func addNotes() {
    for (number, value) in panel.values.enumerated() {
      guard let kept = value.kept, kept.within < Self.rare, let cause = cause(of: number) else { continue }
      problems.note(
        kept.position,
        "\(quoted(value.name)) is kept, and \(cause) sets it: while it changes, the disk is written every "
          + (kept.within == .zero ? "3s" : Quantity.text(kept.within)) + "; write keep: { within: 60s } or more")
    }
  }

  /// Returns the cause of repeated changes of a value; nil if there is none.
  private func cause(of value: Int) -> String? {
    for state in panel.states {
      for reaction in state.on where reaction.transitions.contains(where: { sets(value, in: $0) }) {
        if let knob = knob(of: reaction.event) { return knob }
      }
      for deadline in state.after where deadline.transitions.contains(where: { sets(value, in: $0) }) {
        if case .again = deadline.recurrence { return "every \(deadline.delay.text(in: panel))" }
      }
    }
    return nil
  }

  private func sets(_ value: Int, in transition: PanelDefinition.Transition) -> Bool {
    transition.assignments.contains { $0.value == value }
  }

  /// Returns the name of the encoder whose turn is the event; nil for any other event.
  private func knob(of event: PanelEvent) -> String? {
    guard case .input(let input, _) = event, type(of: panel.inputs[input].device).control == .knob else { return nil }
    return panel.inputs[input].name
  }
}
