import PanelLanguage

/// The check of forbidden conditions, and its consequences.
extension PanelRules {
  /// Stops the panel if a forbidden condition holds, before any of it is shown. If the property has a transition, the
  /// panel stops only if the condition still holds after that transition.
  ///
  /// - Parameter before: the frame before the cause was applied.
  package func checkNevers(
    after cause: @autoclosure () -> HaltReason.Cause, from before: PanelFrame, in frame: inout PanelFrame
  ) {
    guard !frame.isStopped else { return }
    var isMended = false
    for (never, transition) in table.byNever.enumerated() where holds(never: never, in: frame) {
      if let transition {
        take(transition, nil, in: &frame)
        isMended = true
        if frame.isStopped { return }
      }
      if transition == nil || holds(never: never, in: frame) { return stop(never, cause(), from: before, in: &frame) }
    }
    // The transition of one property may have violated another.
    guard isMended, let never = table.byNever.indices.first(where: { holds(never: $0, in: frame) }) else { return }
    stop(never, cause(), from: before, in: &frame)
  }

  /// The properties that are violated in a frame, including the given one. Other properties with a transition are left
  /// out, because their transitions were not tried.
  ///
  /// - Parameter frame: a frame that is not stopped, so that outputs look as they would have been shown.
  package func violated(with first: Int, in frame: PanelFrame) -> [Int] {
    table.byNever.indices.filter { $0 == first || table.byNever[$0] == nil && holds(never: $0, in: frame) }
  }

  private func holds(never: Int, in frame: PanelFrame) -> Bool {
    panel.nevers[never].condition.holds(in: ShownFrame(frame: frame, show: show))
  }

  private func stop(_ never: Int, _ cause: HaltReason.Cause, from before: PanelFrame, in frame: inout PanelFrame) {
    let states = cause == .start ? "" : show.stateText(in: before)
    // The changes that led to the violation are not shown, their messages are not sent, and the machine stays on.
    frame.takeBackSent(since: before)
    frame.takeBackPower(since: before)
    frame.stop(.violated(never, after: cause, in: states))
  }
}

/// A frame and the appearance of its outputs, independent of their lines.
struct ShownFrame: ConditionWorld {
  let frame: PanelFrame
  let show: PanelRendering

  func look(of output: Int) -> ObservedOutput {
    let view = OutputView(values: show.values(in: frame), age: .zero)
    return show.observed[output].look(of: show.appearance(of: output, in: frame), in: view)
  }
}
