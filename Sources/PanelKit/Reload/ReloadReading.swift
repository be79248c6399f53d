import CycleCore
import HardwareDrivers
import Synchronization
import Terminal

/// A panel file that is read on a thread of its own, with its sounds, while a panel is at work.
final class ReloadReading: Sendable {
  /// A file that is fine.
  struct Content: Sendable {
    let file: String
    let text: [UInt8]
    let panel: PanelDefinition
    let sounds: [PanelSound]
  }

  /// Why a file can't be had, as a command ends with it.
  struct Fault: Error, Sendable {
    let status: Int32
    let lines: [String]
    /// As much of the lines as somebody may know who can't read the file: places, and no text of it.
    let places: [String]
  }

  private let outcome = Mutex<Result<Content, Fault>?>(nil)

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - file: the path of a panel file.
  ///   - kinds: the kinds of devices that it can name.
  ///   - sounds: those of the panel that is at work, whose samples are shared where they are the same.
  ///   - done: is called on the thread when all has been read.
  ///   - beside: runs something on another thread; it may take a second.
  /// - Throws: a fault where the system gives no thread.
  init(
    of file: String, kinds: KindList, like sounds: [PanelSound], done: @escaping @Sendable () -> Void,
    beside: (@escaping @Sendable () -> Void) throws(Fault) -> Void
  ) throws(Fault) {
    try beside { [self] in
      let result = Self.read(file, kinds, sounds)
      outcome.withLock { $0 = result }
      done()
    }
  }

  /// What has been read; nil until then.
  var result: Result<Content, Fault>? { outcome.withLock { $0 } }

  private static func read(_ file: String, _ kinds: KindList, _ others: [PanelSound]) -> Result<Content, Fault> {
    do throws(Problems) {
      let text = try PanelFile.text(path: file)
      let panel = try PanelFile.read(text, file: file, folder: PanelFile.folder(of: file), kinds: kinds)
      do throws(DriverError) {
        let sounds = try PanelSound.load(panel.sounds, like: others)
        return .success(Content(file: file, text: text, panel: panel, sounds: sounds))
      } catch {
        return .failure(
          Fault(status: error.exitStatus, lines: ["\(error)"], places: ["\(file): a sound can't be played"]))
      }
    } catch {
      return .failure(Fault(status: error.exitStatus, lines: error.lines, places: error.places))
    }
  }

  /// Runs something on a thread of its own, which ends by itself.
  static func onThread(_ body: @escaping @Sendable () -> Void) throws(Fault) {
    do throws(SystemThread.Refusal) {
      try SystemThread(body).detach()
    } catch {
      let line = "the system gives no thread to read the panel file on"
      throw Fault(status: ExitStatus.unavailable, lines: [line], places: [line])
    }
  }
}
