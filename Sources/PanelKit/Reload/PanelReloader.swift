import CycleCore
import Glibc
import HardwareLinux
import Terminal

/// Does what a request `reload` asks for: reads the file beside the panel, then has what is in it take the panel's place, and answers.
///
/// Only the user that the panel runs as, and root, may name a file, and only they are answered with what is in one: others may not be able to read
/// it themselves. Whoever else reaches the socket may have the file at work read again, and hears where it is wrong.
final class PanelReloader {
  private let kinds: KindList
  private let done: @Sendable () -> Void
  private let beside: (@escaping @Sendable () -> Void) throws(ReloadReading.Fault) -> Void
  /// The path of the panel file that is at work.
  private(set) var file: String
  private var reading: (ReloadReading, connection: ControlConnection)?
  private let owner: UInt32
  private let now: () -> Moment
  /// Of the answers that others got in part, one in 10 s is logged whole: anybody may ask again and again.
  private var limit = LogLimit()
  /// When somebody other than the owner has had the file read last: each time costs time, and lines of the log.
  private var lastByOthers: Moment?
  private static let pause = Duration.seconds(1)
  /// Has what was read take the panel's place. Returns the lines of the answer.
  var exchange: ((ReloadReading.Content) throws(RemoteRefusal) -> [String])?
  /// Is told what is to be answered.
  var answer: ((ControlConnection, ControlAnswer) -> Void)?
  /// Gets a line of the log: what is not answered to those who may not read it.
  var log: (String) -> Void = { _ in }

  /// - Parameters:
  ///   - file: the path of the panel file that is at work.
  ///   - kinds: the kinds of devices that panel files can name.
  ///   - done: is called on another thread when ``turn()`` has to be.
  ///   - owner: the user that the panel runs as.
  ///   - now: the loop's clock.
  ///   - beside: runs the reading on another thread.
  init(
    of file: String, kinds: KindList, done: @escaping @Sendable () -> Void, owner: UInt32 = geteuid(),
    now: @escaping () -> Moment,
    beside: @escaping (@escaping @Sendable () -> Void) throws(ReloadReading.Fault) -> Void = ReloadReading.onThread
  ) {
    (self.file, self.kinds, self.done, self.beside) = (file, kinds, done, beside)
    (self.owner, self.now) = (owner, now)
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
          let fault = ReloadReading.Fault(
            status: error.status, lines: [error.text], places: ["the file can't replace the running one"])
          return answerInPart(fault, connection)
        }
        answer?(connection, .refused(code: error.status, error.text))
      }
    }
  }

  /// Answers somebody who may not be able to read the file: where it is wrong, without a word of it. The log has the rest.
  private func answerInPart(_ fault: ReloadReading.Fault, _ connection: ControlConnection) {
    for (number, line) in fault.lines.prefix(Self.mostLogged).enumerated() {
      if number > 0 { log(line) } else if let line = limit.admit(line, at: now()) { log(line) } else { break }
    }
    answer?(
      connection, .wrong(fault.places, code: fault.status, "nothing was changed; the panel's log shows what is wrong"))
  }

  /// How many lines of a wrong file are logged.
  private static let mostLogged = 5
}
