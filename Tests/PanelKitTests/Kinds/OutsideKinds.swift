import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelKit

// As a package outside has them: only what is public is at hand.

/// `foot: { pedal: GPIO17 }`: a button that somebody steps on.
struct PedalKind: LineInputKind {
  static let grammar = FieldSet(
    name: "a pedal", summary: "foot switch at a line", sample: "foot: { pedal: GPIO17 }",
    keys: [Key(name: "pedal", takes: "a line: GPIO17", shape: .line)])
  static let control = InputControl.button

  let line: String
  var lines: [String] { [line] }
  var events: [String] { ["down", "up"] }
  var positions: [String] { ["up", "down"] }
  func position(after event: Int) -> Int? { 1 - event }
  var debounce: Duration { .milliseconds(20) }
  var gesture: Gesture? { Gesture(hold: nil, doubleClick: nil, emitsClicks: false) }

  init?(reading fields: DeviceFields) {
    guard let line = fields.line("pedal") else { return nil }
    self.line = line
  }

  func device(on chip: any GPIOChip) -> Button {
    Button(chip, line: LineName(line), settings: .init(debounce: debounce))
  }

  static func report(of event: Button.Event) -> InputReport? {
    switch event {
    case .pressed: .event(0)
    case .released: .event(1)
    case .edgesLost(let count): .edgesLost(count ?? 1)
    default: nil
    }
  }

  func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    .contact(chip.contact(at: LineName(line)))
  }
}

/// `left: { spindle: GPIO20 }`: a motor that a relay switches; two of them can be in an interlock.
struct SpindleKind: LineOutputKind {
  static let grammar = FieldSet(
    name: "a spindle", summary: "motor at a line", sample: "left: { spindle: GPIO20 }",
    keys: [Key(name: "spindle", takes: "a line: GPIO20", shape: .line)])
  static var isActing: Bool { true }
  static var deviceClass: String? { "running" }
  static var shown: Shape { .switched }

  let line: String
  var lines: [String] { [line] }
  var pagePicture: PagePicture { .contact }
  var expectation: String { "off or on" }

  init?(reading fields: DeviceFields) {
    guard let line = fields.line("spindle") else { return nil }
    self.line = line
  }

  func appearance(reading show: ShowField) -> OutputAppearance? { show.switched }
  func look(named text: String) -> ObservedOutput? { text == "on" ? .on : text == "off" ? .off : nil }
  func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    view.isActive(line, .high) ?? (appearance == .on) ? .on : .off
  }
  func device(on chip: any GPIOChip) -> Relay { Relay(chip, line: LineName(line)) }
  func model(of appearance: OutputAppearance, in values: PanelValues) -> Relay.Model { appearance == .on ? .on : .off }
}

/// `{ busy: 1 }`: how busy the machine is, in the average of so many minutes.
struct LoadSource: NumberSensorSource {
  static let grammar = FieldSet(
    name: "a load", summary: "how busy the machine is", sample: "{ busy: 5 }",
    keys: [
      Key(name: "busy", takes: "a number of minutes: 5", shape: .whole(1...15)),
      Key(name: "per", takes: "core or machine", isRequired: true, shape: .words(["core", "machine"])),
    ])
  static var usualInterval: Duration { .seconds(5) }

  let place: NumberFile

  init?(reading fields: DeviceFields) {
    guard let minutes = fields.whole("busy") else { return nil }
    guard [1, 5, 15].contains(minutes) else {
      fields.addProblem(at: "busy", "the kernel has no average of \(minutes) minutes; write 1, 5 or 15")
      return nil
    }
    place = NumberFile("/proc/loadavg")
  }
}

/// `away: { flag: /run/away }`: on while the number in a file is above 0; an input on no lines.
struct FlagKind: DrivenInputKind {
  static let grammar = FieldSet(
    name: "a flag", summary: "file with a number, which is above 0 while the flag is up",
    sample: "away: { flag: /run/away }",
    keys: [Key(name: "flag", takes: "the path of a file: /run/away", shape: .text)])
  static let control = InputControl.switch

  let path: String
  var lines: [String] { [] }
  var events: [String] { ["up", "down"] }
  var positions: [String] { ["down", "up"] }
  func position(after event: Int) -> Int? { 1 - event }
  private var place: NumberFile { NumberFile(path) }

