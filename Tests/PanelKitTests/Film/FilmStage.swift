import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRecording
@testable import PanelRun

/// A panel that is filmed while steps are typed to it.
enum FilmStage {
  /// The film of a panel of this text, in virtual time.
  ///
  /// - Parameter withEdges: whether it has edges, and no steps, as one of real hardware.
  static func film(
    _ text: String, _ steps: [String], name: String = "test", withEdges: Bool = false, beginning: Moment = .zero,
    start: String? = nil, kinds: KindList = .standard
  ) throws -> [UInt8] {
    let panel = try PanelFile.read(Array(text.utf8), file: name, kinds: kinds)
    let session = try PanelSession(
      panel, on: Platform(.simulated, beginning: beginning), waitsForLines: start != nil)
    let memory = FilmMemory()
    try session.film(to: [memory], source: .init(file: name, text: text), withEdges: withEdges)
    if withEdges { session.bench.recorder = nil }
    if let start {
      let scenario = "scenario: S\nstart: \(start)\nsteps: [ show ]\n"
      try session.world.prepare(ScenarioFile.read(Array(scenario.utf8), file: "s", for: panel).cases[0].start)
    }
    try session.start()
    let names = Names(panel)
    for step in steps {
      if let placed = try StepLineReader.read(step, line: 1, file: name, names: names) {
        _ = try session.perform(placed.step)
      }
    }
    session.stop()
    return memory.bytes
  }

  static func take(_ film: [UInt8], _ edits: String..., kinds: KindList = .standard) throws -> PanelEditedFilm {
    try PanelEditedFilm(
      of: FilmedPanel(film, name: "test.recording", kinds: kinds), edits: edits.map { try FilmEdit($0) })
  }

  /// The film of a take's resimulation.
  static func resimulated(_ take: PanelEditedFilm) throws -> [UInt8] {
    let memory = FilmMemory()
    _ = try take.resimulate(to: memory)
    return memory.bytes
  }

  /// The digests of the frames that a film's events made, in their order.
  static func digests(of film: [UInt8]) throws -> [FilmDigest] {
    let film = try Film(FilmBytes(film), name: "test.recording")
    var digests: [FilmDigest] = []
    while let line = try film.next() {
      if line.kind.isCause, let digest = line.digest { digests.append(digest) }
    }
    return digests
  }

  /// The lines of events and troubles.
  static func causes(of film: [UInt8]) -> [Substring] {
    String(decoding: film, as: UTF8.self).split(separator: "\n").filter {
      $0.hasPrefix("[\"e\"") || $0.hasPrefix("[\"t\"")
    }
  }

  static func lines(of film: [UInt8]) -> [Substring] { String(decoding: film, as: UTF8.self).split(separator: "\n") }
}
