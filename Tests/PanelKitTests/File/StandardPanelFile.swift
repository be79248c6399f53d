@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

/// Reads with the standard kinds and the checks of the command.
extension PanelFile {
  static func read(
    path: String, kinds: KindList = .standard,
    checkSound: (_ file: SoundFileUse) -> SoundFileFinding? = SoundFileCheck.finding
  ) throws(Problems) -> PanelDefinition {
    try read(text(path: path), file: path, folder: folder(of: path), kinds: kinds, checkSound: checkSound)
  }

  static func read(
    _ bytes: [UInt8], file: String, folder: String = "", kinds: KindList = .standard,
    checkSound: ((_ file: SoundFileUse) -> SoundFileFinding?)? = nil
  ) throws(Problems) -> PanelDefinition {
    let check: (_ file: SoundFileUse) -> SoundFileFinding? = checkSound ?? SoundFileCheck.finding
    return try read(bytes, file: file, folder: folder, kinds: kinds, checkSound: check)
  }
}
