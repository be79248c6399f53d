import CycleCore
import HardwareDrivers

/// A switch with several positions on the bench: one contact for each line, of which one is closed.
///
/// It breaks before it makes: the contact of the old position opens, and the one of the new position closes after
/// ``gap``. With ``makesBeforeBreaks`` both are closed for that time.
public final class SimulatedSelector {
  private let bench: Bench
  private let contacts: [Contact?]
  /// The time from one contact to the next; default: none.
  public var gap = Duration.zero
  /// Whether the new contact closes before the old one opens.
  public var makesBeforeBreaks = false
  /// The position; nil between two positions.
  public private(set) var position: Int?

  /// - Parameters:
  ///   - bench: the bench.
  ///   - contacts: the contact of each position; nil for the position without one.
  ///   - position: the position at the beginning.
  public init(_ bench: Bench, contacts: [Contact?], at position: Int = 0) {
    self.bench = bench
    self.contacts = contacts
    self.position = position
    contacts[position]?.move(toClosed: true)
  }

  /// Turns the switch between two positions: a contact touches again and again, until the next position.
  public func lift() {
    let contact = position.flatMap { contacts[$0] } ?? contacts.lazy.compactMap { $0 }.first
    contact?.chatter(for: nil)
    (position, touching) = (nil, contact)
  }

  /// The contact that touches again and again.
  private var touching: Contact?

  /// Turns the switch to a position, and handles everything that is due now. Time passes if there is a ``gap``.
  public func select(_ position: Int) throws(DriverError) {
    precondition(contacts.indices.contains(position), "the switch has positions 0 to \(contacts.count - 1)")
    guard position != self.position else { return }
    let old = self.position.flatMap { contacts[$0] } ?? touching
    (self.position, touching) = (position, nil)
    if old === contacts[position] {
      try old?.press()
      return
    }
    if makesBeforeBreaks { try contacts[position]?.press() } else { try old?.release() }
    if gap > .zero { try bench.advance(by: gap) }
    if makesBeforeBreaks { try old?.release() } else { try contacts[position]?.press() }
  }

  /// Sets the time for which each contact bounces when it closes or opens.
  public func bounce(for span: Duration) {
    for contact in contacts { contact?.bounce = span }
  }
}
