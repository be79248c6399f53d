import CycleCore
import Glibc
import HardwareLinux
import Terminal

enum FilmMomentsCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel film moments", "Writes a film of one event each, for the events that were approved.",
    discussion: """
      Each begins with the frame that the event met, and is named by the event: 12-bell-pressed.film. `panel replay` plays a
      folder of them on a panel file. Examples:

        panel take bell.film 'approve 1' 'approve 4' --film good.film
        panel film moments good.film moments
        panel replay moments --panel doorbell.panel.yaml
      """,
    operands: [
      .init("FILM", help: "A film, or a take that was saved."),
      .init("FOLDER", help: "Where the films go; it is made if it is not there."),
    ],
    options: [
      CommandSyntax.Option("--event", value: "NUMBER", help: "This event, approved or not.") { Int($0) != nil }
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let (path, folder) = (arguments.operands[0], arguments.operands[1])
      let source = try TakeSource(path: path)
      let take = try PanelTake(of: FilmedPanel(path: source.film, kinds: kinds), edits: source.edits)
      let numbers = arguments.value(of: "--event").flatMap { Int($0) }.map { [$0] } ?? take.take.approvals.sorted()
      guard !numbers.isEmpty else {
        diagnostics.write(
          .error, "\(path): no event is approved; approve one: panel take \(path) 'approve 1' --film FILE")
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
          let (name, film) = try take.moment(number)
          try TextFile.write(String(decoding: film, as: UTF8.self), path: "\(folder)/\(name)")
          Output.print("\(folder)/\(name)")
        } catch let fault as FilmFault {
          diagnostics.write(.error, "\(path): \(fault)")
          return ExitStatus.wrongContent
        }
      }
      return ExitStatus.success
    }
  }
}
