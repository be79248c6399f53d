import CycleCore
import HardwareDrivers
import PanelLanguage
import Terminal

/// A panel file that is read with its sounds on its own thread, while a panel runs.
package final class BackgroundReload: Sendable {
  /// A correct file.
  package struct Content: Sendable {
    package let file: String
    package let text: [UInt8]
    package let panel: PanelDefinition
    package let sounds: [PanelSound]
  }

  /// The reason why a file can't be used, as a command reports it.
  package struct Fault: Error, Sendable {
    let status: Int32
    let lines: [String]
    /// The same lines without text of the file: only positions, for clients that may not have permission to read it.
    let places: [String]
  }

  private let outcome = Locked<Result<Content, Fault>?>(nil)

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - file: the path of a panel file.
  ///   - kinds: the kinds of devices that the file can name.
  ///   - sounds: the sounds of the running panel. Identical sounds share their samples.
  ///   - done: called on the thread when everything has been read.
  ///   - beside: runs the reading on another thread; it may take a second.
  /// - Throws: a fault if the system can't create a thread.
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

  /// The result; nil until the reading has finished.
  var result: Result<Content, Fault>? { outcome.withLock { $0 } }

  private static func read(_ file: String, _ kinds: KindList, _ others: [PanelSound]) -> Result<Content, Fault> {
    do throws(Problems) {
      let text = try PanelFile.text(path: file)
      let panel = try PanelFile.read(
        text, file: file, folder: PanelFile.folder(of: file), kinds: kinds,
        checkSound: SoundFileCheck.finding)
      let sounds = PanelSound.all(panel.sounds, like: others)
      return .success(Content(file: file, text: text, panel: panel, sounds: sounds))
    } catch {
      return .failure(Fault(status: error.exitStatus, lines: error.lines, places: error.places))
    }
  }

  /// Runs a closure on its own thread, which ends by itself.
  static func onThread(_ body: @escaping @Sendable () -> Void) throws(Fault) {
    do throws(SystemThread.Refusal) {
      try SystemThread(body).detach()
    } catch {
      let line = "the system gives no thread to read the panel file on"
      throw Fault(status: ExitStatus.unavailable, lines: [line], places: [line])
    }
  }
}
