import CycleCore
import HardwareDrivers

/// The knob of a rotary encoder on the bench.
public final class Knob {
  private let bench: Bench
  private let a: SimulatedLine
  private let b: SimulatedLine
  private let quarter: Duration
  private let edges: Int
  private let closed: Level
  private let open: Level?
  /// The state of both contacts at the current position of the knob.
  private var isClosed = (a: false, b: false)

  /// - Parameters:
  ///   - quarter: the time for which the knob stays in each of the four contact states of a detent.
  ///   - edges: the number of times a contact opens or closes from one detent to the next: 4, 2 or 1. With 2, both
  ///     contacts are open at every other detent and closed at the others. A detent still takes four quarters.
  ///   - closed: as in ``Contact/init(_:line:closed:open:)``, for both contacts.
  ///   - open: as in ``Contact/init(_:line:closed:open:)``, for both contacts.
  ///   - bench: the bench.
  ///   - a: the line of the first phase.
  ///   - b: the line of the second phase.
  public init(
    _ bench: Bench, a: SimulatedLine, b: SimulatedLine, quarter: Duration = .milliseconds(1), edges: Int = 4,
    closed: Level = .low, open: Level? = nil
  ) {
    precondition([1, 2, 4].contains(edges), "a detent has 4, 2 or 1 edges")
    self.edges = edges
    self.closed = closed
    self.open = open
    self.bench = bench
    self.a = a
    self.b = b
    self.quarter = quarter
    guard open != nil else { return }
    a.drive(open)
    b.drive(open)
  }

  /// Turns the knob by this number of detents, clockwise if positive; time passes.
  public func turn(by detents: Int) throws(DriverError) {
    for _ in 0..<detents.magnitude {
      if edges < 4 { try bench.advance(by: quarter * (4 - edges)) }
      for _ in 0..<edges {
        step(isClockwise: detents > 0)
        try bench.advance(by: quarter)
      }
    }
  }

  /// Moves the next contact in this direction: clockwise A closes, B closes, A opens, B opens.
  private func step(isClockwise: Bool) {
    let isOfA = (isClosed.a == isClosed.b) == isClockwise
    if isOfA { isClosed.a.toggle() } else { isClosed.b.toggle() }
    (isOfA ? a : b).drive((isOfA ? isClosed.a : isClosed.b) ? closed : open)
  }
}
