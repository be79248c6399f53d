import PanelLanguage
import PanelRun
import Terminal

/// A panel file that a command reads: the file of an operand, or standard input for `-`.
struct PanelFileArgument {
  private static let standardInput = "standard input"

  /// The path of the file, or the value of `--name`; nil for standard input without a name.
  let path: String?
  /// The operands with which another command reads the same panel.
  let operands: String
  let text: [UInt8]

  /// The name for messages.
  var file: String { path ?? Self.standardInput }

  /// - Throws: the reason why the file can't be read.
  init(_ operand: String, _ arguments: ParsedArguments) throws(Problems) {
    if operand == "-" {
      let name = arguments.value(of: CommandSyntax.Option.fileName.name)
      path = name
      operands = name.map { "- --name \($0)" } ?? "-"
      text = try TextFile.readStandardInput(as: name ?? Self.standardInput)
    } else {
      let file = try PanelFile.find(operand)
      path = file
      operands = file
      text = try PanelFile.text(path: file)
    }
  }

  /// Reads the panel in the file. Throws all problems of the file.
  func panel(kinds: KindList) throws(Problems) -> PanelDefinition {
    try PanelFile.read(
      text, file: file, folder: PanelFile.folder(of: file), kinds: kinds,
      checkSound: SoundFileCheck.finding)
  }

  /// Reads the file as a tree of YAML nodes.
  func tree() throws(Problems) -> YAMLNode { try PanelFile.tree(text, file: file) }
}
