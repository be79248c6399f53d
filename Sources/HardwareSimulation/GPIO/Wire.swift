import CycleCore
import HardwareDrivers

/// A closed contact between two lines, as one of them stores it.
struct Wire {
  /// Which contact this is.
  let contact: ObjectIdentifier
  weak var other: SimulatedLine?
  /// Whether a low, and a high, of `other` reaches the line that stores this wire: without a diode both do.
  let passesLow: Bool
  let passesHigh: Bool

  func passes(_ level: Level) -> Bool { level == .low ? passesLow : passesHigh }
}

extension SimulatedLine {
  /// Closes a contact between two lines. Through a diode current flows from the anode to the cathode only: a low
  /// cathode pulls its anode low, and a high anode its cathode high.
  static func connect(_ anode: SimulatedLine, _ cathode: SimulatedLine, hasDiode: Bool, contact: ObjectIdentifier) {
    anode.wires.append(Wire(contact: contact, other: cathode, passesLow: true, passesHigh: !hasDiode))
    cathode.wires.append(Wire(contact: contact, other: anode, passesLow: !hasDiode, passesHigh: true))
    anode.resolve()
  }

  static func disconnect(_ anode: SimulatedLine, _ cathode: SimulatedLine, contact: ObjectIdentifier) {
    anode.wires.removeAll { $0.contact == contact }
    cathode.wires.removeAll { $0.contact == contact }
    anode.resolve()
    cathode.resolve()
  }

  /// Whether `isSource` is true for this line, or for one from which `level` reaches this line through closed contacts.
  func isReached(by level: Level, _ isSource: (SimulatedLine) -> Bool) -> Bool {
    if isSource(self) { return true }
    if wires.isEmpty { return false }
    return find({ $0.passes(level) }, isSource)
  }

  /// This line and all that closed contacts connect it with.
  var connected: [SimulatedLine] {
    var lines: [SimulatedLine] = []
    _ = find(
      { _ in true },
      { line in
        lines.append(line)
        return false
      })
    return lines
  }

  /// Searches this line, and then those behind wires for which `counts` is true, breadth first: true as soon as
  /// `isSought` is true for one.
  private func find(_ counts: (Wire) -> Bool, _ isSought: (SimulatedLine) -> Bool) -> Bool {
    var seen = [self]
    var next = 0
    while next < seen.count {
      let line = seen[next]
      next += 1
      if isSought(line) { return true }
      for wire in line.wires where counts(wire) {
        guard let other = wire.other, !seen.contains(where: { $0 === other }) else { continue }
        seen.append(other)
      }
    }
    return false
  }
}

/// A program's output while something else drives its line to the opposite level: on real hardware a current that may
/// destroy the output.
public struct ShortCircuit: Equatable, Sendable {
  public var line: LineName
  /// What the program drove the line to.
  public var level: Level
  public var start: Moment
  /// Nil as long as it lasts.
  public var end: Moment?

  public init(line: LineName, level: Level, start: Moment, end: Moment? = nil) {
    self.line = line
    self.level = level
    self.start = start
    self.end = end
  }
}
