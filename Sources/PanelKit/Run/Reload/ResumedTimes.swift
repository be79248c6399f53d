import CycleCore
import PanelEngine
import PanelLanguage

/// The times that continue at a reload: running deadlines, and blinking lamps.
extension ResumedFrame {
  /// Returns the deadlines of the states that stay current, with their due moments. Overdue deadlines are due now.
  ///
  /// A single deadline counts from the entry into its state. A repeated deadline with a fixed time keeps its rhythm.
  /// All others count from now.
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

  /// Returns the entry time of a state that stays current in both panels; nil for any other state.
  private func entered(state: Int, _ paths: StatePaths, in frame: PanelFrame) -> Moment? {
    guard state > 0 else { return beginning }
    let region = panel.states[state].region
    guard let stays = self.state(of: region, paths), stays.new == state,
      case let other = old.states[stays.old].region, frame[entry: region] == before[entry: other]
    else { return nil }
    return entered(other)
  }

  /// Returns the moment since which each output has had its current appearance; nil for an output with a new
  /// appearance.
  ///
  /// - Parameters:
  ///   - frame: made by ``make()``.
  ///   - oldShow: what the previous panel showed.
  func since(in frame: PanelFrame, _ oldShow: PanelRendering) -> [Moment?] {
    panel.outputs.indices.map { output in
      let name = panel.outputs[output].name
      guard let other = old.outputs.firstIndex(where: { $0.name == name }),
        rules.show.appearance(of: output, in: frame) == oldShow.appearance(of: other, in: before),
        let entry = oldShow.entry(of: other, in: before), oldShow.entries[entry].rule.fixed != nil
      else { return nil }
      let state = oldShow.entriesOfStates.firstIndex { $0.contains(entry) } ?? 0
      return state == 0 ? beginning : entered(old.states[state].region)
    }
  }
}
