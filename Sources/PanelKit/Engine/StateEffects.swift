import PanelLanguage

/// The effects of entering and leaving a state.
struct StateEffects: Sendable {
  /// The delays that are not fixed.
  let delays: [PanelDefinition.Delay]
  /// The numbers of the `untouched` deadlines.
  let untouched: [Int]
  let enter: PanelDefinition.Actions
  let play: [PanelDefinition.Playing]
  let exit: PanelDefinition.Actions
  /// The note for the next start of the program: ``PanelDefinition/resumption(of:)``.
  let resumption: (slot: Int, number: Int)?

  /// Nil for a state without effects.
  init?(_ state: PanelDefinition.State, _ resumption: (slot: Int, number: Int)? = nil) {
    self.resumption = resumption
    delays = state.after.map(\.delay).filter { $0.wait != nil }
    untouched = state.after.compactMap { deadline in
      if case .untouched(let number) = deadline.recurrence { number } else { nil }
    }
    (enter, play, exit) = (state.enter, state.play, state.exit)
    if delays.isEmpty, untouched.isEmpty, enter.isEmpty, play.isEmpty, exit.isEmpty, resumption == nil {
      return nil
    }
  }
}
