import CycleCore

/// A keypad on the bench: a key at each crossing of a row and a column closes a contact between the two lines.
///
///     let pad = KeyMatrix(chip, rows: ["GPIO5", "GPIO6"], columns: ["GPIO12", "GPIO13"])
///     try pad[0, 1].press()
///
/// Without diodes three keys at the corners of a rectangle connect the fourth crossing too, and a scan sees a key that
/// nobody presses; two keys of one column connect their rows, and push-pull outputs there are a short circuit.
public final class KeyMatrix {
  /// Whether each key has a diode, and which way it lets current flow.
  public enum Diodes: Sendable {
    case none
    /// From the column to the row: a low row pulls the columns of its keys low.
    case towardsRows
    /// From the row to the column: a low column pulls the rows of its keys low.
    case towardsColumns
  }

  private let keys: [[Contact]]

  /// - Parameters:
  ///   - rows, columns: at least one line each, all different.
  ///   - diodes: none, as in a membrane keypad, unless given.
  public init(_ chip: SimulatedChip, rows: [LineName], columns: [LineName], diodes: Diodes = .none) {
    precondition(!rows.isEmpty && !columns.isEmpty, "a matrix has a row and a column at least")
    keys = rows.map { row in
      columns.map { column in
        let (row, column) = (chip.line(row), chip.line(column))
        return diodes == .towardsColumns
          ? Contact(chip.bench, from: row, to: column, hasDiode: true)
          : Contact(chip.bench, from: column, to: row, hasDiode: diodes == .towardsRows)
      }
    }
  }

  /// The key at a crossing, both counted from 0. One that isn't there is a mistake in the test: it traps.
  public subscript(row: Int, column: Int) -> Contact { keys[row][column] }

  /// How long each key bounces when it closes or opens; none unless set.
  public var bounce: Duration {
    get { keys[0][0].bounce }
    set { for key in keys.joined() { key.bounce = newValue } }
  }
}
