import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import Terminal

/// The recordings that a command line requests: a recording of everything, and a flight recorder.
package final class RecordingSession {
  private static let recording = "--record"
  private static let limit = "--record-limit"
  private static let flight = "--flight-recorder"
  private static let events = "--flight-recorder-events"

  package static let all = [
    CommandSyntax.Option(
      recording, value: "FILE",
      help: "Record all events to a file, such as lamp.recording. It replaces an older recording."),
    CommandSyntax.Option(
      limit, value: "SIZE", "a size of 1MiB or more, such as 64MiB",
      help: "Keep only the newest events, about SIZE, such as 64MiB, in FILE and FILE.1."
    ) { (bytes($0) ?? 0) >= BackgroundRecordingFile.leastLimit },
    CommandSyntax.Option(
      flight, value: "FILE",
      help: """
        Keep the last events in memory. At each fault and at SIGUSR1, write them to a new file. If FILE is last.recording, \
        the files are last.1.recording, last.2.recording and so on.
        """),
    .number(
      events, value: "COUNT", 1...FlightRecorder.mostEvents,
      help: "Number of events that the flight recorder keeps (default: 10000)."),
  ]

  /// The option for a program that can record the edges of its lines.
  package static let edges = CommandSyntax.Option(
    "--record-edges",
    help: "Also record each change (edge) of an input line. A later simulation can then include the device drivers.")

  /// Whether the edges of input lines are recorded, too.
  package let hasEdges: Bool
  private var path: String
  private var file: BackgroundRecordingFile?
  private var flight: FlightRecorder?
  private let limit: Int?
  /// The path of the flight recorder's recordings, and the number of events in each; nil without one.
  private let flightPlan: (path: String, events: Int)?
  /// The recordings of applications that others have replaced.
  private var earlier: [(path: String, file: BackgroundRecordingFile)] = []
  private var earlierFlights: [FlightRecorder] = []
  private let diagnostics: Diagnostics
  /// The sinks for the recording; empty without an option.
  package var sinks: [any RecordingSink] { ([file, flight] as [(any RecordingSink)?]).compactMap { $0 } }

  /// Creates the files that the options name.
  ///
  /// - Throws: `CommandEnd` if an existing file is not a recording, and for an option that needs another; `DriverError`
  ///   if a file can't be created.
  package init(_ arguments: ParsedArguments, of syntax: CommandSyntax, _ diagnostics: Diagnostics) throws {
    self.diagnostics = diagnostics
    let flightPath = arguments.value(of: Self.flight)
    if arguments.has(Self.limit), !arguments.has(Self.recording) {
      throw syntax.misuse("\(Self.limit) needs \(Self.recording)")
    }
    if arguments.has(Self.events), flightPath == nil { throw syntax.misuse("\(Self.events) needs \(Self.flight)") }
    hasEdges = arguments.has(Self.edges.name)
    if hasEdges, !arguments.has(Self.recording) { throw syntax.misuse("\(Self.edges.name) needs \(Self.recording)") }
    path = arguments.value(of: Self.recording) ?? ""
    limit = arguments.value(of: Self.limit).flatMap(Self.bytes)
    if arguments.has(Self.recording) {
      try Self.checkPlace(path)
      if limit != nil { try Self.checkPlace(WritableFile.earlier(path)) }
      file = try BackgroundRecordingFile(path: path, limit: limit)
    } else {
      file = nil
    }
    let count = arguments.value(of: Self.events).flatMap { Int($0) } ?? 10_000
    flightPlan = flightPath.map { ($0, count) }
    flight = try flightPath.map { path throws(DriverError) in
      try Self.makeFlight(at: path, events: count, diagnostics)
    }
  }

  private static func makeFlight(
    at path: String, events: Int, _ diagnostics: Diagnostics
  ) throws(DriverError) -> FlightRecorder {
    try FlightRecorder(path: path, events: events) { outcome in
      switch outcome {
      case .success(let path): diagnostics.write(.warning, "the last events are in \(path)")
      case .failure(let error): diagnostics.write(.error, "\(error)")
      }
    }
  }

  /// Replaces ``sinks`` for the recording of another application, which replaces the recorded one. The recordings of
  /// `bell.recording` are then `bell.reload-1.recording`, `bell.reload-2.recording` and so on. Existing recordings of
  /// these names are replaced.
  ///
  /// - Throws: an error if such a file can't be created; then the previous recording continues.
  package func beginAnew() throws(DriverError) {
    if let file {
      let stem = earlier.first?.path ?? path
      let base = stem.hasSuffix(".recording") ? String(stem.dropLast(".recording".count)) : stem
      let next = "\(base).reload-\(earlier.count + 1).recording"
      do throws(CommandEnd) { try Self.checkPlace(next) } catch {
        throw DriverError(
          .failed, of: next, cannot: "write the recording \(next)", reason: "this file exists and is not a recording",
          remedy: "Move it.")
      }
      let made = try BackgroundRecordingFile(path: next, limit: limit)
      earlier.append((path, file))
      (self.file, path) = (made, next)
    }
    guard let flight, let flightPlan else { return }
    let made = try Self.makeFlight(at: flightPlan.path, events: flightPlan.events, diagnostics)
    earlierFlights.append(flight)
    self.flight = made
  }

  /// The number of bytes in a text like `512KiB`, `64MiB` or `1GiB`; nil for any other text.
  private static func bytes(_ text: String) -> Int? {
    for (unit, shift) in [("KiB", 10), ("MiB", 20), ("GiB", 30)] where text.hasSuffix(unit) {
      let digits = text.dropLast(unit.count)
      guard digits.utf8.count <= 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int(digits).map { $0 << shift }
    }
    return nil
  }

  /// Throws if the path names an existing file of another kind, which would be lost.
  ///
  /// - Parameters:
  ///   - path: the path of the file to be written.
  ///   - kind: the kind of such files, which is also the first key in them.
  package static func checkPlace(_ path: String, kind: String = "film") throws(CommandEnd) {
    var status = stat()
    // Writing to a device or a pipe replaces nothing, and reading from it would take bytes of another program.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let beginning = Array("{\"\(kind)\":".utf8)
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    let count = bytes.withUnsafeMutableBytes { bytes in (try? RecordingFileReader(path: path).read(into: bytes)) ?? 0 }
    guard count > 0, bytes != beginning else { return }
    throw CommandEnd(
      "\(path): this file exists and is not \(kind == "film" ? "a recording" : "a file of edits"); name another file",
      status: ExitStatus.cannotWrite)
  }

  /// Writes the flight recorder's recording at each SIGUSR1, until the watch is ended; nil without a flight recorder.
  package func watchRequests(on loop: LinuxLoop) throws(DriverError) -> SignalWatch? {
    guard flight != nil else { return nil }
    return try SignalWatch(on: loop, signals: [SIGUSR1]) { [unowned self] _ in flight?.flush(.request) }
  }

  /// Writes all waiting records when the program ends with an error; does nothing after ``end(_:_:)``.
  package func abandon() {
    for (_, recording) in earlier { _ = recording.finish() }
    _ = file?.finish()
    for flight in earlierFlights { flight.finish() }
    flight?.finish()
  }

  private func tell(_ path: String, _ reason: String) {
    diagnostics.write(.error, "\(path): the recording is incomplete: \(reason); free some space, or write it elsewhere")
  }

  /// Ends the files, and reports missing records. Returns the exit status.
  ///
  /// - Parameters:
  ///   - status: the exit status of the program without the recordings.
  ///   - recorder: the recorder; nil if nothing was recorded.
  package func end(_ status: Int32, _ recorder: Recorder?) -> Int32 {
    var status = status
    for (path, recording) in earlier {
      guard let reason = recording.finish() else { continue }
      tell(path, reason)
      if status == ExitStatus.success { status = ExitStatus.cannotWrite }
    }
    for flight in earlierFlights { flight.finish() }
    if flight?.finish() == false {
      diagnostics.write(
        .error, "the recording of the last events is incomplete: the disk is too slow; write it elsewhere")
    }
    guard let file, let recorder else { return status }
    if let reason = file.finish() {
      tell(path, reason)
      return status == ExitStatus.success ? ExitStatus.cannotWrite : status
    }
    let lost = recorder.account(of: file).lost
    if let fault = recorder.fault {
      diagnostics.write(.warning, "\(path): \(counted(lost, "record")) left out: \(fault)")
    } else if lost > 0 {
      diagnostics.write(.warning, "\(path): \(counted(lost, "record")) left out: the disk was too slow")
    }
    return status
  }
}
