import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelLanguage
import PanelRun

/// Plays a recording of a panel without devices.
package struct PanelReplay {
  private let recording: RecordingReader
  private let application: PanelApplication

  /// - Parameters:
  ///   - path: the path of the recording.
  ///   - panelFile: the panel file for the replay; nil for the one in the recording.
  ///   - kinds: the kinds of devices that the file can name.
  package init(path: String, panelFile: String?, kinds: KindList) throws {
    let panel = try ReplayableRecording(path: path, panelFile: panelFile, kinds: kinds)
    (recording, application) = (try panel.recording(), try panel.application())
  }

  package func run(_ options: ReplayOptions) throws -> ReplayReport { try application.cycle.replay(recording, options) }
}
