import Terminal

/// Finds states in which a panel must not start, because they move an output that a `never` or an interlock protects.
struct UnsafeResumeCheck {
  let panel: PanelDefinition
  let problems: ProblemList

  /// Adds a problem for each state of a `resume`, except the initial one, that shows such an output differently from
  /// `safe`.
  func addMoving() {
    for region in panel.regions {
      for resume in region.resume where resume.state != region.initial {
        guard let (output, reason) = moved(by: resume.state) else { continue }
        let name = panel.outputs[output].name
        problems.add(
          resume.position,
          "\(quoted(panel.states[resume.state].name)) shows \(quoted(name)), which \(reason); a restart must not change it, leave the state out"
        )
      }
    }
  }

  /// Returns the first protected output that a state shows, or a state that is entered with it.
  private func moved(by state: Int) -> (output: Int, reason: String)? {
    guard panel.states.indices.contains(state) else { return nil }
    for show in panel.states[state].show where panel.safe.indices.contains(show.output) {
      guard show.rule != .always(panel.safe[show.output]) else { continue }
      if let reason = reason(toKeep: show.output) { return (show.output, reason) }
    }
    return panel.states[state].regions.lazy.compactMap { moved(by: panel.regions[$0].initial) }.first
  }

  /// Returns the reason why an output must not be moved; nil if it may be.
  private func reason(toKeep output: Int) -> String? {
    for never in panel.nevers {
      var asked = Dependencies()
      asked.add(never.condition)
      if asked.outputs.contains(output) { return "is in never \(quoted(never.name))" }
    }
    return panel.interlocks.contains { !$0.isRest && $0.relays.contains(output) } ? "is in an interlock" : nil
  }
}
