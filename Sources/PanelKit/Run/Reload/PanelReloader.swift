import CycleCore
import Glibc
import HardwarePlatform
import PanelLanguage
import PanelNetwork
import Terminal

/// Handles a `reload` request: reads the file on another thread, replaces the panel, and replies.
///
/// Only root and the panel's own user may name a file and see errors with its text. Other users may not have permission
/// to read it. They may only reload the current file, and get the positions of errors.
package final class PanelReloader {
  private let kinds: KindList
  private let done: @Sendable () -> Void
  private let beside: (@escaping @Sendable () -> Void) throws(BackgroundReload.Fault) -> Void
  /// The path of the running panel file.
  package private(set) var file: String
  private var reading: (BackgroundReload, connection: ControlConnection)?
  private let owner: UInt32
  private let now: () -> Moment
  /// Limits the log to one full report in 10 s for requests of other users, because they may repeat them.
  private var limit = LogLimit()
  /// The time of the last reload by another user. Each reload takes time and adds log lines.
  private var lastByOthers: Moment?
  private static let pause = Duration.seconds(1)
  /// Replaces the panel with the one that was read. Returns the lines of the reply.
  package var exchange: ((BackgroundReload.Content) throws(RemoteRefusal) -> [String])?
  /// Called with the reply to send.
  package var answer: ((ControlConnection, ControlAnswer) -> Void)?
  /// Called with each log line: the details that other users must not see in the reply.
  package var log: (String) -> Void = { _ in }

  /// - Parameters:
  ///   - file: the path of the running panel file.
  ///   - kinds: the kinds of devices that panel files can name.
  ///   - done: called on another thread when ``turn()`` must be called.
  ///   - owner: the user that the panel runs as.
  ///   - now: returns the time of the loop's clock.
  ///   - beside: runs the reading on another thread.
  package init(
    of file: String, kinds: KindList, done: @escaping @Sendable () -> Void, owner: UInt32 = geteuid(),
    now: @escaping () -> Moment,
    beside: @escaping (@escaping @Sendable () -> Void) throws(BackgroundReload.Fault) -> Void = BackgroundReload
      .onThread
  ) {
    (self.file, self.kinds, self.done, self.beside) = (file, kinds, done, beside)
    (self.owner, self.now) = (owner, now)
  }

  /// Starts to read a file.
  ///
  /// - Parameters:
  ///   - request: `reload` for the current file, or `reload FILE`.
  ///   - sounds: the sounds of the running panel.
  ///   - connection: receives the reply later.
  package func begin(_ request: String, like sounds: [PanelSound], for connection: ControlConnection) -> ControlAnswer {
    guard reading == nil else {
      return .refused(code: ExitStatus.unavailable, "a panel file is being read already; ask again")
    }
    let path = String(request.drop { $0 != " " }.dropFirst())
    if !connection.peer.mayAct(as: owner) {
      guard path.isEmpty else {
        return .refused(
          code: ExitStatus.notPermitted,
          "only root and the panel's own user may name a file; write reload, which reads \(file) again")
      }
      let now = now()
      guard lastByOthers.map({ now - $0 >= Self.pause }) ?? true else {
        return .refused(code: ExitStatus.unavailable, "it has been read less than 1 s ago; ask again")
      }
      lastByOthers = now
    }
    do throws(BackgroundReload.Fault) {
      let reading = try BackgroundReload(
        of: path.isEmpty ? file : path, kinds: kinds, like: sounds, done: done, beside: beside)
      self.reading = (reading, connection)
      return .later
    } catch {
      return .wrong(error.lines, code: error.status, "nothing has changed")
    }
  }

  /// Completes a finished reload. Called between two turns of the panel.
  package func turn() {
    guard let (reading, connection) = reading, let result = reading.result else { return }
    self.reading = nil
    switch result {
    case .failure(let fault):
      guard connection.peer.mayAct(as: owner) else { return answerInPart(fault, connection) }
      answer?(connection, .wrong(fault.lines, code: fault.status, "nothing has changed"))
    case .success(let content):
      do throws(RemoteRefusal) {
        let lines = try exchange?(content) ?? []
        file = content.file
        answer?(connection, .done(lines))
      } catch {
        guard connection.peer.mayAct(as: owner) else {
          let fault = BackgroundReload.Fault(
            status: error.status, lines: [error.text], places: ["the file can't replace the running one"])
          return answerInPart(fault, connection)
        }
        answer?(connection, .refused(code: error.status, error.text))
      }
    }
  }

  /// Replies with positions only, because the client may not have permission to read the file. Logs the full errors.
  private func answerInPart(_ fault: BackgroundReload.Fault, _ connection: ControlConnection) {
    for (number, line) in fault.lines.prefix(Self.mostLogged).enumerated() {
      if number > 0 { log(line) } else if let line = limit.admit(line, at: now()) { log(line) } else { break }
    }
    answer?(
      connection, .wrong(fault.places, code: fault.status, "nothing was changed; the panel's log shows what is wrong"))
  }

  /// The number of lines about a wrong file that are logged.
  private static let mostLogged = 5
}
