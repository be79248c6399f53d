import CycleCore

/// The events and troubles of an application that its test has not received yet, each with the frame that it made.
final class TestStoreQueue<Frame: Equatable>: EventTap {
  struct Entry {
    var lens: Int
    /// An event of the lens's driver, or a ``Trouble``.
    var event: any Sendable
    var moment: Moment
    /// The frame before it.
    var before: Frame
    /// The frame that it made, and its number; nil if it changed nothing.
    var after: (frame: Frame, number: Int)?
  }

  private(set) var entries: [Entry] = []
  private var frame: Frame
  private var number: Int
  /// Whether a lens has a filter for its events: events of other lenses can't change anything.
  private let isHeard: (_ lens: Int) -> Bool
  private var observations: [Observation] = []

  init(of cycle: any Application<Frame>, isHeard: @escaping (_ lens: Int) -> Bool) {
    frame = cycle.frame
    number = cycle.frameNumber
    self.isHeard = isHeard
    observations = [cycle.tap(self), cycle.observe { [unowned self] frame, _ in note(frame) }]
  }

  func end() { for observation in observations { observation.end() } }

  func removeFirst() -> Entry { entries.removeFirst() }

  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment) {
    if isHeard(lens) { add(event, lens, moment) }
  }

  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment) { add(trouble, lens, moment) }

  private func add(_ event: any Sendable, _ lens: Int, _ moment: Moment) {
    entries.append(Entry(lens: lens, event: event, moment: moment, before: frame))
  }

  /// Records the frame that the last event has made.
  private func note(_ frame: Frame) {
    number += 1
    self.frame = frame
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].after = (frame, number)
  }
}
