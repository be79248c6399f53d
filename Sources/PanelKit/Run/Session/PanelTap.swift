import CycleCore

/// Calls `note` with each event and each ``Trouble``, and with the number of its lens.
final class PanelTap: EventTap {
  private let note: (_ event: Any, _ lens: Int, _ moment: Moment) -> Void

  init(note: @escaping (_ event: Any, _ lens: Int, _ moment: Moment) -> Void) {
    self.note = note
  }

  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment) { note(event, lens, moment) }
  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment) { note(trouble, lens, moment) }
}