  init?(reading fields: DeviceFields) {
    guard let path = fields.text("flag"), fields.take("the file \(path)", at: "flag") else { return nil }
    self.path = path
  }

  static func lenses(of devices: [FlagKind], in context: InputLensContext) -> LensBundle {
    context.lenses(
      of: devices.map { Sensor(context.platform.number(at: $0.place), settings: .init()) }, for: devices,
      showing: .every(.milliseconds(100))
    ) { event in
      switch event {
      case .reading(let number): .event(number > 0 ? 0 : 1)
      }
    }
  }

  func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    guard let source = platform.simulatedNumber(at: place) else { return .none }
    source.tellsChanges = true
    source.set(0)
    return .contact(FlagWorld(source, platform.bench))
  }
}

private final class FlagWorld: SimulatedContact {
  private let source: SimulatedNumberSource
  private let bench: Bench
  var bounce = Duration.zero

  init(_ source: SimulatedNumberSource, _ bench: Bench) {
    (self.source, self.bench) = (source, bench)
  }

  var isClosed: Bool { source.value > 0 }
  func press() throws(DriverError) {
    source.set(1)
    try bench.settle()
  }
  func release() throws(DriverError) {
    source.set(0)
    try bench.settle()
  }
}

/// `power: { drains: [GPIO5, GPIO6, GPIO13] }`: a TPIC6B595, a shift register whose outputs can carry relays.
struct DrainKind: DrivenChipKind {
  static let grammar = FieldSet(
    name: "a row of drains", summary: "TPIC6B595 at three lines", sample: "power: { drains: [GPIO5, GPIO6, GPIO13] }",
    keys: [
      Key(name: "drains", takes: "a list of 3 lines: [GPIO5, GPIO6, GPIO13]", shape: .list(of: .line, count: 3...3))
    ])
  static let hasInputs = false

  let lines: [String]
  var choices: String { "DRAIN0...DRAIN7" }
  var wiringKind: String { "row of drains" }
  var wiringNotes: [WiringNote] { [WiringNote("Each drain carries 150 mA to ground.")] }

  init?(reading fields: DeviceFields) {
    guard let lines = fields.lines("drains") else { return nil }
    self.lines = lines
  }

  func line(_ text: String) -> String? { (0..<8).map { "DRAIN\($0)" }.first { $0 == text } }

  private func names(_ chip: String) -> [LineName] { (0..<8).map { LineName("\(chip).DRAIN\($0)") } }

  func chip(in context: ChipContext) -> any GPIOChip {
    var levels: LineValues = []
    for (output, name) in names(context.name).enumerated() where context.high.contains(name.description) {
      levels[output] = .active
    }
    return ShiftRegisterChip(
      ShiftRegister(context.base, data: LineName(lines[0]), clock: LineName(lines[1]), latch: LineName(lines[2])),
      names: names(context.name), levels: levels)
  }

  func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld? {
    let drains = SimulatedChip(chip.bench, label: context.name, names: names(context.name))
    let register = SimulatedShiftRegister(
      chip, data: LineName(lines[0]), clock: LineName(lines[1]), latch: LineName(lines[2]))
    let drive = { (levels: LineValues) in
      for line in drains.lines { line.drive(levels[line.offset].isActive ? .high : .low) }
    }
    drive(register.levels)
    register.onChange { levels, _ in drive(levels) }
    return ChipWorld(lines: drains, powerUp: { register.powerUp() })
  }

  func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      named: name, kind: wiringKind, isInput: false,
      .box(
        "TPIC6B595", lines: [(lines[0], "SER"), (lines[1], "SRCK"), (lines[2], "RCK")],
        supplies: ["VCC": .volts5, "GND": .ground]))
  }
}

/// `more: { mcp23017: 0x20, interrupt: GPIO4 }`: a port expander whose driver is in this program.
struct BusExpanderKind: DrivenChipKind {
  static let grammar = FieldSet(
    name: "an mcp23017", summary: "MCP23017 on an I²C bus", sample: "more: { mcp23017: 0x20, interrupt: GPIO4 }",
    keys: [
      Key(name: "mcp23017", takes: "an address 0x20...0x27: 0x20", shape: .text),
      Key(name: "interrupt", takes: "a line: GPIO4", shape: .line, usual: "none"),
    ])
  static let hasInputs = true
  static var ports: [any Port.Type] { [I2CBusPort.self] }
  static var isDriver: Bool { true }

