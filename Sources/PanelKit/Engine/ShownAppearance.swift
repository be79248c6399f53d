import PanelLanguage

extension AppearanceRule {
  /// The appearance in a frame.
  func appearance(in frame: PanelFrame, _ show: PanelRendering) -> OutputAppearance {
    switch self {
    case .always(let appearance): appearance
    case .first(let choices, let otherwise):
      (choices.first { show.holds($0.condition, readsOutputs: $0.readsOutputs, in: frame) }?.rule ?? otherwise)
        .appearance(in: frame, show)
    }
  }
}

extension PanelRendering {
  /// Whether a condition that chooses what an output shows holds in a frame. It may check other outputs, which don't
  /// depend on this one.
  func holds(_ condition: Condition, readsOutputs: Bool, in frame: PanelFrame) -> Bool {
    readsOutputs ? condition.holds(in: ShownFrame(frame: frame, show: self)) : condition.holds(in: frame)
  }
}
