import CycleCore
import HardwareDrivers

/// A push-button or a switch on the bench: a contact between a line and ground or the supply, or between two lines,
/// that bounces if ``bounce`` is set.
public final class Contact {
  private enum Ends {
    case line(SimulatedLine, closed: Level, open: Level?)
    case lines(anode: SimulatedLine, cathode: SimulatedLine, hasDiode: Bool)
  }

  private let bench: Bench
  private let ends: Ends
  private let number: Int
  /// The time for which the contact bounces when it closes or opens; default: none.
  @exclusivity(unchecked) public var bounce = Duration.zero
  @exclusivity(unchecked) public private(set) var isClosed = false
  /// The number of moves of the contact: bounces of an earlier move end with the next one.
  @exclusivity(unchecked) private var moves = 0
  @exclusivity(unchecked) private var isTouching = false

  /// - Parameters:
  ///   - closed: the level of the line while the contact is closed: low for a contact to ground.
  ///   - open: the level of the line while the contact is open, from a resistor on the board or from a second contact
  ///     that opens when this one closes. Nil if only the chip's pull resistor acts then.
  ///   - bench: the bench.
  ///   - line: the line that the contact is at.
  public init(_ bench: Bench, line: SimulatedLine, closed: Level = .low, open: Level? = nil) {
    self.bench = bench
    number = bench.numberContact()
    ends = .line(line, closed: closed, open: open)
    if open != nil { line.drive(open) }
  }

  /// A contact between two lines.
  ///
  /// - Parameter hasDiode: whether a diode lets current flow from `anode` to `cathode` only: a low cathode pulls the
  ///   anode low and a high anode pulls the cathode high, but not vice versa.
  /// - Parameter bench: the bench.
  /// - Parameter cathode: the line at the diode's cathode.
  /// - Parameter anode: the line before the diode.
  public init(_ bench: Bench, from anode: SimulatedLine, to cathode: SimulatedLine, hasDiode: Bool = false) {
    precondition(anode !== cathode, "a contact is between two different lines")
    precondition(anode.bench === cathode.bench, "a contact is between lines of one bench")
    self.bench = bench
    number = bench.numberContact()
    ends = .lines(anode: anode, cathode: cathode, hasDiode: hasDiode)
  }

  /// Closes the contact, with bounces if ``bounce`` is set, and handles everything that is due now.
  public func press() throws(DriverError) {
    move(toClosed: true)
    try bench.settle()
  }

  /// Opens the contact, with bounces if ``bounce`` is set, and handles everything that is due now.
  public func release() throws(DriverError) {
    move(toClosed: false)
    try bench.settle()
  }

  /// The time between two changes of a chattering contact: a debounce period of 1 ms or more never ends.
  private static let chatterPause = Duration.microseconds(500)

  /// Opens and closes the contact repeatedly for a time; nil until it is moved. Afterwards it has its previous state.
  public func chatter(for span: Duration?) {
    moves += 1
    chattering = moves
    chatter(until: span.map { bench.now + $0 }, move: moves)
  }

  /// The number of the move since which the contact chatters; nil if it doesn't.
  private var chattering: Int?

  private func chatter(until end: Moment?, move: Int) {
    guard moves == move else { return }
    if let end, bench.now >= end {
      chattering = nil
      return touch(isClosed)
    }
    touch(!isTouching)
    bench.plan(at: bench.now + Self.chatterPause) { [weak self] in self?.chatter(until: end, move: move) }
  }

  /// Closes or opens the contact, and handles nothing.
  func move(toClosed isClosed: Bool) {
    guard isClosed != self.isClosed || chattering == moves else { return }
    self.isClosed = isClosed
    chattering = nil
    moves += 1
    let move = moves
    let now = bench.now
    touch(isClosed)
    guard bounce > .zero else { return }
    // An odd number of edges, so that the last one leaves the contact in its new state.
    let pairs = Int.random(in: 1...8, using: &bench.random)
    var moments = (0..<2 * pairs).map { _ in
      Int64.random(in: 1...max(1, bounce.wholeNanoseconds), using: &bench.random)
    }
    moments.sort()
    for (index, moment) in moments.enumerated() {
      bench.plan(at: now + .nanoseconds(moment)) { [weak self] in
        guard let self, self.moves == move else { return }
        self.touch(index.isMultiple(of: 2) ? !isClosed : isClosed)
      }
    }
  }

  private func touch(_ isTouching: Bool) {
    guard isTouching != self.isTouching else { return }
    self.isTouching = isTouching
    switch ends {
    case .line(let line, let closed, let open):
      line.drive(isTouching ? closed : open)
    case .lines(let anode, let cathode, let hasDiode):
      if isTouching {
        SimulatedLine.connect(anode, cathode, hasDiode: hasDiode, contact: number)
      } else {
        SimulatedLine.disconnect(anode, cathode, contact: number)
      }
    }
  }
}