  let address: I2CAddress
  let interrupt: String?
  var lines: [String] { interrupt.map { [$0] } ?? [] }
  var hasPullDowns: Bool { false }
  var choices: String { "GPA0...GPA7 or GPB0...GPB7" }
  var wiringKind: String { "port expander" }

  init?(reading fields: DeviceFields) {
    interrupt = fields.line("interrupt")
    guard let address = fields.i2cAddress("mcp23017", in: 0x20...0x27), interrupt != nil || !fields.has("interrupt")
    else { return nil }
    self.address = address
  }

  func line(_ text: String) -> String? { MCP23017().lineNames.contains(LineName(text)) ? text : nil }

  func chip(in context: ChipContext) -> any GPIOChip {
    I2CExpander(
      MCP23017(), context.platform.hardware(at: I2CBusPort(.number(1))), address: address,
      interrupt: interrupt.map { LineName($0) }, on: interrupt == nil ? nil : context.base,
      linePrefix: context.name + ".")
  }

  func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld? {
    guard let bus = context.platform.simulated(at: I2CBusPort(.number(1))) else { return nil }
    let part = SimulatedMCP23017(
      on: bus, at: address, interrupt: interrupt.map { chip.line(LineName($0)) }, linePrefix: context.name + ".")
    return ChipWorld(lines: part.pins, hardware: part)
  }

  func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      named: name, kind: wiringKind, isInput: false, .i2c("MCP23017", lines: lines.map { ($0, "INTA") }))
  }
}

/// `badge: { card: door, codes: 9999 }`: a card reader whose event `read` carries the number of the card. Readers that
/// are next to each other in the file have one driver.
struct CardKind: DrivenInputKind {
  static let grammar = FieldSet(
    name: "a card reader", summary: "reader of cards with numbers", sample: "badge: { card: door, codes: 9999 }",
    keys: [
      Key(name: "card", takes: "the name of a reader: door", shape: .text),
      Key(name: "codes", takes: "the greatest number of a card: 9999", isRequired: true, shape: .whole(1...999_999)),
    ])
  static let control = InputControl.events
  static var ports: [any Port.Type] { [CardPort.self] }

  let reader: String
  let codes: Int
  var lines: [String] { [] }
  var events: [String] { ["read", "removed"] }
  var scale: SensorNumberRange? { SensorNumberRange(range: 0...codes, decimals: 0) }
  func carriesNumber(event: Int) -> Bool { event == 0 }

  init?(reading fields: DeviceFields) {
    guard let reader = fields.text("card"), let codes = fields.whole("codes"),
      fields.take("the reader \(reader)", at: "card")
    else { return nil }
    (self.reader, self.codes) = (reader, codes)
  }

  static func lenses(of devices: [CardKind], in context: InputLensContext) -> LensBundle {
    context.lens(
      of: CardReaders(devices.map { context.platform.hardware(at: CardPort(name: $0.reader)) }), for: devices,
      showing: NoModel()
    ) { event in
      switch event {
      case .read(let card, let reader): (reader, .event(0, number: card))
      case .removed(let reader): (reader, .event(1))
      }
    }
  }

  func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    guard let reader = platform.simulated(at: CardPort(name: reader)) else { return .none }
    return .events(CardWorld(reader, platform.bench))
  }
}

/// A reader of cards, by its name.
struct CardPort: RealPort, SimulatedPort {
  typealias Hardware = SimulatedCards
  static let name = "cards"
  static let help = "Use the readers of cards of this machine, or simulated ones."

  let name: String

  // No reader is plugged into this machine.
  func makeReal() -> SimulatedCards { SimulatedCards(isPlugged: false) }
  func makeSimulated(on bench: Bench) -> SimulatedCards { SimulatedCards(isPlugged: true) }
  static func hardware(_ simulated: SimulatedCards) -> SimulatedCards { simulated }
}

/// A reader in memory.
final class SimulatedCards: SimulatedHardware {
  private(set) var isPlugged: Bool
  /// Receives the number of each card, or nil when it is removed, while the reader is plugged in.
  var onCard: (Double?) -> Void = { _ in }

  init(isPlugged: Bool) { self.isPlugged = isPlugged }

  func unplug() { isPlugged = false }
  func plug() { isPlugged = true }
  func present(_ card: Double?) { if isPlugged { onCard(card) } }
}

