import PanelLanguage
import PanelProof
import PanelRun
import Terminal

/// A panel file to check.
struct ExaminedPanel {
  let file: String
  /// The name of the service: `doorbell` for `/etc/panel/doorbell.panel.yaml`; nil for a file in another folder.
  let service: String?
  let content: Result<PanelDefinition, Problems>

  /// - Parameter words: the path of a panel file, or the name of one in `/etc/panel`.
  init(_ words: String, kinds: KindList) {
    let path = PanelFile.path(ofService: words)
    self.init(
      file: path,
      content: Result { () throws(Problems) in
        try PanelFile.read(path: path, kinds: kinds, checkSound: SoundFileCheck.finding)
      })
  }

  init(file: String, content: Result<PanelDefinition, Problems>) {
    (self.file, self.content) = (file, content)
    if file.hasPrefix(PanelInstallation.folder + "/"), file.hasSuffix(PanelInstallation.suffix) {
      service = String(file.dropFirst(PanelInstallation.folder.count + 1).dropLast(PanelInstallation.suffix.count))
    } else {
      service = nil
    }
  }

  var definition: PanelDefinition? { try? content.get() }
}
