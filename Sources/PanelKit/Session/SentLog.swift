/// The messages that a panel has sent, in words, for what a scenario expects of them.
final class SentLog {
  /// Of more messages than these the first are kept.
  static let most = 1000

  private var count = 0
  /// The messages since ``forget()``, the oldest first.
  private(set) var words: [String] = []

  /// Adds what is new in a frame.
  func note(_ frame: PanelFrame, of application: PanelApplication) {
    guard frame.sentCount != count else { return }
    for sent in frame.sentMessages.since(count).sent where words.count < Self.most {
      words.append(application.panel.messages[sent.message].words(with: sent.results))
    }
    count = frame.sentCount
  }

  func forget() { words = [] }

  /// The panel has started anew, and counts from 0 on.
  func restart() { (count, words) = (0, []) }
}
