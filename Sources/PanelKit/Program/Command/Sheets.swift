import CycleCore
import HardwareDrivers
import PanelKinds
import PanelLanguage
import Terminal

enum Sheets: Subcommand {
  static let syntax = CommandSyntax(
    "panel sheets", "List the chips that a sheet describes, or print a sheet.",
    discussion: """
      A sheet describes how to read or set a chip on I²C, SPI or a serial line. A panel file uses it with \
      `sensor: { sheet: NAME, number: READING }`, with `level: { sheet: NAME }`, and for contacts under `chips` with \
      `pads: { sheet: NAME }`.

      Your own sheets are files NAME.sheet.yaml beside the panel file or in /etc/panel/sheets. They come before those of this \
      program. The list has those of the working directory and of /etc/panel/sheets, too. Check them with `panel check NAME.sheet.yaml`.
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
        guard let text = SheetLibrary.text(named: name, folder: "") else {
          let near = nearest(to: name, among: SheetLibrary.names(folder: "")).map { "did you mean \(quoted($0))?" }
          diagnostics.write(.error, "there is no sheet \(quoted(name)); \(near ?? "`panel sheets` lists all")")
          return ExitStatus.wrongUsage
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { Output.print(String(line)) }
        return ExitStatus.success
      }
      var status = ExitStatus.success
      for name in SheetLibrary.names(folder: "") {
        let sheet: Sheet
        switch SheetLibrary.sheet(named: name, folder: "") {
        case .success(let read): sheet = read
        case .failure(.wrong(let problems)):
          for line in problems.lines { diagnostics.write(.error, line) }
          status = problems.exitStatus
          continue
        case .failure(.unknown): continue
        }
        var parts = sheet.readings.map { $0.reading.unit.isEmpty ? $0.name : "\($0.name) (\($0.reading.unit))" }
        if !sheet.contacts.isEmpty { parts.append("contacts \(listed(sheet.contacts.map(\.name)))") }
        if !sheet.outputs.isEmpty { parts.append("levels \(listed(sheet.outputs.map(\.name)))") }
        Output.print("\(name): \(sheet.about): \(parts.joined(separator: ", "))")
      }
      return status
    }
  }
}
