import CycleCore

/// A keypad: up to 8 × 8 keys at the crossings of rows and columns.
///
/// **Wiring.** A line to each row and each column, and no other parts. The chip's pull-ups hold the columns high. The
/// rows are open-drain outputs, so two pressed keys in one column don't short-circuit two rows. With a diode in each
/// key, from the column to the row, any number of pressed keys can be distinguished (`hasDiodes: true`). Without
/// diodes, three keys at the corners of a rectangle look like four: none of the four is reported as pressed then.
///
/// **Timing.** At rest all rows are low, and only an edge on a column wakes the driver, which then scans: 0 wake-ups a
/// second. While a key is down or bounces, the rows are scanned one after the other every half debounce period; a scan
/// takes `settling` and two system calls for each row. A change of a key is settled when three consecutive scans agree
/// on it, over at least the debounce period. With 10 ms, a press is emitted 10 ms to 12 ms after the last bounce, plus
/// three times the lateness of the cycle. It is emitted half a period later while another key is down. Shorter presses
/// and releases are not emitted.
///
/// **The start.** The keys that are down at the start are passed to `Lens.onFound` as pressed, which is not an event.
/// This happens once scans have agreed on all keys for the debounce period.
///
/// **Source.** Microchip AN529, "Multiplexing LED Drive and a 4x4 Keypad Sampling"; the kernel's
/// `input/keyboard/matrix_keypad.c`.
///
///     let legends = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["*", "0", "#"]]
///     Lens(Keypad(chip, rows: ["GPIO5", "GPIO6", "GPIO7", "GPIO8"], columns: ["GPIO12", "GPIO13", "GPIO16"], legends: legends),
///       on: { frame, event in
///         if case .pressed(let key) = event { frame.code += key.legend }
///       })
public struct Keypad: LineDevice, EdgeReceiver, FoundDevice, AlarmReceiver, StepReader {
  public struct Settings: Equatable, Sendable {
    /// Whether each key has a diode from its column to its row.
    public var hasDiodes: Bool
    /// The time for which a key must be stable until a change is settled: clamped to 1 ms to 1 s. The domes of a
    /// membrane bounce for up to 10 ms.
    public var debounce: Duration
    /// The time in which the columns may rise when a row stops driving them low: clamped to 1 µs to 1 ms. The weakest
    /// pull-up of a Raspberry Pi, 50 kΩ, charges a metre of ribbon cable, 100 pF, to 63 % in 5 µs.
    public var settling: Duration
    /// The resistors that pull the columns high; ``Bias/disabled`` or ``Bias/asIs`` if the board has pull-up resistors.
    public var bias: Bias

    public init(
      hasDiodes: Bool = false, debounce: Duration = .milliseconds(10), settling: Duration = .microseconds(20),
      bias: Bias = .pullUp
    ) {
      self.hasDiodes = hasDiodes
      self.debounce = debounce
      self.settling = settling
      self.bias = bias
    }
  }

  /// One key.
  public struct Key: Hashable, Sendable, Codable {
    /// From 0, in the order of the lines.
    public var row: Int
    public var column: Int
    /// The legend on the key; empty if the keypad was given no legends.
    public var legend: String

    public init(row: Int, column: Int, legend: String = "") {
      self.row = row
      self.column = column
      self.legend = legend
    }
  }

  public enum Event: Equatable, Sendable, Codable {
    case pressed(Key)
    case released(Key)
    /// The key was pressed for the time of its gesture.
    case held(Key)
    /// Pressed and released once, and neither held nor part of a double click.
    case clicked(Key)
    /// Pressed a second time within the gesture's double-click time. Emitted at the second press, or at its release if
    /// the key's gesture has holds.
    case doubleClicked(Key)
    /// Still down after the repetition time of the gesture, since it was held or repeated.
    case repeated(Key)
    /// Pressed this many times in one series, 3 to ``Gesture/clickLimit``.
    case multiClicked(Key, Int)
    /// At least three of these keys are down, but without diodes it is unknown which. Each keeps its last reported
    /// state until the keys can be distinguished again; then this event is emitted with no keys.
    case ghosted([Key])
  }