/// The driver of readers.
final class CardReaders: Driver {
  enum Event: Codable, Equatable, Sendable {
    case read(Double, reader: Int)
    case removed(reader: Int)
  }

  private let readers: [SimulatedCards]
  private var context: DriverContext<Event>?
  private var box: Postbox<Event>?

  init(_ readers: [SimulatedCards]) { self.readers = readers }

  func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    let box = context.makePostbox(of: Event.self, capacity: 16)
    (self.context, self.box) = (context, box)
    for (number, reader) in readers.enumerated() {
      reader.onCard = { card in box.post(card.map { .read($0, reader: number) } ?? .removed(reader: number)) }
    }
  }

  func wake(_ wake: Wake) throws(DriverError) {
    while let event = box?.receive() { context?.emit(event) }
  }

  func stop() {
    for reader in readers { reader.onCard = { _ in } }
    (context, box) = (nil, nil)
  }
}

private final class CardWorld: SimulatedEvents {
  private let cards: SimulatedCards
  private let bench: Bench

  init(_ cards: SimulatedCards, _ bench: Bench) { (self.cards, self.bench) = (cards, bench) }

  func emit(_ event: Int, number: Double?) throws(DriverError) {
    cards.present(number)
    try bench.settle()
  }
}

/// `gate: { gate: GPIO20, end: GPIO21 }`: a gate that a motor opens. Its end switch reports that it has arrived.
struct GateKind: LineOutputKind {
  static let grammar = FieldSet(
    name: "a gate", summary: "gate with a motor and an end switch", sample: "gate: { gate: GPIO20, end: GPIO21 }",
    keys: [
      Key(name: "gate", takes: "the line of the motor: GPIO20", shape: .line),
      Key(name: "end", takes: "the line of the end switch: GPIO21", isRequired: true, shape: .line),
    ])
  static var isActing: Bool { true }
  static var shown: Shape { .switched }

  let motor: String
  let end: String
  var lines: [String] { [motor, end] }
  var events: [String] { ["arrived", "left"] }
  var pagePicture: PagePicture { .contact }
  var expectation: String { "off, on or arrived" }

  init?(reading fields: DeviceFields) {
    guard let motor = fields.line("gate"), let end = fields.line("end") else { return nil }
    (self.motor, self.end) = (motor, end)
  }

  func appearance(reading show: ShowField) -> OutputAppearance? { show.switched }

  func look(named text: String) -> ObservedOutput? {
    switch text {
    case "on": .on
    case "off": .off
    case "arrived": .word("arrived")
    default: nil
    }
  }

  func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let gate = view.world as? SimulatedGate, gate.isAtEnd { return .word("arrived") }
    return view.isActive(motor, .high) ?? (appearance == .on) ? .on : .off
  }

  func device(on chip: any GPIOChip) -> Gate { Gate(chip, motor: LineName(motor), end: LineName(end)) }
  func model(of appearance: OutputAppearance, in values: PanelValues) -> Relay.Model { appearance == .on ? .on : .off }

  static func report(of event: Button.Event) -> InputReport? {
    switch event {
    case .pressed: .event(0)
    case .released: .event(1)
    case .edgesLost(let count): .edgesLost(count ?? 1)
    default: nil
    }
  }

  func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    chip.map { SimulatedGate(end: $0.contact(at: LineName(end)), $0.bench) }
  }
}

/// The driver of a gate: a relay and a contact.
struct Gate: LineDevice, EdgeReceiver, FoundDevice, AlarmReceiver {
  typealias Model = Relay.Model
  typealias Event = Button.Event

  private var motor: Relay
  private var end: Button

  init(_ chip: any GPIOChip, motor: LineName, end: LineName) {
    self.motor = Relay(chip, line: motor)
    self.end = Button(chip, line: end)
  }

  // The contact is line 0 of the gate, as it is of the button.
  var chip: any GPIOChip { motor.chip }
  var lines: [LineConfiguration] { end.lines + motor.lines }
  var safeModel: Relay.Model { .off }
  var outputs: LineValues { motor.outputs.shifted(by: 1) }
  var isKnown: Bool { end.isKnown }
  var alarm: Moment? { end.alarm }

