import CycleCore
import HardwareLinux
import Terminal

enum FilmCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel film", "Prints, cuts, exports and imports films.",
    discussion: """
      print FILM           prints a line for each event
      cut FILM             makes a film of a part of it, which begins with a whole frame
      export FILM          makes a table of its events, with commas between the values
      import MOMENT...     makes a film of each file that CycleMonitor has saved: a moment, or a timeline

      `panel film scenario` and `panel film moments` make tests of a film: see their own --help.

      Examples:

        panel film print bell.film --from 3s --to 5s
        panel film cut bell.film --from 12 --to 40 --output part.film
        panel film export bell.film --output bell.csv
        panel film import *.moment --output films
      """,
    operands: [
      .init("print|cut|export|import", help: "What to do."),
      .init("FILE", help: "A film; to import, moments.", .oneOrMore),
    ],
    options: [
      CommandSyntax.Option("--from", value: "PLACE", help: "The first event, by its number or by its time: 12, 1.5s.") {
        FilmPlace($0) != nil
      },
      CommandSyntax.Option("--to", value: "PLACE", help: "The last event, in the same way.") { FilmPlace($0) != nil },
      CommandSyntax.Option(
        "--output", value: "PATH",
        help: "Where the part or the table is written; to import, the folder of the films."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let files = Array(arguments.operands.dropFirst())
      let range = FilmPlace.range(from: arguments.value(of: "--from"), to: arguments.value(of: "--to"))
      let output = arguments.value(of: "--output")
      switch arguments.operands[0] {
      case "import":
        if arguments.has("--from") || arguments.has("--to") { throw syntax.misuse("import takes whole files") }
        for file in files { try importMoments(file, folder: output ?? ".") }
      case let word where files.count > 1: throw syntax.misuse("\(visible(word)) takes one film")
      case "print":
        var listing = FilmListing(try open(files[0]), range)
        try listing.print { Output.print($0) }
      case "cut":
        guard let output else { throw syntax.misuse("cut needs --output") }
        try cut(files[0], range, output, diagnostics)
      case "export": try export(files[0], range, output)
      case let word:
        throw syntax.misuse("there is no \(quoted(word)); write print, cut, export, import, scenario or moments")
      }
      return ExitStatus.success
    }
  }

  private static func open(_ path: String) throws -> Film { try Film(FilmFileReader(path: path), name: path) }

  private static func cut(_ path: String, _ range: FilmRange, _ output: String, _ diagnostics: Diagnostics) throws {
    let copy = try FilmCopy(path: output, isReplacing: true)
    let report = try FilmCut(range).copy(to: copy) { try open(path) }
    if let truncation = report.truncation { diagnostics.write(.warning, truncation) }
    guard report.causes > report.causesBefore else {
      throw CommandEnd("\(path): no event is there; name others with --from and --to", status: ExitStatus.failed)
    }
    if report.causesBefore > 0 {
      diagnostics.write(
        .warning, "\(output): begins \(counted(report.causesBefore, "event")) earlier, at the last whole frame before")
    }
    try copy.finish()
    Output.print("\(output): \(counted(report.causes, "event"))")
  }

  private static func export(_ path: String, _ range: FilmRange, _ output: String?) throws {
    let table = FilmTable(try open(path), range)
    guard let output else { return try table.write { Output.standard.write($0) } }
    var text = ""
    try table.write { text += $0 }
    try TextFile.write(text, path: output)
  }

  private static func importMoments(_ path: String, folder: String) throws {
    let moments = try MomentFile(path: path)
    var name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    if name.hasSuffix(".moment") { name.removeLast(7) }
    let film = "\(folder)/\(name).film"
    let copy = try FilmCopy(path: film, isReplacing: false)
    try moments.write(to: copy)
    try copy.finish()
    Output.print("\(film): \(counted(moments.moments.count, "event"))")
  }
}

/// A place in a film: the number of an event, or a span since the start.
private enum FilmPlace {
  case cause(Int)
  case time(Int64)

  init?(_ text: String) {
    if let number = Int(text), number > 0, !text.hasPrefix("+") {
      self = .cause(number)
    } else if let span = try? Quantity.duration(text) {
      self = .time(span.wholeNanoseconds)
    } else {
      return nil
    }
  }

  /// The causes between two places, both included; without a place from the beginning or to the end.
  static func range(from first: String?, to last: String?) -> FilmRange {
    var (causes, times) = ((first: Int.min, last: Int.max), (first: Int64.min, last: Int64.max))
    switch first.flatMap(FilmPlace.init) {
    case .cause(let number): causes.first = number
    case .time(let time): times.first = time
    case nil: break
    }
    switch last.flatMap(FilmPlace.init) {
    case .cause(let number): causes.last = number
    case .time(let time): times.last = time
    case nil: break
    }
    return FilmRange(
      causes: causes.first...max(causes.first, causes.last), times: times.first...max(times.first, times.last))
  }
}
