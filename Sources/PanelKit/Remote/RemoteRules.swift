import CycleCore

/// What a hand at the panel and a press from outside mean together: the input tells the presses of one of them at a time, so that
/// they are a sequence that one button could tell.
///
///     hand     ___####______########___
///     outside  _____####______##_______
///     told     ___PPPR______PPPPPPPPR__    a press that begins within another one is not heard, nor is its end
extension PanelRules {
  /// Who presses a button.
  enum Source: Int {
    /// Whoever stands at the panel.
    case hand = 1
    /// Whoever presses it from outside.
    case remote = 2
  }

  /// The bit of ``PanelFrame/subscript(muted:)`` of a press from outside that is no click and no hold any more, because the lines of its
  /// input were lost meanwhile.
  static var forgotten: Int { 4 }

  /// Applies an event of an input's driver.
  @inline(__always)
  func hear(_ word: Int, of input: Int, at now: Moment, in frame: inout PanelFrame) {
    guard panel.accept.presses.isEmpty || isHeard(word, of: input, from: .hand, in: &frame) else { return }
    react(to: .input(input, word), at: now, in: &frame)
  }

  /// Applies what somebody does from outside.
  func hear(_ event: PanelRemote.Event, at now: Moment, in frame: inout PanelFrame) {
    switch event {
    case .input(let input, let word):
      guard panel.inputs.indices.contains(input), panel.inputs[input].device.events.indices.contains(word),
        !panel.accept.presses.contains(input) || isHeard(word, of: input, from: .remote, in: &frame)
      else { return }
      react(to: .input(input, word), at: now, in: &frame)
    case .asked(let event):
      guard panel.accept.events.indices.contains(event) else { return }
      react(to: .asked(event), at: now, in: &frame)
    case .set(let value, let number): set(value, to: number, at: now, in: &frame)
    case .change(let value, let difference):
      guard panel.values.indices.contains(value) else { return }
      set(value, to: Saturating.sum(frame[value: value], difference), at: now, in: &frame)
    }
  }

  /// Sets a value, at most to an end of its range, and applies what follows from that.
  private func set(_ value: Int, to number: Int, at now: Moment, in frame: inout PanelFrame) {
    guard panel.values.indices.contains(value) else { return }
    let definition = panel.values[value]
    applyNumber(at: now, after: .command(value), in: &frame) {
      $0[value: value] = min(definition.max, max(definition.min, number))
    }
  }

  /// Whether an input tells an event that one of its two sources has.
  private func isHeard(_ word: Int, of input: Int, from source: Source, in frame: inout PanelFrame) -> Bool {
    guard panel.accept.presses.contains(input) else { return true }
    let other: Source = source == .hand ? .remote : .hand
    switch panel.inputs[input].device.position(after: word) {
    case 1:
      guard frame[position: input] != 1, source == .hand || !isLost(input, in: frame) else {
        frame[muted: input] |= source.rawValue
        return false
      }
      // A click of the other source that is still waited for does not come any more.
      frame[muted: input] = other.rawValue
      return true
    case nil where source == .remote && frame[muted: input] & Self.forgotten != 0: return false
    default: return frame[muted: input] & source.rawValue == 0
    }
  }

  /// Whether the lines of an input are missing.
  func isLost(_ input: Int, in frame: PanelFrame) -> Bool { chipsOfInputs[input].map { frame.isMissing($0) } ?? false }

  /// The lines of inputs are lost: a press from outside is no click and no hold any more, as one by hand.
  ///
  /// - Parameter inputs: those of the lines; nil for all.
  func forgetRemotePresses(of inputs: [Int]?, in frame: inout PanelFrame) {
    for input in panel.accept.presses where inputs?.contains(input) ?? true { frame[muted: input] |= Self.forgotten }
  }
}