  mutating func render(_ model: Relay.Model, at moment: Moment) { motor.render(model, at: moment) }
  mutating func endStart() { end.endStart() }
  mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    end.begin(values, isDebounced: isDebounced, at: moment, emit: emit)
  }
  mutating func receive(_ edge: LineEdge, emit: Emit) { end.receive(edge, emit: emit) }
  mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    end.loseEdges(count, at: moment, emit: emit)
  }
  mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    end.correct(values, at: moment, emit: emit)
  }
  mutating func loseLines() { end.loseLines() }
  mutating func ring(at moment: Moment, emit: Emit) { end.ring(at: moment, emit: emit) }
  func refusal(of event: Button.Event) -> String? { end.refusal(of: event) }
}

/// A gate in memory.
private final class SimulatedGate: SimulatedOutput, SimulatedEvents {
  private let end: Contact
  private let bench: Bench

  init(end: Contact, _ bench: Bench) { (self.end, self.bench) = (end, bench) }

  var isAtEnd: Bool { end.isClosed }

  func emit(_ event: Int, number: Double?) throws(DriverError) {
    if event == 0 { try end.press() } else { try end.release() }
    try bench.advance(by: Button.Settings().debounce)
  }
}

/// `way: { turnstile: north }`: a turnstile on hardware of its own, which reports each person and a jam.
struct TurnstileKind: DrivenOutputKind {
  static let grammar = FieldSet(
    name: "a turnstile", summary: "turnstile that reports persons", sample: "way: { turnstile: north }",
    keys: [
      Key(name: "turnstile", takes: "the name of a turnstile: north", shape: .text),
      Key(name: "dead", takes: "true or false", shape: .flag),
      Key(name: "arms", takes: "a number of arms: 3", shape: .whole(2...4)),
    ])
  static var ports: [any Port.Type] { [CardPort.self] }
  static var shown: Shape { .switched }

  let name: String
  /// Whether it never opens.
  let isDead: Bool
  var lines: [String] { [] }
  var events: [String] { ["passed", "jammed"] }
  var expectation: String { "off or on" }

  init?(reading fields: DeviceFields) {
    guard let name = fields.text("turnstile"), fields.take("the turnstile \(name)", at: "turnstile"),
      !fields.has("arms") || fields.whole("arms") != nil
    else { return nil }
    (self.name, isDead) = (name, fields.flag("dead") ?? false)
  }

  func appearance(reading show: ShowField) -> OutputAppearance? { show.switched }
  func look(named text: String) -> ObservedOutput? { text == "on" ? .on : text == "off" ? .off : nil }
  func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    appearance == .on && !(isDead && view.world != nil) ? .on : .off
  }

  static func lenses(of devices: [TurnstileKind], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: devices.map { Turnstile(context.platform.hardware(at: CardPort(name: $0.name))) }, kind: plural,
      model: { _, appearance, _ in appearance == .on }, report: { .event($0 == 1 ? 1 : 0) })
  }

  func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError) {
    try hardware.show(false, by: Turnstile(hardware.platform.hardware(at: CardPort(name: name))))
  }

  func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: CardPort(name: name)).map { SimulatedTurnstile($0, platform.bench) }
  }
}

/// The driver of a turnstile. Its events are those of the kind, by their places.
private final class Turnstile: Driver {
  private let parts: SimulatedCards
  private var context: DriverContext<Int>?
  private var box: Postbox<Int>?

  init(_ parts: SimulatedCards) { self.parts = parts }

  var safeModel: Bool { false }

  func start(showing model: Bool, in context: DriverContext<Int>) throws(DriverError) {
    let box = context.makePostbox(of: Int.self, capacity: 16)
    (self.context, self.box) = (context, box)
    parts.onCard = { box.post(Int($0 ?? 0)) }
  }

  func render(_ model: Bool, replacing previous: Bool?) throws(DriverError) {}

  func wake(_ wake: Wake) throws(DriverError) {
    while let event = box?.receive() { context?.emit(event) }
  }

  func stop() {
    parts.onCard = { _ in }
    (context, box) = (nil, nil)
  }
}

private final class SimulatedTurnstile: SimulatedOutput, SimulatedEvents {
  private let parts: SimulatedCards
  private let bench: Bench

  init(_ parts: SimulatedCards, _ bench: Bench) { (self.parts, self.bench) = (parts, bench) }

  func emit(_ event: Int, number: Double?) throws(DriverError) {
    parts.present(Double(event))
    try bench.settle()
  }
}
