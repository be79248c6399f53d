import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `pad: { keypad: { rows: [GPIO5, GPIO6, GPIO13, GPIO19], columns: [GPIO12, GPIO16, GPIO20] } }`: a group of keys,
/// which are buttons. A value of the type is one key. All keys of a keypad have one driver.
package struct KeypadKind: DrivenInputKind {
  package static let grammar = FieldSet(
    name: "a keypad", summary: "group of 2 to 64 keys at the crossings of rows and columns",
    sample: "pad: { keypad: { rows: [GPIO5, GPIO6], columns: [GPIO12, GPIO13] } }",
    keys: [
      Key(
        name: "keypad", takes: "its lines: { rows: [GPIO5, GPIO6], columns: [GPIO12, GPIO13] }", shape: .fields(lines)),
      Key(
        name: "numbers", takes: "a list of the keys' numbers, row by row: [1, 2, 3, 0]",
        shape: .list(of: .whole(numbers), count: 2...64), usual: "1, 2, 3 … row by row",
        meaning: "numbers of the keys, as in `pad(0)`: one for each key. All numbers are different"),
      Key(
        name: "diodes", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "whether each key has a diode from its column to its row"),
      Key(
        name: "debounce", takes: "a duration: 10ms", shape: .span(.milliseconds(1) ... .seconds(1)), usual: "`10ms`",
        meaning: "time that a key must be stable before a change counts, in both directions"),
      Key(
        name: "pull", takes: "up or none", shape: .choice(Resistor.self), usual: "`up`",
        meaning: "resistors at the columns: with `up` those of the chip, with `none` those of the board"),
    ] + DeviceFields.debouncedGestureKeys)
  package static let control = InputControl.button
  package static let isGroup = true

  private static let lines = FieldSet(
    name: "the lines of a keypad",
    keys: [
      Key(
        name: "rows", takes: "a list of 1...8 lines: [GPIO5, GPIO6]", isRequired: true,
        shape: .list(of: .line, count: 1...8), meaning: "lines of the rows, from the top"),
      Key(
        name: "columns", takes: "a list of 1...8 lines: [GPIO12, GPIO13]", isRequired: true,
        shape: .list(of: .line, count: 1...8), meaning: "lines of the columns, from the left"),
    ])
  private static let numbers = 0...99

  /// The resistors that pull the columns high.
  package enum Resistor: String, CaseIterable, Sendable {
    /// The resistors of the chip.
    case up
    /// The resistors of the board.
    case none
  }

  /// The common settings of the keys of a keypad.
  struct Settings: Equatable, Sendable {
    let name: String
    let rows: [String]
    let columns: [String]
    /// The numbers of the keys, row by row.
    let numbers: [Int]
    let hasDiodes: Bool
    /// The debounce time, 1 ms...1 s.
    let debounce: Duration
    let resistor: Resistor
  }

  private let settings: Settings
  /// The row, from 0.
  private var row = 0
  private var column = 0
  private var presses = GestureSettings()
}

// MARK: - Settings

extension KeypadKind {
  package static func members(reading fields: DeviceFields) -> [any InputKind]? {
    guard let first = KeypadKind(reading: fields) else { return nil }
    return first.settings.rows.indices.flatMap { row in
      first.settings.columns.indices.map { first.key(row, $0) }
    }
  }

  /// Another key of the same keypad.
  private func key(_ row: Int, _ column: Int) -> KeypadKind {
    var key = self
    (key.row, key.column) = (row, column)
    return key
  }

  /// The key of the first row and the first column.
  package init?(reading fields: DeviceFields) {
    let debounce = fields.duration("debounce") ?? .milliseconds(10)
    presses = fields.gestures(after: debounce)
    let hasDiodes = fields.problems.flag(fields["diodes"]) ?? false
    let resistor: Resistor = fields.choice("pull") ?? .up
    guard fields["keypad"] != nil, let lines = fields.inside("keypad", Self.lines) else { return nil }
    let (rows, columns) = (lines.lines("rows"), lines.lines("columns"))
    guard let rows, let columns else { return nil }
    let count = rows.count * columns.count
    guard count > 1 else {
      fields.problems.add(
        fields["keypad"]?.node.position ?? .start,
        "the keypad has only one key; write a button: { button: \(columns[0]) }")
      return nil
    }
    guard let numbers = Self.numbers(fields, count) else { return nil }
    settings = Settings(
      name: fields.name, rows: rows, columns: columns, numbers: numbers, hasDiodes: hasDiodes, debounce: debounce,
      resistor: resistor)
  }

  /// The numbers of the keys. The default is 1, 2 and so on.
  private static func numbers(_ fields: DeviceFields, _ count: Int) -> [Int]? {
    guard let field = fields["numbers"] else { return Array(1...count) }
    guard let items = fields.problems.items(field) else { return nil }
    guard items.count == count else {
      fields.problems.add(
        field.node.position,
        "\"numbers\" is a list of \(items.count); this keypad has \(count) keys, write one for each")
      return nil
    }
    var found: [Int] = []
    for item in items {
      guard let text = fields.problems.text(item, in: field) else { return nil }
      guard let number = Quantity.whole(text), Self.numbers.contains(number) else {
        fields.problems.add(item.position, "\(quoted(text)) is not a key number; write 0...99")
        return nil
      }
      guard !found.contains(number) else {
        fields.problems.add(item.position, "two keys have the number \(number); give each key a different one")
        return nil
      }
      found.append(number)
    }
    return found
  }
}