  private enum Phase {
    /// All rows are low, no key is down: an edge begins a scan.
    case resting
    /// The columns are being read with all rows low, to find out whether any key is down.
    case looking
    /// The rows are being driven low and read one after the other.
    case scanning
    case waiting(until: Moment)
  }

  public let chip: any GPIOChip
  private let rowNames: [LineName]
  private let columnNames: [LineName]
  private let legends: [[String]]
  /// The gesture of each key, row by row; empty if only presses and releases are emitted.
  private var gestures: [[Gesture]]
  /// The earliest deadline of all gestures.
  private var gestureDeadline: Moment?
  private let settings: Settings
  private let pause: Duration

  private var phase = Phase.resting
  /// Whether the state of all keys has been found.
  public private(set) var isKnown: Bool
  /// The end of the time in which no key is known, because the lines were just requested.
  private var settling = Moment.zero
  /// Whether the levels of the rows are unknown because a step failed.
  private var areRowsUncertain = false
  /// The end of the last scan: column edges before it may have been caused by the scan.
  private var lastScanEnd = Moment.zero
  /// The columns were read after `begin` and before `end`, in a scan or with all rows low.
  private var begin = Moment.zero
  private var end = Moment.zero
  /// The next row to be read, and the keys that this scan has seen down so far.
  private var row = 0
  private var seen = KeySet()
  private var keys: ScanDebouncer
  /// Debounces the doubtful keys with the same period, so that a change of them is emitted once.
  private var doubts: ScanDebouncer

  /// - Parameters:
  ///   - legends: the legends on the keys, row by row; one per key, or none.
  ///   - gestures: the gestures of each key, row by row; one per key, or none: then only ``Event/pressed(_:)`` and
  ///     ``Event/released(_:)`` are emitted.
  ///   - settings: everything that has a default.
  ///   - pressed: rows and columns of the keys that the application knows as pressed before it starts, for example from
  ///     the application that this one replaces. A different state at the start is then an event. Nil if it is unknown.
  ///   - rows: the lines of the rows, from top to bottom: 1 to 8, all different from each other and from the columns.
  ///   - columns: the lines of the columns, from left to right: 1 to 8.
  ///   - chip: the chip that the lines belong to.
  public init(
    _ chip: any GPIOChip, rows: [LineName], columns: [LineName], legends: [[String]] = [], gestures: [[Gesture]] = [],
    settings: Settings = Settings(), pressed: [(row: Int, column: Int)]? = nil
  ) {
    precondition(
      (1...8).contains(rows.count) && (1...8).contains(columns.count), "a keypad has 1 to 8 rows and 1 to 8 columns")
    precondition(
      legends.isEmpty || legends.map(\.count) == rows.map { _ in columns.count },
      "a keypad of \(rows.count) rows and \(columns.count) columns has as many legends, or none")
    precondition(
      gestures.isEmpty || gestures.map(\.count) == rows.map { _ in columns.count },
      "a keypad of \(rows.count) rows and \(columns.count) columns has as many gestures, or none")
    self.chip = chip
    rowNames = rows
    columnNames = columns
    self.legends = legends
    self.gestures = gestures
    var settings = settings
    settings.debounce = min(.seconds(1), max(.milliseconds(1), settings.debounce))
    settings.settling = min(.milliseconds(1), max(.microseconds(1), settings.settling))
    self.settings = settings
    pause = .nanoseconds((settings.debounce.wholeNanoseconds + 1) / 2)
    isKnown = pressed != nil
    let pressed = pressed ?? []
    let down = pressed.reduce(into: KeySet()) { $0.bits |= KeySet.key(row: $1.row, column: $1.column).bits }
    // They can't become clicks or holds, because the time of their press is unknown.
    for key in pressed where !gestures.isEmpty { self.gestures[key.row][key.column].assumePressed() }
    keys = ScanDebouncer(period: settings.debounce, down: down)
    doubts = ScanDebouncer(period: settings.debounce)
  }

