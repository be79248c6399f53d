import CycleCore
import HardwareDrivers
import HardwareLinux

/// Plays a film of a panel without devices.
struct PanelReplay {
  private let panel: PanelDefinition
  private let film: Film
  private let application: PanelApplication

  /// - Parameters:
  ///   - path: the film.
  ///   - panelFile: the panel file to play it on; nil for the one in the film.
  init(path: String, panelFile: String?, kinds: KindList) throws {
    // The first whole frame says what chance began with.
    let beginning = try Film(FilmFileReader(path: path), name: path)
    let first = try beginning.next()
    guard let first, first.kind == .keyframe else {
      throw beginning.error(FilmFault("the second line of a film should be a whole frame"))
    }
    if let panelFile {
      panel = try PanelFile.read(path: panelFile, kinds: kinds)
    } else {
      guard let source = beginning.header.source else {
        throw FilmError(
          film: path, line: 1, fault: FilmFault("the film holds no panel file; name one: --panel FILE.panel.yaml"))
      }
      panel = try PanelFile.read(Array(source.text.utf8), file: source.file, kinds: kinds) { _ in nil }
    }
    var value = FilmReader(beginning.text, from: first.value.lowerBound)
    let row: [Int]
    do throws(FilmFault) { row = try [Int](from: &value) } catch { throw beginning.error(error) }
    let layout = FrameLayout(FrameSizes(of: panel), valueCount: panel.values.count)
    let chance = row.indices.contains(Int(layout.stream)) ? row[Int(layout.stream)] : 0
    let platform = try Platform(.simulated)
    application = PanelApplication(
      panel, on: platform,
      chips: PanelChips(of: panel, own: platform.hardware(at: PanelSession.port(of: panel)), on: platform),
      card: platform.hardware(at: SoundCardPort(device: panel.audio.device)), sounds: PanelSound.silent(panel.sounds),
      chance: UInt64(bitPattern: Int64(chance)))
    film = try Film(FilmFileReader(path: path), name: path)
  }

  func run(_ options: ReplayOptions) throws -> ReplayReport { try application.cycle.replay(film, options) }
}
