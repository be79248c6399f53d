import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelKinds
import PanelLanguage
import PanelNetwork

/// The world around a simulated panel: the operation of its inputs, its stuck contacts, and the lines that another
/// program holds.
package final class PanelWorld {
  private let panel: PanelDefinition
  private let platform: Platform
  /// nil on a real chip, whose contacts can't be moved by a program.
  private let chips: SimulatedChips?
  private let card: SimulatedCard?
  /// The world of each input; empty on a real chip.
  private let inputs: [SimulatedInput]
  /// The contacts that are stuck.
  private var jammed: Set<Int> = []
  /// Whether a contact should be closed, by the last step that moved it. All others should be open.
  private var wanted: [Int: Bool] = [:]
  private let texts: StepText
  /// The sensors that have had a number.
  private var sensed: Set<Int> = []

  /// - Parameters:
  ///   - panel: the panel in this world.
  ///   - platform: the panel's platform.
  ///   - chips: the panel's chips; nil for real ones.
  ///   - card: the panel's card; nil for a real one.
  ///   - outputs: the simulated devices of the panel's outputs.
  ///   - before: the world of the panel that this one replaces. A device on the same lines is the same device, and
  ///     keeps its state.
  init(
    of panel: PanelDefinition, on platform: Platform, chips: SimulatedChips?, card: SimulatedCard?,
    outputs: [(any SimulatedOutput)?],
    replacing before: (world: PanelWorld, panel: PanelDefinition)? = nil
  ) {
    self.panel = panel
    self.platform = platform
    self.chips = chips
    self.card = card
    texts = StepText(of: panel)
    let places = panel.inputs.map { input in
      before.flatMap { before in
        Self.place(of: input, in: before.panel).flatMap { place in
          let (old, new) = (before.panel.chip(of: before.panel.inputs[place].device), panel.chip(of: input.device))
          return before.world.chips?[old] === chips?[new] ? place : nil
        }
      }
    }
    let reporting = zip(panel.reports, outputs).filter { $0.0 != nil }.map { $1 as? any SimulatedEvents }
    let ownCount = panel.inputs.count - reporting.count
    inputs =
      chips.map { chips in
        zip(panel.inputs, places).prefix(ownCount).map { input, place in
          if let place, let before { return before.world.inputs[place] }
          return input.device.driven.world(on: chips[panel.chip(of: input.device)], platform)
        } + reporting.map { world in world.map { .events($0) } ?? .none }
      } ?? []
    // A simulated sensor gives no number until a step sets one.
    for case (.sensor(let sensor), nil) in zip(inputs, places) { sensor.silence() }
    for (input, place) in places.enumerated() {
      guard let place, let before else { continue }
      sensor(input)?.restart()
      if before.world.jammed.contains(place) { jammed.insert(input) }
      if before.world.sensed.contains(place) { sensed.insert(input) }
      wanted[input] = before.world.wanted[place]
    }
  }

  /// The index of the same input in another panel. An input is the same if it is on the same lines, or if it has no
  /// lines and both name and device are equal.
  private static func place(of input: PanelDefinition.Input, in panel: PanelDefinition) -> Int? {
    panel.inputs.firstIndex { other in
      type(of: other.device) == type(of: input.device)
        && (input.device.lines.isEmpty || type(of: input.device).control == .selector
          ? other == input : other.device.lines == input.device.lines)
    }
  }

  private var bench: Bench { platform.bench }

  /// Records a step that is about to be performed, if there is a recording. All actions of the world go through this
  /// function.
  private func note(_ step: Step) { bench.note(texts.line(step) ?? "") }

  // MARK: - Inputs

  private func contact(_ input: Int) -> (any SimulatedContact)? {
    guard inputs.indices.contains(input), case .contact(let contact) = inputs[input] else { return nil }
    return contact
  }

  /// Closes or opens a contact. A stuck contact moves when it is free again.
  func move(_ input: Int, toClosed isClosed: Bool) throws(DriverError) {
    let isSwitch = type(of: panel.inputs[input].device).control == .switch
    note(isSwitch ? .switch(input: input, on: isClosed) : isClosed ? .press([input]) : .release([input]))
    wanted[input] = isClosed
    if !jammed.contains(input) { try set(input, toClosed: isClosed) }
  }

  private func set(_ input: Int, toClosed isClosed: Bool) throws(DriverError) {
    if isClosed { try contact(input)?.press() } else { try contact(input)?.release() }
  }

  /// Presses for a duration, and releases. Returns when the release counts.
  func hold(_ input: Int, for span: Duration) throws(DriverError) {
    guard let contact = contact(input) else { return }
    try move(input, toClosed: true)
    try bench.advance(by: span)
    try move(input, toClosed: false)
    // The release counts only when the contact has been stable for the debounce period.
    try bench.advance(by: panel.inputs[input].device.longestDebounce + contact.bounce)
  }

  func click(_ input: Int) throws(DriverError) {
    try hold(input, for: max(.milliseconds(50), panel.inputs[input].device.longestDebounce * 2))
  }

  func turn(_ input: Int, by detents: Int) throws(DriverError) {
    note(.turn(input: input, detents: detents))
    if inputs.indices.contains(input), case .knob(let knob) = inputs[input] { try knob.turn(by: detents) }
  }

  func bounce(_ input: Int, for span: Duration) {
    note(.bounce(input: input, span))
    if let contact = contact(input) { contact.bounce = span }
    if inputs.indices.contains(input), case .selector(let selector) = inputs[input] { selector.bounce(for: span) }
  }

  /// Moves a contact to a position in which it is stuck. Steps can't move it.
  func jam(_ input: Int, toClosed isClosed: Bool) throws(DriverError) {
    note(.jam(input: input, position: isClosed ? 1 : 0))
    if wanted[input] == nil { wanted[input] = contact(input)?.isClosed }
    jammed.insert(input)
    try set(input, toClosed: isClosed)
  }

  /// Frees a contact, and moves it to the position of the last step.
  func free(_ input: Int) throws(DriverError) {
    note(.free(input: input))
    guard jammed.remove(input) != nil else { return }
    try set(input, toClosed: wanted[input] ?? false)
  }

  private func emitter(_ input: Int) -> (any SimulatedEvents)? {
    guard inputs.indices.contains(input) else { return nil }
    return switch inputs[input] {
    case .events(let world): world
    case .selector(let world): world
    case .contact, .knob, .sensor, .none: nil
    }
  }

  /// Makes an input emit an event.
  ///
  /// - Parameter number: the number that the event carries, in units of the input's scale.
  func emit(_ event: Int, number: Int?, of input: Int) throws(DriverError) {
    note(.event(input: input, event: event, number: number))
    guard let world = emitter(input) else { return }
    let scale = panel.inputs[input].device.scale
    try world.emit(event, number: number.map { Double($0) / Double(Quantity.powerOfTen(scale?.decimals ?? 0)) })
    try bench.settle()
  }

  // MARK: - Sensors

  /// Sets the number that a sensor reads, in the units of its scale.
  func sense(_ input: Int, _ number: Int) throws(DriverError) {
    note(.sense(input: input, number))
    guard let sensor = sensor(input), let scale = panel.inputs[input].device.scale else { return }
    sensed.insert(input)
    sensor.sense(Double(number) / Double(Quantity.powerOfTen(scale.decimals)))
    sensor.plug()
    try bench.settle()
  }

  func plugSensor(_ input: Int, _ isPlugged: Bool) throws(DriverError) {
    note(isPlugged ? .plugSensor(input: input) : .unplugSensor(input: input))
    guard let sensor = sensor(input) else { return }
    if isPlugged { sensor.plug() } else { sensor.unplug() }
    try bench.settle()
  }

  private func sensor(_ input: Int) -> (any SimulatedSensor)? {
    guard inputs.indices.contains(input), case .sensor(let sensor) = inputs[input] else { return nil }
    return sensor
  }

  // MARK: - Hardware

  /// Unplugs or plugs the card, all chips or one chip.
  func plug(_ hardware: PluggableHardware, _ isPlugged: Bool) throws(DriverError) {
    note(isPlugged ? .plug(hardware) : .unplug(hardware))
    let simulated: [any SimulatedHardware]
    switch hardware {
    case .gpio: simulated = chips?.hardware ?? []
    case .audio, .network: simulated = platform.simulated(named: panel.name(of: hardware))
    case .own: simulated = [chips?.own].compactMap { $0 }
    case .chip(let chip): simulated = [chips?.hardware(of: chip)].compactMap { $0 }
    }
    for part in simulated { if isPlugged { part.plug() } else { part.unplug() } }
    try bench.settle()
  }

  /// Unplugs or plugs all hardware of the port with this name.
  func plug(port: String, _ isPlugged: Bool) throws(DriverError) {
    note(isPlugged ? .plugPort(port) : .unplugPort(port))
    for part in platform.simulated(named: port) { if isPlugged { part.plug() } else { part.unplug() } }
    // A sensor that had no number before has none now.
    for (input, definition) in panel.inputs.enumerated()
    where isPlugged && !sensed.contains(input) && definition.device.usedPorts.contains(where: { $0.name == port }) {
      sensor(input)?.silence()
    }
    try bench.settle()
  }

  /// Makes another program request the lines of a device, or release them. Returns a line that no other program can
  /// request because the panel holds it; nil if there is none. For a device on a chip that is wired to lines, these are
  /// the chip's lines.
  func occupy(_ device: DeviceReference, _ isOccupied: Bool) -> String? {
    note(isOccupied ? .busy([device]) : .idle([device]))
    var lines =
      switch device {
      case .input(let input): panel.inputs[input].device.lines
      case .output(let output): panel.outputs[output].device.lines
      }
    var chip = lines.first.flatMap { panel.chip(ofLine: $0) }
    while let number = chip, !panel.chips[number].kind.isLostAlone {
      lines = panel.chips[number].kind.lines
      chip = panel.chip(ofLine: lines[0])
    }
    // The lines of a chip that is driven by this program are for no other program.
    if let number = chip, let chips, chips.hardware(of: number) !== chips[number] { return lines.first }
    let holder = isOccupied ? "another program" : nil
    return lines.first { chips?[chip].line(LineName($0)).hold(by: holder) == false }
  }

  /// Stalls the card for a duration. Then the card reports an underrun.
  func stutter(for span: Duration) throws(DriverError) {
    note(.stutter(span))
    card?.isStalled = true
    defer { card?.isStalled = false }
    try bench.advance(by: span)
    card?.underrun()
  }

  /// Unplugs all hardware for a duration. While it is unplugged, `end` ends the application, which can't change an
  /// output any more.
  ///
  /// - Parameter isNoted: whether the recording has the step already.
  func cutPower(for span: Duration, isNoted: Bool = false, meanwhile end: () -> Void) throws(DriverError) {
    if !isNoted { note(.powerCut(span)) }
    let cut = ((chips?.hardware ?? []) + [card].compactMap { $0 } as [any SimulatedHardware]).filter(\.isPlugged)
    let begin = bench.now
    for hardware in cut { hardware.unplug() }
    end()
    try bench.advance(to: begin + span)
    chips?.powerUp()
    for hardware in cut { hardware.plug() }
  }

  /// Notes that the panel starts again in the same environment.
  func restart() {
    for case .sensor(let sensor) in inputs { sensor.restart() }
  }

  /// Records a restart that is about to happen. The step begins when it waits for a save.
  func note(_ restart: Restart) { note(.restart(restart)) }

  // MARK: - Remote commands

  /// Performs a remote command with ``RemoteCommandInput/perform(_:by:)``, and waits for its effect.
  ///
  /// - Returns: the reason for a refusal; empty if the command was performed.
  func ask(_ command: RemoteCommand, of remote: RemoteCommandInput) throws(DriverError) -> [String] {
    do throws(RemoteRefusal) {
      try remote.perform(command, by: .init(number: 0))
    } catch {
      return [error.text]
    }
    noteAsked(command)
    try bench.settle()
    return []
  }

  /// Records a remote command. Only the recording of a simulated world has it as a step; in a real world, the events
  /// are sufficient.
  func noteAsked(_ command: RemoteCommand) {
    if chips != nil { note(.remote(command)) }
  }

  // MARK: - The clock

  /// The present time of the simulated clock; nil for a panel without a clock, and while the time is unknown.
  var clockReading: ClockReading? { clock.flatMap { $0.isKnown ? $0.reading : nil } }

  private var clock: SimulatedClock? { panel.clock.flatMap { platform.simulated(at: $0.port) } }

  /// Sets the clock.
  func set(clock time: ClockTime) throws(DriverError) {
    note(.clock(time))
    if let zone = time.zone { clock?.zone = try ZoneFile.rules(named: zone) }
    clock?.set(time.date, time.time)
    // A time before the start is that of the first frame.
    if let first = bench.earliestFirstFrame, first > bench.now { clock?.jump(by: bench.now - first) }
    clock?.plug()
    try bench.settle()
  }

  // MARK: - Chance

  func seed(_ seed: UInt64, _ control: RandomControl) throws(DriverError) {
    note(.seed(seed))
    bench.random = SeededGenerator(seed: seed)
    control.seed(seed)
    try bench.settle()
  }

  func draw(_ results: [Int], _ control: RandomControl) throws(DriverError) {
    note(.draw(results))
    control.prescribe(results)
    try bench.settle()
  }

  /// Prepares the world before the panel starts.
  package func prepare(_ start: Scenario.Start) throws(DriverError) {
    if let clock {
      let zone = start.zone ?? panel.clock?.zone
      if var time = start.clock {
        time.zone = time.zone ?? zone
        try set(clock: time)
      } else if let zone {
        clock.zone = try ZoneFile.rules(named: zone)
      }
    }
    for hardware in start.missing.sorted() { try plug(hardware, false) }
    for device in start.busy { _ = occupy(device, true) }
    for (input, number) in start.readings.sorted(by: { $0.key < $1.key }) { try sense(input, number) }
    for (input, position) in start.positions.sorted(by: { $0.key < $1.key }) {
      let device = panel.inputs[input].device
      if type(of: device).control == .selector, let event = device.event(of: position) {
        try emit(event, number: nil, of: input)
      } else {
        try move(input, toClosed: position == 1)
      }
    }
    for (input, span) in start.unsettled.sorted(by: { $0.key < $1.key }) {
      if inputs.indices.contains(input), case .selector(let selector) = inputs[input] { selector.lift() }
      contact(input)?.chatter(for: span)
    }
  }
}