  public func refusal(of event: Event) -> String? {
    let keys =
      switch event {
      case .pressed(let key), .released(let key), .held(let key), .clicked(let key), .doubleClicked(let key),
        .repeated(let key), .multiClicked(let key, _):
        [key]
      case .ghosted(let keys): keys
      }
    guard keys.count <= rowNames.count * columnNames.count else { return "more keys than the keypad has" }
    if case .multiClicked(_, let clicks) = event, let refusal = Button.Event.multiClicked(clicks).refusal {
      return refusal
    }
    for key in keys {
      let place = "row \(key.row), column \(key.column)"
      guard rowNames.indices.contains(key.row), columnNames.indices.contains(key.column) else {
        return "there is no key in \(place) of \(rowNames.count) rows and \(columnNames.count) columns"
      }
      guard key == self.key(key.row, key.column) else { return "the key in \(place) has another legend" }
    }
    return nil
  }

  private var allRows: LineValues { .first(rowNames.count) }

  // Lines are active low: an active row drives low, an active column is pulled low by a pressed key.
  public var lines: [LineConfiguration] {
    rowNames.map { LineConfiguration($0, .output(.active, .openDrain), isActiveLow: true) }
      + columnNames.map { LineConfiguration($0, .input(settings.bias), isActiveLow: true) }
  }

  public var outputs: LineValues { allRows }

  private func columns(of values: LineValues) -> UInt8 {
    UInt8(truncatingIfNeeded: values.rawValue >> UInt64(rowNames.count))
  }

