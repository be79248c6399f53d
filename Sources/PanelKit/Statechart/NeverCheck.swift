/// What must never be, and what is done about it.
extension PanelRules {
  /// Stops everything if what must never be is so, before anything of it is shown. A property that has a transition is violated only
  /// if it still is so after that.
  ///
  /// - Parameter before: the frame that the cause met.
  func checkNevers(
    after cause: @autoclosure () -> PanelStop.Cause, from before: PanelFrame, in frame: inout PanelFrame
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
    // The transition of one property may have brought about another.
    guard isMended, let never = table.byNever.indices.first(where: { holds(never: $0, in: frame) }) else { return }
    stop(never, cause(), from: before, in: &frame)
  }

  /// The properties that are violated in a frame in which this one is, itself among them. Of those that have a transition it isn't
  /// known: what it would have changed was not tried.
  ///
  /// - Parameter frame: not stopped, so that outputs look as they would have been shown.
  func violated(with first: Int, in frame: PanelFrame) -> [Int] {
    table.byNever.indices.filter { $0 == first || table.byNever[$0] == nil && holds(never: $0, in: frame) }
  }

  private func holds(never: Int, in frame: PanelFrame) -> Bool {
    panel.nevers[never].condition.holds(in: ShownFrame(frame: frame, show: show))
  }

  private func stop(_ never: Int, _ cause: PanelStop.Cause, from before: PanelFrame, in frame: inout PanelFrame) {
    let states = cause == .start ? "" : show.stateText(in: before)
    // What has led to it is not shown, and not sent.
    frame.takeBackSent(since: before)
    frame.stop(.violated(never, after: cause, in: states))
  }
}

/// A frame, and how outputs look that show it, whatever their lines do.
struct ShownFrame: ConditionWorld {
  let frame: PanelFrame
  let show: PanelShow

  func look(of output: Int) -> ObservedOutput {
    let view = OutputView(chip: nil, display: nil, values: show.values(in: frame), age: .zero)
    return show.panel.outputs[output].device.look(of: show.appearance(of: output, in: frame), in: view)
  }
}
