import CycleCore
import Glibc
import HardwareLinux
import PanelLanguage
import PanelRecording
import Terminal

enum RegressionTestsCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording tests", "Split the approved events of a recording into single-event regression tests.",
    discussion: """
      Each test case is a recording that begins with the state before the event. Its name is made of the event: \
      12-bell-pressed.recording. Run them with `panel recording replay`.
      """,
    examples: """
      $ panel recording edit bell.recording 'approve 1' 'approve 4' -o good.recording
      $ panel recording tests good.recording -o tests
      $ panel recording replay tests --panel doorbell.panel.yaml
      """,
    operands: [.init("RECORDING", help: "A recording, or edits that were saved.")],
    options: [
      .output(
        value: "FOLDER", "the path of a folder", help: "Folder to write to; it is made if it does not exist. Required."),
      .number("--event", value: "NUMBER", 1...Int.max, help: "Write this event only, approved or not."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let path = arguments.operands[0]
      guard let folder = arguments.value(of: "--output") else { throw syntax.misuse("--output is missing") }
      let source = try RecordingEditChain(path: path)
      let take = try EditedRecordingReplay(
        of: ReplayableRecording(path: source.recording, kinds: kinds), edits: source.edits)
      let numbers = arguments.value(of: "--event").flatMap { Int($0) }.map { [$0] } ?? take.take.approvals.sorted()
      guard !numbers.isEmpty else {
        diagnostics.write(
          .error, "\(path): no event is approved; approve one: panel recording edit \(path) 'approve 1' -o FILE")
        return ExitStatus.failed
      }
      if mkdir(folder, 0o777) != 0, errno != EEXIST {
        throw Problems(
          kind: .cannotWrite, file: folder,
          list: [
            Problem(line: 0, column: 0, text: "can't be made: \(String(cString: strerror(errno))); name another folder")
          ])
      }
      for number in numbers {
        do {
          let (name, recording) = try take.moment(number)
          try TextFile.write(String(decoding: recording, as: UTF8.self), path: "\(folder)/\(name)")
          Output.print("\(folder)/\(name)")
        } catch let fault as RecordingTextFault {
          diagnostics.write(.error, "\(path): \(fault)")
          return ExitStatus.wrongContent
        }
      }
      return ExitStatus.success
    }
  }
}
