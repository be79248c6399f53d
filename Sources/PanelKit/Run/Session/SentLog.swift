import PanelEngine
import PanelLanguage

/// The messages that a panel has sent, in words, for the expectations of a scenario.
package final class SentLog {
  /// The maximum number of messages that are kept; later ones are dropped.
  static let most = 1000

  private var count = 0
  /// The messages since ``forget()``, the oldest first.
  package private(set) var words: [String] = []

  /// Adds the new messages of a frame.
  func note(_ frame: PanelFrame, of application: PanelApplication) {
    guard frame.sentCount != count else { return }
    for sent in frame.sentMessages.since(count).sent where words.count < Self.most {
      words.append(application.panel.messages[sent.message].words(with: sent.results))
    }
    count = frame.sentCount
  }

  package func forget() { words = [] }

  /// Clears the log for a new start of the panel, which counts from 0.
  func restart() { (count, words) = (0, []) }
}
