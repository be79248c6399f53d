import CycleCore
import HardwareDrivers

/// A keypad on the bench: a key at each crossing of a row and a column closes a contact between the two lines.
///
///     let pad = KeyMatrix(chip, rows: ["GPIO5", "GPIO6"], columns: ["GPIO12", "GPIO13"])
///     try pad[0, 1].press()
///
/// Without diodes, three pressed keys at the corners of a rectangle connect the fourth crossing too, so a scan reports
/// a key that isn't pressed. Two pressed keys of one column connect their rows, so push-pull outputs on the rows make a
/// short circuit.
///
/// When a row stops pulling a column low, the column rises through its pull-up, which takes time: a program that reads
/// it too early may see a key of the previous row. ``faults`` lists such readings, and short circuits.
public final class KeyMatrix {
  /// Whether each key has a diode, and its direction.
  public enum Diodes: Sendable {
    case none
    /// From the column to the row: a low row pulls the columns of its keys low.
    case towardsRows
    /// From the row to the column: a low column pulls the rows of its keys low.
    case towardsColumns
  }

  private let chip: SimulatedChip
  private let keys: [[Contact]]
  private let rowLines: [SimulatedLine]
  private let columnLines: [SimulatedLine]
  private let settling: Duration
  /// The moments of a program's last write, of each column's rise by a write (nil after any other change), and of the
  /// latest such rise.
  private var writing: Moment?
  private var risen: [Moment?]
  private var latestRise: Moment?
  private var hastyReadings: [String] = []

  /// - Parameters:
  ///   - diodes: the diodes; default: none, as in a membrane keypad.
  ///   - settling: the time that a column takes to rise; default: 10 µs, twice the time constant of 50 kΩ and 100 pF.
  ///   - rows: the lines of the rows, from top to bottom: at least one, all different from each other and from the
  ///     columns.
  ///   - columns: the lines of the columns, from left to right: at least one.
  ///   - chip: the chip that the lines belong to.
  public init(
    _ chip: SimulatedChip, rows: [LineName], columns: [LineName], diodes: Diodes = .none,
    settling: Duration = .microseconds(10)
  ) {
    precondition(!rows.isEmpty && !columns.isEmpty, "a matrix has a row and a column at least")
    keys = rows.map { row in
      columns.map { column in
        let (row, column) = (chip.line(row), chip.line(column))
        return diodes == .towardsColumns
          ? Contact(chip.bench, from: row, to: column, hasDiode: true)
          : Contact(chip.bench, from: column, to: row, hasDiode: diodes == .towardsRows)
      }
    }
    self.chip = chip
    self.settling = settling
    rowLines = rows.map { chip.line($0) }
    columnLines = columns.map { chip.line($0) }
    risen = columns.map { _ in nil }
    for (place, line) in columnLines.enumerated() {
      line.onChange(for: self) { [weak self] level, moment in
        guard let self else { return }
        risen[place] = level == .high && writing == moment ? moment : nil
        if let rise = risen[place] { latestRise = rise }
      }
    }
    chip.onAccess(for: self) { [weak self] access, lines in self?.watch(access, lines) }
  }

  /// One sentence for each misuse of the keypad: the first 100 readings that were too early, and all recorded short
  /// circuits of its lines.
  public var faults: [String] {
    hastyReadings
      + chip.shortCircuits.filter { short in (rowLines + columnLines).contains { $0.name == short.line } }
      .map { "row or column \($0.line) drove another one the other way at \($0.start)" }
  }

  private func watch(_ access: SimulatedChip.Access, _ lines: [SimulatedLine]) {
    let now = chip.bench.now
    if access == .write { writing = now }
    guard access == .read, latestRise.map({ now - $0 < settling }) ?? false else { return }
    for (place, line) in columnLines.enumerated() where lines.contains(where: { $0 === line }) {
      guard let risen = risen[place], now - risen < settling, hastyReadings.count < 100 else { continue }
      hastyReadings.append(
        "column \(line.name) was read \(now - risen) after its row was released, and needs \(settling) to rise")
    }
  }

  /// The key at a crossing, both counted from 0. A key that doesn't exist is a mistake in the test: it traps.
  public subscript(row: Int, column: Int) -> Contact { keys[row][column] }

  /// The time for which each key bounces when it closes or opens; default: none.
  public var bounce: Duration {
    get { keys[0][0].bounce }
    set { for key in keys.joined() { key.bounce = newValue } }
  }
}
