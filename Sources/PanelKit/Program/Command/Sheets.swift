import CycleCore
import HardwareDrivers
import PanelKinds
import PanelLanguage
import Terminal

enum Sheets: Subcommand {
  static let syntax = CommandSyntax(
    "panel sheets", "List the chips that a sheet describes, or print a sheet.",
    discussion: """
      A sheet describes how to read a chip on I²C or SPI. A panel file uses it with `sensor: { sheet: NAME, number: READING }`.

      Your own sheets are files NAME.sheet.yaml beside the panel file or in /etc/panel/sheets. They come before those of this \
      program. Check them with `panel check NAME.sheet.yaml`.
      """,
    examples: """
      $ panel sheets | grep humidity
      $ panel sheets bme280
      """,
    operands: [.init("SHEET", help: "Name of a sheet to print.", .optional)])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      if let name = arguments.operands.first {
        guard let own = SheetLibrary.texts.first(where: { $0.name == name }) else {
          let near = nearest(to: name, among: SheetLibrary.names).map { "did you mean \(quoted($0))?" }
          diagnostics.write(.error, "there is no sheet \(quoted(name)); \(near ?? "`panel sheets` lists all")")
          return ExitStatus.wrongUsage
        }
        Output.print(own.text)
        return ExitStatus.success
      }
      var status = ExitStatus.success
      for name in SheetLibrary.names {
        let sheet: Sheet
        switch SheetLibrary.sheet(named: name, folder: "") {
        case .success(let read): sheet = read
        case .failure(.wrong(let problems)):
          for line in problems.lines { diagnostics.write(.error, line) }
          status = problems.exitStatus
          continue
        case .failure(.unknown): continue
        }
        let readings = sheet.readings.map { $0.reading.unit.isEmpty ? $0.name : "\($0.name) (\($0.reading.unit))" }
        Output.print("\(name): \(sheet.about): \(readings.joined(separator: ", "))")
      }
      return status
    }
  }
}
