import CycleCore
import HardwareLinux
import Terminal

/// Does what a request `reload` asks for: reads the file beside the panel, then has what is in it take the panel's place, and answers.
final class PanelReloader {
  private let kinds: KindList
  private let done: @Sendable () -> Void
  private let beside: (@escaping @Sendable () -> Void) throws(ReloadReading.Fault) -> Void
  /// The path of the panel file that is at work.
  private(set) var file: String
  private var reading: (ReloadReading, connection: ControlConnection)?
  /// Has what was read take the panel's place. Returns the lines of the answer.
  var exchange: ((ReloadReading.Content) throws(RemoteRefusal) -> [String])?
  /// Is told what is to be answered.
  var answer: ((ControlConnection, ControlAnswer) -> Void)?

  /// - Parameters:
  ///   - file: the path of the panel file that is at work.
  ///   - kinds: the kinds of devices that panel files can name.
  ///   - done: is called on another thread when ``turn()`` has to be.
  ///   - beside: runs the reading on another thread.
  init(
    of file: String, kinds: KindList, done: @escaping @Sendable () -> Void,
    beside: @escaping (@escaping @Sendable () -> Void) throws(ReloadReading.Fault) -> Void = ReloadReading.onThread
  ) {
    (self.file, self.kinds, self.done, self.beside) = (file, kinds, done, beside)
  }

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - request: `reload`, which means the file that is at work as it is now, or `reload FILE`.
  ///   - sounds: those of the panel that is at work.
  ///   - connection: gets the answer later.
  func begin(_ request: String, like sounds: [PanelSound], for connection: ControlConnection) -> ControlAnswer {
    guard reading == nil else {
      return .refused(code: ExitStatus.unavailable, "a panel file is being read already; ask again")
    }
    let path = String(request.drop { $0 != " " }.dropFirst())
    do throws(ReloadReading.Fault) {
      let reading = try ReloadReading(
        of: path.isEmpty ? file : path, kinds: kinds, like: sounds, done: done, beside: beside)
      self.reading = (reading, connection)
      return .later
    } catch {
      return .wrong(error.lines, code: error.status, "nothing has changed")
    }
  }

  /// Does what is to be done, between two turns of the panel.
  func turn() {
    guard let (reading, connection) = reading, let result = reading.result else { return }
    self.reading = nil
    switch result {
    case .failure(let fault): answer?(connection, .wrong(fault.lines, code: fault.status, "nothing has changed"))
    case .success(let content):
      do throws(RemoteRefusal) {
        let lines = try exchange?(content) ?? []
        file = content.file
        answer?(connection, .done(lines))
      } catch {
        answer?(connection, .refused(code: error.status, error.text))
      }
    }
  }
}