// MARK: - A key as an input

extension KeypadKind {
  package var number: Int? { settings.numbers[row * settings.columns.count + column] }
  package var events: [String] { ButtonEvent.words }
  package var positions: [String] { ButtonEvent.positions }
  package func position(after event: Int) -> Int? { ButtonEvent.position(after: event) }

  package var lines: [String] { [settings.rows[row], settings.columns[column]] }
  package var debounce: Duration { settings.debounce }
  /// Three scans, half a debounce period apart, must see a change, which may come immediately after another one. All of
  /// them together take less than 1 ms.
  package var longestDebounce: Duration { settings.debounce + settings.debounce / 2 + .milliseconds(1) }

  package var gesture: Gesture? { presses.gesture }

  package mutating func enable(event: Int) { presses.enable(event: event) }

  /// The wiring of the whole keypad, for its first key.
  package func wiring(named name: String) -> WiringPlan.Device? {
    guard row == 0, column == 0 else { return nil }
    return WiringPlan.Device(
      name: settings.name, kind: "keypad", direction: .input,
      circuits: [.keypad(rows: settings.rows, columns: settings.columns)])
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    let column = LineName(settings.columns[column])
    if settings.resistor == .none { chip.line(column).pull(.high) }
    return .contact(
      chip.contact(from: column, to: LineName(settings.rows[row]), hasDiode: settings.hasDiodes))
  }
}

// MARK: - The driver

extension KeypadKind {
  package var lens: String { "keypad \(settings.name)" }

  package static func lenses(of keys: [KeypadKind], in context: InputLensContext) -> LensBundle {
    let (rules, inputs, names) = (context.rules, context.inputs, context.names)
    let settings = keys[0].settings
    let source = PanelTrouble.Source(lens: context.lens, hardware: .gpio, number: context.source)
    let place = { (key: Keypad.Key) in key.row * settings.columns.count + key.column }
    let ghosts = { (keys: [Keypad.Key]) in
      PanelTrouble.ghosted(keypad: settings.name, keys: keys.map { settings.numbers[place($0)] })
    }
    return LensBundle(
      lenses: AnyLensGroup {
        Lens(
          keypad(of: keys, on: context.chip, at: context.positions), name: source.lens,
          on: { frame, event, past in
            switch meaning(of: event) {
            case .event(let key, let event):
              rules.hear(event, of: inputs[place(key)], at: past.moment, in: &frame)
            case .ghosts(let keys): frame.note(ghosts(keys))
            }
          }, isRequired: context.isRequired
        ).onFound { frame, event, past in
          switch meaning(of: event) {
          case .event(let key, let event):
            rules.find(event, of: inputs[place(key)], at: past.moment, in: &frame)
          case .ghosts(let keys): frame.note(ghosts(keys))
          }
        }.onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
      },
      journal: LensEventFormatter(
        source: source,
        text: { event in
          switch (event as? Keypad.Event).map(meaning) {
          case .event(let key, let event): "\(names[place(key)]).\(ButtonEvent.words[event])"
          case .ghosts(let keys): ghosts(keys).text
          case nil: nil
          }
        },
        isTrouble: { event in
          if case .ghosts? = (event as? Keypad.Event).map(meaning) { true } else { false }
        }))
  }

  /// - Parameters:
  ///   - keys: all keys of one keypad, row by row.
  ///   - chip: the chip of its lines.
  ///   - positions: the positions of the keys before the start.
  private static func keypad(of keys: [KeypadKind], on chip: any GPIOChip, at positions: [Int?]) -> Keypad {
    let settings = keys[0].settings
    let gestures = settings.rows.indices.map { row in
      keys.filter { $0.row == row }.compactMap(\.gesture)
    }
    return Keypad(
      chip, rows: settings.rows.map { LineName($0) }, columns: settings.columns.map { LineName($0) },
      gestures: gestures,
      settings: .init(
        hasDiodes: settings.hasDiodes, debounce: settings.debounce,
        bias: settings.resistor == .up ? .pullUp : .disabled),
      pressed: positions.contains(nil)
        ? nil : zip(keys, positions).filter { $0.1 == 1 }.map { ($0.0.row, $0.0.column) })
  }

  private enum Meaning {
    case event(Keypad.Key, Int)
    /// These keys can't be distinguished. Empty if all keys can be distinguished again.
    case ghosts([Keypad.Key])
  }

  private static func meaning(of event: Keypad.Event) -> Meaning {
    switch event {
    case .pressed(let key): .event(key, ButtonEvent.pressed)
    case .released(let key): .event(key, ButtonEvent.released)
    case .held(let key): .event(key, ButtonEvent.held)
    case .clicked(let key): .event(key, ButtonEvent.clicked)
    case .doubleClicked(let key): .event(key, ButtonEvent.doubleClicked)
    case .repeated(let key): .event(key, ButtonEvent.repeated)
    case .multiClicked(let key, let clicks): .event(key, ButtonEvent.place(ofClicks: clicks))
    case .ghosted(let keys): .ghosts(keys)
    }
  }
}
