import CycleCore
import HardwareDrivers

/// A closed contact between two lines, as stored by one of them.
struct Wire {
  /// The number of the contact: ``Bench/numberContact()``.
  let contact: Int
  /// Each end stores the wire, and a line that is deallocated removes it from the other one. A weak reference would
  /// make every reference to a line slower, and a scan of a simulated keypad ten times slower.
  unowned let other: SimulatedLine
  /// Whether a low, and a high, of `other` reaches the line that stores this wire: without a diode both do.
  let passesLow: Bool
  let passesHigh: Bool

  func passes(_ level: Level) -> Bool { level == .low ? passesLow : passesHigh }
}

extension SimulatedLine {
  /// Closes a contact between two lines of one bench. Through a diode current flows from the anode to the cathode only:
  /// a low cathode pulls its anode low, and a high anode its cathode high.
  static func connect(_ anode: SimulatedLine, _ cathode: SimulatedLine, hasDiode: Bool, contact: Int) {
    anode.wires.append(Wire(contact: contact, other: cathode, passesLow: true, passesHigh: !hasDiode))
    cathode.wires.append(Wire(contact: contact, other: anode, passesLow: !hasDiode, passesHigh: true))
    anode.resolve()
  }

  static func disconnect(_ anode: SimulatedLine, _ cathode: SimulatedLine, contact: Int) {
    anode.wires.removeAll { $0.contact == contact }
    cathode.wires.removeAll { $0.contact == contact }
    anode.resolve()
    cathode.resolve()
  }

  /// The strength of the strongest source for a level, on this line or on lines from which the level reaches it through
  /// closed contacts.
  func strongest(_ level: Level) -> Strength {
    wires.isEmpty ? strength(of: level) : strongest(level, in: bench.beginVisit())
  }

  private func strongest(_ level: Level, in visit: Int) -> Strength {
    self.visit = visit
    var strongest = strength(of: level)
    for place in wires.indices where strongest != .driven && wires[place].passes(level) {
      let other = wires[place].other
      if other.visit != visit { strongest = min(strongest, other.strongest(level, in: visit)) }
    }
    return strongest
  }

  /// This line and all lines that closed contacts connect to it, the nearest first.
  var connected: [SimulatedLine] {
    let visit = bench.beginVisit()
    self.visit = visit
    var lines = [self]
    var next = 0
    while next < lines.count {
      for wire in lines[next].wires where wire.other.visit != visit {
        wire.other.visit = visit
        lines.append(wire.other)
      }
      next += 1
    }
    return lines
  }
}

/// The kind of a source that drives a line to a level, the strongest first.
enum Strength: Int, Comparable {
  /// An output, or the world.
  case driven
  /// A resistor.
  case pulled
  /// A resistor in the chip.
  case biased
  case none

  static func < (one: Strength, other: Strength) -> Bool { one.rawValue < other.rawValue }
}

/// A program's output while something else drives its line to the opposite level: on real hardware a current that may
/// destroy the output.
public struct ShortCircuit: Equatable, Sendable {
  public var line: LineName
  /// The level to which the program drove the line.
  public var level: Level
  public var start: Moment
  /// The end; nil while it lasts.
  public var end: Moment?

  public init(line: LineName, level: Level, start: Moment, end: Moment? = nil) {
    self.line = line
    self.level = level
    self.start = start
    self.end = end
  }
}
