import Terminal

/// A panel file that a command reads: the file of an operand, or standard input for `-`.
struct PanelInput {
  /// The name for messages: a path, or the value of `--name`.
  let file: String
  /// The bytes.
  let text: [UInt8]

  /// - Throws: why the file can't be read.
  init(_ operand: String, _ arguments: ParsedArguments) throws(Problems) {
    if operand == "-" {
      file = arguments.value(of: CommandSyntax.Option.fileName.name) ?? "standard input"
      text = try TextFile.readStandardInput(as: file)
    } else {
      file = try PanelFile.find(operand)
      text = try PanelFile.text(path: file)
    }
  }

  /// The panel in the file. Throws all that is wrong with it.
  func panel(kinds: KindList) throws(Problems) -> PanelDefinition {
    try PanelFile.read(text, file: file, folder: PanelFile.folder(of: file), kinds: kinds)
  }

  /// The file as it is written.
  func tree() throws(Problems) -> YAMLNode { try PanelFile.tree(text, file: file) }
}
