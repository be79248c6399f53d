import CycleCore
import HardwareDrivers

/// The changes of several lines, as text: one row per line, one column per change. For protocols, where one column per
/// step of time (``Waveform``) is too coarse or too long.
///
/// By change: one column for the beginning, and one for each moment at which a line changed:
///
///     #expect(LogicTrace(of: [chip.line("GPIO17"), chip.line("GPIO27")]).description == """
///       GPIO17  _#_#_#_
///       GPIO27  ___####
///       """)
///
/// Clocked: one column for each edge of a clock line, as a shift register reads its input:
///
///     #expect(LogicTrace(of: [data], clockedBy: clock).bytes(of: "GPIO10") == [0b1010_0101])
public struct LogicTrace: Equatable, Sendable, CustomStringConvertible {
  public enum ClockEdge: Sendable { case rising, falling, both }

  /// The moment of each column. In a clocked drawing it is the moment of the clock's edge.
  public let moments: [Moment]
  /// One row per line, in the order of the lines.
  private let rows: [Row]

  private struct Row: Equatable, Sendable {
    let name: LineName
    let text: String
  }

  /// Draws the lines by change.
  ///
  /// - Parameters:
  ///   - lines: the lines to draw. A simulated line keeps at least its last 4 096 changes; where older ones are
  ///     missing, the row has `?`.
  ///   - beginning: the moment of the first column.
  public init(of lines: [SimulatedLine], from beginning: Moment = .zero) {
    let changes = lines.flatMap(\.changes).map(\.moment).filter { $0 > beginning }
    self.init(lines, at: [beginning] + Set(changes).sorted(), isClocked: false)
  }

  /// Draws the levels of the lines at each edge of a clock. A line that changes at the exact moment of the edge has
  /// `|`: a chip reads either level then.
  ///
  /// - Parameter beginning: the moment from which edges count.
  /// - Parameter edge: the edges that make a column.
  /// - Parameter clock: the clock line.
  /// - Parameter lines: the lines to draw.
  public init(
    of lines: [SimulatedLine], clockedBy clock: SimulatedLine, on edge: ClockEdge = .rising,
    from beginning: Moment = .zero
  ) {
    // The first of all changes is the initial level of the line.
    let edges = clock.changes.dropFirst(clock.forgottenChanges == 0 ? 1 : 0).filter { change in
      guard change.moment >= beginning else { return false }
      switch edge {
      case .rising: return change.level == .high
      case .falling: return change.level == .low
      case .both: return true
      }
    }
    self.init(lines, at: edges.map(\.moment), isClocked: true)
  }

  private init(_ lines: [SimulatedLine], at moments: [Moment], isClocked: Bool) {
    self.moments = moments
    rows = lines.map { line in
      var changes = line.changes[...]
      var level: Level?
      var text = ""
      for moment in moments {
        var changesNow = false
        while let first = changes.first, first.moment <= moment {
          // The initial level of the line is not a change.
          changesNow = first.moment == moment && level != nil
          level = changes.removeFirst().level
        }
        text += isClocked && changesNow ? "|" : level.map { $0 == .high ? "#" : "_" } ?? "?"
      }
      return Row(name: line.name, text: text)
    }
  }

  /// The row of a line: `#` high, `_` low, `?` not known any more, `|` changing. The line must be one of those that
  /// were drawn.
  public subscript(line: LineName) -> String {
    guard let row = rows.first(where: { $0.name == line }) else {
      preconditionFailure("\(line) was not drawn")
    }
    return row.text
  }

  /// The row of a line as bytes. Each byte has eight columns, the first of them as the most significant bit; columns
  /// after the last whole byte are dropped. Only high counts as 1.
  public func bytes(of line: LineName) -> [UInt8] {
    let bits = self[line].utf8.map { $0 == UInt8(ascii: "#") ? UInt8(1) : 0 }
    return stride(from: 0, to: bits.count - bits.count % 8, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  /// The rows below each other, each with the name of its line.
  public var description: String {
    let width = rows.map(\.name.description.count).max() ?? 0
    return rows.map { row in
      let name = row.name.description
      return "\(name)\(String(repeating: " ", count: width - name.count))  \(row.text)"
    }.joined(separator: "\n")
  }
}
