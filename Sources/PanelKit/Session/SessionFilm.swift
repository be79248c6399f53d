import CycleCore

/// The film of a running panel: its destinations and its contents.
struct SessionFilm {
  let sinks: [any FilmSink]
  /// The panel file, which the film contains.
  let source: FilmHeader.Source
  /// Whether the film contains the edges of the panel's own chip, too.
  let hasEdges: Bool

  func recorder(of panel: PanelDefinition) -> Recorder {
    Recorder(
      app: panel.name, by: "panel \(PanelCommand.version)", columns: FrameColumns(of: panel).names, source: source,
      to: sinks)
  }
}
