import Terminal

/// A panel file that a command reads: the file of an operand, or standard input for `-`.
struct PanelInput {
  /// The name for messages: a path, or the value of `--name`.
  let file: String
  let text: [UInt8]

  /// - Throws: the reason why the file can't be read.
  init(_ operand: String, _ arguments: ParsedArguments) throws(Problems) {
    if operand == "-" {
      file = arguments.value(of: CommandSyntax.Option.fileName.name) ?? "standard input"
      text = try TextFile.readStandardInput(as: file)
    } else {
      file = try PanelFile.find(operand)
      text = try PanelFile.text(path: file)
    }
  }

  /// Reads the panel in the file. Throws all problems of the file.
  func panel(kinds: KindList) throws(Problems) -> PanelDefinition {
    try PanelFile.read(text, file: file, folder: PanelFile.folder(of: file), kinds: kinds)
  }

  /// Reads the file as a tree of YAML nodes.
  func tree() throws(Problems) -> YAMLNode { try PanelFile.tree(text, file: file) }
}
