import CycleCore

/// A film of a panel at work: where it goes, and what it holds.
struct SessionFilm {
  let sinks: [any FilmSink]
  /// The panel file, which the film holds.
  let source: FilmHeader.Source
  /// Whether the edges of the panel's own chip are filmed, too.
  let hasEdges: Bool

  func recorder(of panel: PanelDefinition) -> Recorder {
    Recorder(
      app: panel.name, by: "panel \(PanelCommand.version)", columns: FrameColumns(of: panel).names, source: source,
      to: sinks)
  }
}
