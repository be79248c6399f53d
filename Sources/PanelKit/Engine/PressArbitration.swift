import CycleCore
import PanelLanguage

/// Combines the presses of a button by hand with remote presses. The input emits the presses of one source at a time,
/// so that one button could have emitted the same sequence.
///
///     hand     ___####______########___
///     remote   _____####______##_______
///     emitted  ___PPPR______PPPPPPPPR__    a press that begins during another press is ignored, and so is its release
extension PanelRules {
  /// The source of a press.
  package enum Source: Int {
    /// The button at the panel.
    case hand = 1
    /// A remote command.
    case remote = 2
  }

  /// The bit of ``PanelFrame/subscript(muted:)`` for a remote press during which the lines of its input were lost. Such
  /// a press no longer counts as a click or a hold.
  static var forgotten: Int { 4 }

  /// Applies an event of an input's driver.
  @inline(__always)
  package func hear(_ word: Int, of input: Int, at now: Moment, in frame: inout PanelFrame) {
    guard panel.accept.presses.isEmpty || isHeard(word, of: input, from: .hand, in: &frame) else { return }
    react(to: .input(input, word), at: now, in: &frame)
  }

  /// Whether an input emits an event of one of its two sources.
  package func isHeard(_ word: Int, of input: Int, from source: Source, in frame: inout PanelFrame) -> Bool {
    guard panel.accept.presses.contains(input) else { return true }
    let other: Source = source == .hand ? .remote : .hand
    switch panel.inputs[input].device.position(after: word) {
    case 1:
      guard frame[position: input] != 1, source == .hand || !isLost(input, in: frame) else {
        frame[muted: input] |= source.rawValue
        return false
      }
      // Drops a pending click of the other source.
      frame[muted: input] = other.rawValue
      return true
    case nil where source == .remote && frame[muted: input] & Self.forgotten != 0: return false
    default: return frame[muted: input] & source.rawValue == 0
    }
  }

  /// Whether the lines of an input are missing.
  func isLost(_ input: Int, in frame: PanelFrame) -> Bool { chipsOfInputs[input].map { frame.isMissing($0) } ?? false }

  /// Ends remote presses as clicks and holds after the lines of their inputs are lost, like presses by hand.
  ///
  /// - Parameter inputs: the inputs whose lines are lost; nil for all.
  func forgetRemotePresses(of inputs: [Int]?, in frame: inout PanelFrame) {
    for input in panel.accept.presses where inputs?.contains(input) ?? true { frame[muted: input] |= Self.forgotten }
  }
}
