import CycleCore
import PanelEngine
import PanelLanguage

/// The film of a running panel: its destinations and its contents.
package struct SessionFilm {
  package let sinks: [any FilmSink]
  /// The panel file, which the film contains.
  package let source: FilmHeader.Source
  /// Whether the film contains the edges of the panel's own chip, too.
  package let hasEdges: Bool

  package init(sinks: [any FilmSink], source: FilmHeader.Source, hasEdges: Bool) {
    (self.sinks, self.source, self.hasEdges) = (sinks, source, hasEdges)
  }

  func recorder(of panel: PanelDefinition) -> Recorder {
    Recorder(
      app: panel.name, by: "panel \(PanelInstallation.version)", columns: FrameColumns(of: panel).names, source: source,
      to: sinks)
  }
}
