import CycleCore
import HardwarePlatform
import PanelLanguage
import PanelNetwork
import Terminal

/// A panel's service on its control socket: performs the requests and returns their replies.
package final class PanelControlService: ControlService {
  /// The words that can start a request.
  static let words = ["status", "watch", "reload"] + RemoteCommand.words + ["log"]

  private let session: PanelSession
  private let diagnostics: Diagnostics
  /// The members of the status after those of the panel itself.
  private let more: () -> [JSON.Member]
  private let crashes: Int
  /// Loads another panel file; nil for a panel that can't be replaced.
  private let reloader: PanelReloader?
  /// The connections that watch the panel.
  private var watchers: [ControlConnection] = []
  private var observation: Observation?
  /// The log limit: 100 requests per 10 s, enough for manual use and for some scripts.
  private var requests = LogLimit(100)
  /// The parts of the status that the watchers received last.
  private var told: [JSON.Member] = []

  /// - Parameters:
  ///   - session: the session of a panel that has started.
  ///   - diagnostics: the log for requests that change something.
  ///   - more: returns the members of the status after those of the panel itself.
  ///   - crashes: the number of recent crashes of the panel.
  ///   - reloader: loads another panel file; nil for a panel that can't be replaced.
  package init(
    _ session: PanelSession, _ diagnostics: Diagnostics, more: @escaping () -> [JSON.Member] = { [] },
    crashes: Int = 0, reloader: PanelReloader? = nil
  ) {
    (self.session, self.diagnostics, self.more, self.crashes) = (session, diagnostics, more, crashes)
    self.reloader = reloader
  }

  package func answer(_ request: String, on connection: ControlConnection) -> ControlAnswer {
    let words = request.split(separator: " ").map(String.init)
    switch (words[0], words.count) {
    case ("status", 1): return .done([PanelStatus(of: session).line(more())])
    case ("status", 2) where words[1] == "brief": return .done([PanelStatus(of: session).brief])
    case ("status", 3) where words[1] == "prometheus":
      return .done(PanelStatus(of: session).prometheus(words[2], crashes: crashes))
    case ("status", _):
      return .refused(code: ExitStatus.wrongUsage, "write status, status brief or status prometheus NAME")
    case ("watch", 1): return watch(connection)
    case ("watch", _): return .refused(code: ExitStatus.wrongUsage, "write watch")
    case ("reload", _): return reload(request, connection)
    case ("log", 2):
      guard let level = Diagnostics.Level(rawValue: words[1]) else { fallthrough }
      note(request, connection)
      diagnostics.change(to: level)
      return .done()
    case ("log", _): return .refused(code: ExitStatus.wrongUsage, "write log error, log warning, log info or log debug")
    case (let word, _) where RemoteCommand.words.contains(word): return perform(words, request, connection)
    default:
      let near = nearest(to: words[0], among: Self.words).map { "did you mean \($0)?" } ?? listed(Self.words) + " are"
      return .refused(code: ExitStatus.wrongUsage, "there is no request \(quoted(words[0])); \(near)")
    }
  }

  private func perform(_ words: [String], _ request: String, _ connection: ControlConnection) -> ControlAnswer {
    do throws(RemoteRefusal) {
      let command = try RemoteCommand(words, for: session.panel)
      try session.application.remote.perform(command, by: .init(number: connection.number))
      session.world.noteAsked(command)
    } catch {
      return .refused(code: error.status, error.text)
    }
    note(request, connection)
    return .done()
  }

  private func reload(_ request: String, _ connection: ControlConnection) -> ControlAnswer {
    guard let reloader else {
      return .refused(code: ExitStatus.unavailable, "this panel can't be reloaded; restart it")
    }
    note(request, connection)
    return reloader.begin(request, like: session.settings.sounds, for: connection)
  }

  /// Sends the whole status to the watchers, after another panel has replaced the one before.
  package func noteReload() {
    guard observation != nil else { return }
    told = PanelStatus(of: session).parts
    observation = session.application.cycle.observe { [unowned self] _, _ in tellFrame() }
    let line = JSON.object(told).line
    for watcher in watchers { watcher.tell(line) }
  }

  /// Logs a request that changes something, with its sender, at any log level.
  private func note(_ request: String, _ connection: ControlConnection) {
    let (name, peer) = (session.panel.name, connection.peer)
    let line = requests.admit(
      "\(name): \(request), asked for by uid \(peer.user), pid \(peer.process)", at: session.now)
    if let line { diagnostics.record(.info, line) }
  }

  package func ended(_ connection: ControlConnection) {
    for input in session.application.remote.release(allOf: .init(number: connection.number)) {
      session.world.noteAsked(.release(input))
    }
    watchers.removeAll { $0 === connection }
    guard watchers.isEmpty else { return }
    observation?.end()
    observation = nil
  }

  // MARK: - Watching

  /// Sends the whole status, and then the changes of each frame.
  private func watch(_ connection: ControlConnection) -> ControlAnswer {
    if observation == nil {
      told = PanelStatus(of: session).parts
      observation = session.application.cycle.observe { [unowned self] _, _ in tellFrame() }
    }
    watchers.append(connection)
    return .watching([JSON.object(told).line])
  }

  private func tellFrame() {
    let parts = PanelStatus(of: session).parts
    let changes = PanelStatus.changes(from: told, to: parts)
    guard !changes.isEmpty else { return }
    told = parts
    let line = JSON.object(changes).line
    for watcher in watchers { watcher.tell(line) }
  }
}