  // MARK: - Inputs

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    if !isKnown { settling = moment + settings.debounce }
    if columns(of: values) != 0 || !isAllUp || !isKnown { look(from: moment) }
  }

  public mutating func endStart() {
    for row in gestures.indices { for column in gestures[row].indices { gestures[row][column].forget() } }
    findGestureDeadline()
  }

  /// Whether all keys are settled as up and none is doubtful or changing.
  private var isAllUp: Bool {
    keys.down.isEmpty && keys.changing.isEmpty && doubts.down.isEmpty && doubts.changing.isEmpty
  }

  /// Starts a scan if the keypad is resting. Edges that the scan itself causes are ignored: they are read after the
  /// scan, whose result is newer.
  public mutating func receive(_ edge: LineEdge, emit: Emit) {
    if case .resting = phase, edge.moment >= lastScanEnd { look(from: edge.moment) }
  }

  // Missing edges lose nothing: the values of the lines give the pressed keys, and are read by `correct` or by the scan
  // in progress.
  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    if case .resting = phase, columns(of: values) != 0 { look(from: moment) }
  }

  public mutating func loseLines() {
    phase = .resting
    areRowsUncertain = false
    lastScanEnd = .zero
    keys.forgetChanges()
    doubts.forgetChanges()
    for row in gestures.indices { for column in gestures[row].indices { gestures[row][column].forget() } }
    gestureDeadline = nil
  }

  private mutating func look(from moment: Moment) {
    phase = .looking
    begin = moment
  }

  // MARK: - Time

  public var alarm: Moment? {
    guard case .waiting(let end) = phase else { return gestureDeadline }
    return min(end, gestureDeadline ?? end)
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    settleGestures(by: moment, emit)
    if case .waiting(let end) = phase, end <= moment { look(from: moment) }
  }

  // MARK: - Scanning

  public mutating func addSteps(to steps: inout LineSteps) {
    switch phase {
    case .resting, .waiting: break
    case .looking:
      if areRowsUncertain { steps.write(allRows, hold: settings.settling) }
      steps.read()
    case .scanning:
      for row in rowNames.indices {
        var values: LineValues = []
        values[row] = .active
        steps.write(values, hold: settings.settling)
        steps.read()
      }
      steps.write(allRows, hold: settings.settling)
    }
  }

  public mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {
    end = clock
    if case .scanning = phase {
      seen[row: row] = columns(of: values)
      row += 1
    } else {
      seen = KeySet()
      seen[row: 0] = columns(of: values)
    }
  }

  public mutating func finishSteps(at clock: Moment, emit: Emit) {
    switch phase {
    case .looking where seen.isEmpty:
      areRowsUncertain = false
      take(emit)
      phase = isAllUp && isKnown ? .resting : .waiting(until: clock + pause)
    case .looking:
      areRowsUncertain = false
      phase = .scanning
      begin = end
      row = 0
      seen = KeySet()
    case .scanning:
      take(emit)
      lastScanEnd = clock
      phase = .waiting(until: clock + pause)
    case .resting, .waiting: break
    }
  }

  public mutating func abandonSteps() {
    phase = .looking
    areRowsUncertain = true
  }

  /// Debounces the keys of a finished scan and emits their changes.
  private mutating func take(_ emit: Emit) {
    let doubtful = settings.hasDiodes ? KeySet() : seen.doubtful
    let changed = keys.scan(seen, unknown: doubtful, begin: begin, end: end)
    // Events that were due before these changes are emitted first.
    settleGestures(by: end, emit)
    let released = changed.subtracting(keys.down)
    for key in list(released) { change(key, isDown: false, emit) }
    for key in list(changed.subtracting(released)) { change(key, isDown: true, emit) }
    if !changed.isEmpty { findGestureDeadline() }
    defer { if !isKnown, end >= settling, keys.changing.isEmpty { find(emit) } }
    guard !doubts.scan(doubtful, unknown: KeySet(), begin: begin, end: end).isEmpty else { return }
    emit(.ghosted(list(doubts.down)), end)
  }

  /// All keys are known: presses have been emitted for keys that are down. Emits releases for the others.
  private mutating func find(_ emit: Emit) {
    isKnown = true
    for row in rowNames.indices {
      for column in columnNames.indices where keys.down[row: row] & (1 << UInt8(column)) == 0 {
        emit(.released(key(row, column)), end)
      }
    }
  }

  private mutating func change(_ key: Key, isDown: Bool, _ emit: Emit) {
    if gestures.isEmpty { return emit(isDown ? .pressed(key) : .released(key), end) }
    gestures[key.row][key.column].change(isDown, at: end) { Self.tell($0, of: key, at: $1, emit) }
  }

  /// Emits the keypad's event for an event of the key's gesture.
  private static func tell(_ event: Button.Event, of key: Key, at moment: Moment, _ emit: Emit) {
    switch event {
    case .pressed: emit(.pressed(key), moment)
    case .released: emit(.released(key), moment)
    case .held: emit(.held(key), moment)
    case .clicked: emit(.clicked(key), moment)
    case .doubleClicked: emit(.doubleClicked(key), moment)
    case .repeated: emit(.repeated(key), moment)
    case .multiClicked(let clicks): emit(.multiClicked(key, clicks), moment)
    case .edgesLost: break
    }
  }

  /// Emits the holds and clicks whose deadlines have passed, in the order of the deadlines.
  private mutating func settleGestures(by moment: Moment, _ emit: Emit) {
    while let deadline = gestureDeadline, deadline <= moment {
      for row in gestures.indices {
        for column in gestures[row].indices {
          let key = self.key(row, column)
          gestures[row][column].settle(by: deadline) { Self.tell($0, of: key, at: $1, emit) }
        }
      }
      findGestureDeadline()
    }
  }

  private mutating func findGestureDeadline() {
    gestureDeadline = gestures.lazy.joined().compactMap(\.deadline).min()
  }

  /// The keys of a set, row by row.
  private func list(_ keys: KeySet) -> [Key] {
    guard !keys.isEmpty else { return [] }
    return rowNames.indices.flatMap { row in
      columnNames.indices.lazy.filter { keys[row: row] & (1 << UInt8($0)) != 0 }.map { key(row, $0) }
    }
  }

  private func key(_ row: Int, _ column: Int) -> Key {
    Key(row: row, column: column, legend: legends.isEmpty ? "" : legends[row][column])
  }
}
