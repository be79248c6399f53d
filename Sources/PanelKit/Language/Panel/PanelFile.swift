import Glibc
import Terminal

/// Reads panel files.
package enum PanelFile {
  private static let what = "a panel file"

  /// The panel in the file at `path`. Throws all its problems, or the reason why it can't be read.
  ///
  /// - Parameter checkSound: returns why a sound file can't be played, or what a user may not expect of it.
  package static func read(
    path: String, kinds: KindList, checkSound: (_ file: SoundFileUse) -> SoundFileFinding?
  ) throws(Problems) -> PanelDefinition {
    try read(text(path: path), file: path, folder: folder(of: path), kinds: kinds, checkSound: checkSound)
  }

  /// The bytes of a panel file. Throws the reason why it can't be read.
  package static func text(path: String) throws(Problems) -> [UInt8] { try TextFile.read(path: path, what: what) }

  /// The path of the panel file for a word of a command line, which is a path or the name of a panel. The name `lamp`
  /// is `lamp.panel.yaml` in the working directory, or else in ``PanelInstallation/folder``.
  ///
  /// - Throws: an error if a panel with this name is in neither folder.
  package static func find(_ word: String) throws(Problems) -> String {
    guard isPanelName(word) else { return word }
    let name = "\(word)\(PanelInstallation.suffix)"
    for path in [name, "\(PanelInstallation.folder)/\(name)"] where isThere(path) { return path }
    throw Problems(
      kind: .noSuchFile, file: word,
      list: [Problem(line: 0, column: 0, text: "no \(name) here or in \(PanelInstallation.folder)")])
  }

  /// The path of the panel of a service, for example `doorbell`. Any other word is a path.
  package static func path(ofService word: String) -> String {
    isPanelName(word) ? "\(PanelInstallation.folder)/\(word)\(PanelInstallation.suffix)" : word
  }

  /// Whether a word is the name of a panel: it has no `/` and no `.yaml`, and isn't a regular file in the working
  /// directory.
  private static func isPanelName(_ word: String) -> Bool {
    guard !word.hasSuffix(".yaml"), PanelInstallation.isName(word) else { return false }
    var status = stat()
    return stat(word, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether a file or folder may exist at a path: this user may have no permission to read the folder.
  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 || errno == EACCES
  }

  /// The folder of a file; empty for the working directory.
  package static func folder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    return folder.isEmpty && path.hasPrefix("/") ? "/" : folder
  }

  /// The panel in these bytes. Throws all its problems.
  ///
  /// - Parameters:
  ///   - file: the name for messages.
  ///   - folder: the folder of relative paths of sounds; empty for the working directory.
  ///   - kinds: the kinds of devices that the file can name.
  ///   - checkSound: returns why a sound file can't be played, or what a user may not expect of it.
  package static func read(
    _ bytes: [UInt8], file: String, folder: String = "", kinds: KindList,
    checkSound: (_ file: SoundFileUse) -> SoundFileFinding?
  ) throws(Problems) -> PanelDefinition {
    let problems = ProblemList()
    let root = try tree(bytes, file: file, problems)
    if let position = root.position(ofKey: "scenario"), root.position(ofKey: "panel") == nil {
      problems.add(
        position,
        "this is a scenario file, not \(what); run it with its panel: panel test FILE.panel.yaml \(visible(file))")
      throw problems.problems(of: file)
    }
    if let position = root.position(ofKey: "sheet"), root.position(ofKey: "panel") == nil {
      problems.add(
        position, "this is a sheet, not \(what); the name of its file ends with .sheet.yaml, as in bme280.sheet.yaml")
      throw problems.problems(of: file)
    }
    var kinds = kinds
    kinds.folder = folder
    let panel = withoutActuallyEscaping(checkSound) { [kinds] checkSound in
      PanelReader(kinds: kinds, problems: problems, folder: folder, checkSound: checkSound).read(root)
    }
    guard let panel, problems.count == 0 else { throw problems.problems(of: file) }
    return panel
  }

  /// The syntax tree of the file at `path`.
  static func tree(path: String) throws(Problems) -> YAMLNode {
    try tree(try TextFile.read(path: path, what: what), file: path, ProblemList())
  }

  /// The syntax tree of the file in these bytes.
  package static func tree(_ bytes: [UInt8], file: String) throws(Problems) -> YAMLNode {
    try tree(bytes, file: file, ProblemList())
  }

  private static func tree(_ bytes: [UInt8], file: String, _ problems: ProblemList) throws(Problems) -> YAMLNode {
    guard let text = TextFile.text(bytes, what: what, problems: problems),
      let root = YAMLTree.read(text, what: what, problems: problems)
    else {
      if problems.count == 0 { problems.add(.start, "the file is empty; write \(what) here") }
      throw problems.problems(of: file)
    }
    return root
  }
}
