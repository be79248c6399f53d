import CycleCore
import PanelEngine
import PanelLanguage

/// The recording of a running panel: its destinations and its contents.
package struct RecordingSetup {
  package let sinks: [any RecordingSink]
  /// The panel file, which the recording contains.
  package let source: RecordingHeader.Source
  /// Whether the recording contains the edges of the panel's own chip, too.
  package let hasEdges: Bool

  package init(sinks: [any RecordingSink], source: RecordingHeader.Source, hasEdges: Bool) {
    (self.sinks, self.source, self.hasEdges) = (sinks, source, hasEdges)
  }

  func recorder(of panel: PanelDefinition) -> Recorder {
    Recorder(
      app: panel.name, by: "panel \(PanelInstallation.version)", columns: FrameColumns(of: panel).names, source: source,
      to: sinks)
  }
}
