import CycleCore
import HardwareLinux
import HardwarePlatform
import PanelLanguage
import PanelRecording
import Terminal

enum CycleMonitorImportCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording import", "Make recordings of moments and timelines, files of the program CycleMonitor.",
    discussion: "Each file becomes a recording of the same name.",
    examples: """
      $ panel recording import lamp.moment
      $ panel recording import *.moment -o recordings
      """,
    operands: [.init("MOMENT", help: "Files of CycleMonitor: moments or timelines.", .oneOrMore)],
    options: [.output(value: "FOLDER", "the path of a folder", help: "Folder to write to (default: this folder).")])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      for path in arguments.operands { try importMoments(path, folder: arguments.value(of: "--output") ?? ".") }
      return ExitStatus.success
    }
  }

  private static func importMoments(_ path: String, folder: String) throws {
    let moments = try CycleMonitorFile(path: path)
    var name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    if name.hasSuffix(".moment") { name.removeLast(7) }
    let recording = "\(folder)/\(name).recording"
    let copy = try RecordingExcerptFile(path: recording, isReplacing: false)
    try moments.write(to: copy)
    try copy.finish()
    Output.print("\(recording): \(counted(moments.moments.count, "event"))")
  }
}
