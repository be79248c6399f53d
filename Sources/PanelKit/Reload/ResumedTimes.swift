import CycleCore

/// What goes on in time while a panel takes the place of another one: deadlines that run, and lamps that blink.
extension ResumedFrame {
  /// The deadlines of the states that stay, with the moments at which they are due: those that should have come before are due now.
  ///
  /// What comes once counts from the entering of its state, and what comes again at fixed times keeps its beat. All others count from
  /// now.
  ///
  /// - Parameter frame: made by ``make()``.
  func running(in frame: PanelFrame) -> [(deadline: Timer<PanelDeadline>.Deadline, due: Moment)] {
    let paths = StatePaths(of: panel)
    return rules.show.chartDeadlines(in: frame).compactMap { deadline in
      guard let (state, place) = deadline.id.ofState, case .after(let span, _) = deadline.time,
        let entered = entered(state: state, paths, in: frame)
      else { return nil }
      let definition = panel.states[state].after[place]
      switch (definition.recurrence, definition.delay) {
      case (.once, _): return (deadline, max(now, entered + span))
      case (.again, .fixed) where span > .zero:
        let beats = (now - entered).wholeNanoseconds / span.wholeNanoseconds
        return (deadline, entered + .nanoseconds((beats + 1) * span.wholeNanoseconds))
      case (.again, _), (.untouched, _): return nil
      }
    }
  }

  /// When a state was entered that is current in both panels; nil for another one.
  private func entered(state: Int, _ paths: StatePaths, in frame: PanelFrame) -> Moment? {
    guard state > 0 else { return beginning }
    let region = panel.states[state].region
    guard let stays = self.state(of: region, paths), stays.new == state,
      case let other = old.states[stays.old].region, frame[entry: region] == before[entry: other]
    else { return nil }
    return entered(other)
  }

  /// For each output since when it has shown what it shows; nil for one that begins to.
  ///
  /// - Parameters:
  ///   - frame: made by ``make()``.
  ///   - oldShow: of the panel before.
  func since(in frame: PanelFrame, _ oldShow: PanelShow) -> [Moment?] {
    panel.outputs.indices.map { output in
      let name = panel.outputs[output].name
      guard let other = old.outputs.firstIndex(where: { $0.name == name }),
        rules.show.appearance(of: output, in: frame) == oldShow.appearance(of: other, in: before),
        let entry = oldShow.entry(of: other, in: before)
      else { return nil }
      let state = oldShow.entriesOfStates.firstIndex { $0.contains(entry) } ?? 0
      return state == 0 ? beginning : entered(old.states[state].region)
    }
  }
}
