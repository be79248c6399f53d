import CycleCore
import PanelEngine
import PanelLanguage

/// Finds the changes of a panel's view. It is a class because a lazy property of a structure would copy the array of
/// thousands of subjects at each call.
package final class ViewDiff {
  private unowned let session: PanelSession
  private let subjects: [PanelView.Subject]
  /// The last result of ``next()`` for each subject; empty before its first call.
  private var told: [PanelView.Shown] = []
  private var toldLosses: [PluggableHardware] = []

  /// - Parameter shownOnly: whether only visible and audible subjects are compared, without states and values.
  package init(of session: PanelSession, shownOnly: Bool = false) {
    self.session = session
    subjects = session.view.subjects.filter { !shownOnly || $0.isShown }
  }

  /// The subjects that have changed since the last call, with their texts; all of them at the first call.
  package func next() -> [(subject: PanelView.Subject, text: String)] {
    let view = session.view
    let frame = session.frame
    var changes: [(subject: PanelView.Subject, text: String)] = []
    let isFirst = told.count < subjects.count
    for place in 0..<subjects.count {
      let subject = subjects[place]
      let shown = view.shown(subject, in: frame)
      if isFirst {
        told.append(shown)
      } else if told[place] != shown {
        let before = told[place]
        told[place] = shown
        if case (.sent(let sent), .sent(let known)) = (shown, before) {
          // A panel that has stopped, or that starts again, has sent nothing.
          let count = sent.count < known.count ? 0 : known.count
          if sent.count > count { changes.append((subject, view.text(of: sent, since: count))) }
          continue
        }
      } else {
        continue
      }
      changes.append((subject, view.text(shown, of: subject)))
    }
    let losses = frame.missing
    for hardware in losses where !toldLosses.contains(hardware) { changes.append((.hardware(hardware), "lost")) }
    for hardware in toldLosses where !losses.contains(hardware) {
      changes.append((.hardware(hardware), "restored"))
    }
    toldLosses = losses
    return changes
  }
}
