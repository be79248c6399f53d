import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// The lenses of devices of one kind, and what a journal says of the events of each. ``OutputLensContext`` and
/// ``SensorLensContext`` make them of drivers; kinds on lines have theirs already.
public struct PanelLenses {
  let lenses: [AnyLenses<PanelFrame>]
  /// Of each lens.
  var journals: [LensJournal]

  /// Lenses of which the same is said.
  init(lenses: AnyLenses<PanelFrame>, journal: LensJournal) {
    self.lenses = [lenses]
    journals = Array(repeating: journal, count: lenses.lensCount)
  }

  init(joining parts: [PanelLenses]) {
    lenses = parts.flatMap(\.lenses)
    journals = parts.flatMap(\.journals)
  }
}

/// What a journal says of the events of one lens.
struct LensJournal {
  var source: PanelTrouble.Source
  /// The text of an event; nil for an event without one.
  var text: (Any) -> String? = { _ in nil }
  /// Whether the lens is of inputs.
  var isInput = false
  /// Whether an event is trouble, which is logged as a warning.
  var isTrouble: (Any) -> Bool = { _ in false }
}

/// The hardware of a panel, for what puts its outputs into their safe state.
public struct PanelHardware {
  /// The chip that the output's lines are on.
  public let chip: any GPIOChip
  /// The I²C bus behind a port.
  public let bus: (I2CBusPort) -> any I2CBus
  let loop: any EventLoop
  /// Is called with what stops a driver that shows its safe model.
  var stop: (_ stop: @escaping () -> Void) -> Void = { stop in stop() }

  /// Brings the hardware of a driver into the state of a model, and releases it. Throws if it can't be had.
  public func show<D: Driver>(_ model: D.Model, by driver: D) throws(DriverError) {
    let cycle = Cycle(seed: true) { Lens(driver, show: { _ in model }, safe: model, isRequired: true) }
    try cycle.start(on: loop)
    stop { cycle.stop() }
  }
}

/// What the lenses of inputs are made with.
public struct InputLensContext {
  let rules: PanelRules
  /// Gives the hardware that has a port of its own.
  public let platform: Platform
  /// The chip that the lines of these devices are on.
  public let chip: any GPIOChip
  /// The numbers and the names of the devices in the file.
  let inputs: [Int]
  let names: [String]
  /// What the lenses are called in messages.
  let lens: String
  /// The number of the lenses' source of trouble.
  let source: Int
  /// Whether the start fails if the hardware can't be had.
  let isRequired: Bool
  /// Of each device its place in ``InputKind/positions`` before the start: nil but for a panel that takes the place of another.
  let positions: [Int?]

  /// The lenses of inputs that are on no lines of the panel's chip.
  ///
  /// - Parameters:
  ///   - drivers: of each device, in the order of the devices.
  ///   - devices: those that the drivers are of.
  ///   - model: what each driver does as long as the panel runs.
  ///   - report: what an event of a driver means; nil for nothing.
  public func lenses<D: Driver, Kind: InputKind>(
    of drivers: [D], for devices: [Kind], showing model: D.Model, report: @escaping (D.Event) -> InputReport?
  ) -> PanelLenses {
    precondition(drivers.count == inputs.count && devices.count == inputs.count, "each device has a driver")
    let (rules, isRequired) = (rules, isRequired)
    let parts = inputs.indices.map { place in
      let (input, name, driver, events) = (inputs[place], names[place], drivers[place], devices[place].events)
      let source = PanelTrouble.Source(lens: lens, hardware: nil, number: source)
      return PanelLenses(
        lenses: AnyLenses {
          Lens(
            driver, name: name, showing: model,
            on: { frame, event, past in
              report(event)?.apply(to: input, events.count, rules, at: past.moment, in: &frame)
            }, isRequired: isRequired
          ).refusingEvents { report($0)?.refusal(events.count) }.onFound { frame, event, past in
            report(event)?.find(input, events.count, rules, at: past.moment, in: &frame)
          }.onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
        },
        journal: LensJournal(
          source: source,
          text: { event in (event as? D.Event).flatMap(report)?.text(of: name, events) },
          isTrouble: { event in (event as? D.Event).flatMap(report)?.isTrouble ?? false }))
    }
    return PanelLenses(joining: parts)
  }
}

/// What the lenses of outputs are made with.
public struct OutputLensContext {
  let rules: PanelRules
  /// The first frame, without chance.
  let seed: PanelFrame
  /// Gives the hardware that has a port of its own.
  public let platform: Platform
  /// The chip that the lines of these devices are on.
  public let chip: any GPIOChip
  /// The numbers of the devices in the file.
  let outputs: [Int]
  /// What the lenses are called in messages.
  let lens: String
  /// The number of the lenses' source of trouble.
  let source: Int
  let isRequired: Bool
  /// Since when each output shows what it shows first; nil for the moment of the start.
  let since: [Moment?]

  var show: PanelShow { rules.show }

  /// The lenses of outputs that are on no lines of the panel's chip.
  ///
  /// - Parameters:
  ///   - drivers: of each device, in the order of the devices.
  ///   - kind: the plural of the kind, for messages.
  ///   - model: the model by which the driver at a place shows an appearance.
  public func lenses<D: Driver>(
    of drivers: [D], kind: String, model: @escaping (_ place: Int, Appearance, PanelValues) -> D.Model
  ) -> PanelLenses {
    let (rules, seed, show, outputs) = (rules, seed, show, outputs)
    let source = PanelTrouble.Source(lens: kind, hardware: nil, number: source)
    return PanelLenses(
      lenses: AnyLenses {
        LensList(count: drivers.count) { place in
          let shown = show.models(of: [outputs[place]], seed: seed) { _, appearance, values in
            model(place, appearance, values)
          }
          return Lens(
            drivers[place], name: rules.panel.outputs[outputs[place]].name, show: { shown.models(in: $0)[0] },
            safe: model(place, rules.panel.safe[outputs[place]], show.values(in: seed))
          ).onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
        }
      },
      journal: LensJournal(source: source))
  }
}

/// What an event of an input's driver means to a panel.
public enum InputReport: Equatable {
  /// The event at this place in ``InputKind/events``.
  case event(Int)
  /// Edges of the input's lines were lost, so many at least.
  case edgesLost(Int)

  /// - Parameter eventCount: how many events the input has.
  @inline(__always)
  func apply(to input: Int, _ eventCount: Int, _ rules: PanelRules, at now: Moment, in frame: inout PanelFrame) {
    switch self {
    case .event(let place):
      precondition(place >= 0 && place < eventCount, "an event of an input is a place in its events")
      rules.hear(place, of: input, at: now, in: &frame)
    case .edgesLost(let count): frame.noteLoss(of: count, at: input)
    }
  }

  /// Why an input with so many events can't have told it; nil if it can.
  func refusal(_ eventCount: Int) -> String? {
    switch self {
    case .event(let place): (0..<eventCount).contains(place) ? nil : "there is no event \(place) of \(eventCount)"
    case .edgesLost(let count):
      OutsideNumber.counts.contains(count) ? nil : "\(count) is no number of lost edges"
    }
  }

  /// The input was found in the position that the event leads to.
  func find(_ input: Int, _ eventCount: Int, _ rules: PanelRules, at now: Moment, in frame: inout PanelFrame) {
    guard case .event(let place) = self else { return }
    precondition(place >= 0 && place < eventCount, "an event of an input is a place in its events")
    rules.find(place, of: input, at: now, in: &frame)
  }

  /// What a journal says of it.
  func text(of name: String, _ events: [String]) -> String {
    switch self {
    case .event(let place): "\(name).\(events[place])"
    case .edgesLost(let count): "\(name): \(LossLog.text(of: count))"
    }
  }

  var isTrouble: Bool { if case .edgesLost = self { true } else { false } }
}

/// A kind of input whose devices are on GPIO lines: one driver for all that follow each other in the file.
public protocol LineInputKind: DrivenInputKind {
  /// What a driver of lines drives.
  associatedtype Device: LineDevice where Device.Model == NoModel

  /// The device with its settings, on lines of a chip.
  func device(on chip: any GPIOChip) -> Device
  /// The device as ``device(on:)``, in a panel that takes the place of another one.
  ///
  /// - Parameters:
  ///   - chip: the chip that its lines are on.
  ///   - position: the place in ``InputKind/positions`` that the panel knows it to be in before the start: another one at the
  ///     start is an event. Nil if the panel doesn't know it: then the device is found.
  func device(on chip: any GPIOChip, at position: Int?) -> Device
  /// What an event of the device means to a panel; nil for nothing.
  static func report(of event: Device.Event) -> InputReport?
}

extension LineInputKind {
  public func device(on chip: any GPIOChip, at position: Int?) -> Device { device(on: chip) }

  public static func lenses(of devices: [Self], in context: InputLensContext) -> PanelLenses {
    let (rules, inputs, positions) = (context.rules, context.inputs, context.positions)
    let source = PanelTrouble.Source(lens: context.lens, hardware: .gpio, number: context.source)
    let (events, names) = (devices.map(\.events), context.names)
    let eventCounts = events.map(\.count)
    return PanelLenses(
      lenses: AnyLenses {
        LensList(
          each: zip(devices, positions).map { $0.device(on: context.chip, at: $1) }, name: source.lens,
          on: { frame, event, past in
            let number = event.number
            report(of: event.event)?.apply(to: inputs[number], eventCounts[number], rules, at: past.moment, in: &frame)
          }, isRequired: context.isRequired
        ).refusingEvents { report(of: $0.event)?.refusal(eventCounts[$0.number]) }.onFound { frame, event, past in
          let number = event.number
          report(of: event.event)?.find(inputs[number], eventCounts[number], rules, at: past.moment, in: &frame)
        }.onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
      },
      journal: LensJournal(
        source: source,
        text: { event in
          guard let event = event as? Each<Device>.Event, names.indices.contains(event.number) else { return nil }
          return report(of: event.event)?.text(of: names[event.number], events[event.number])
        },
        isTrouble: { event in
          guard let event = event as? Each<Device>.Event else { return false }
          return report(of: event.event)?.isTrouble ?? false
        }))
  }
}

/// A kind of output whose devices are on GPIO lines: one driver for all of them.
public protocol LineOutputKind: OutputKind {
  /// What a driver of lines drives.
  associatedtype Device: LineDevice

  /// The device with its settings, on lines of a chip.
  func device(on chip: any GPIOChip) -> Device
  /// The device as ``device(on:)``, in a panel that takes the place of another one.
  ///
  /// - Parameters:
  ///   - chip: the chip that its lines are on.
  ///   - moment: since when it shows what it shows first, so that what takes time goes on; nil if that begins with the start.
  func device(on chip: any GPIOChip, since moment: Moment?) -> Device
  /// The model of the device that shows an appearance. It is made again only when what the output shows, or a value of it, has changed.
  func model(of appearance: Appearance, in values: PanelValues) -> Device.Model
}

extension LineOutputKind {
  public func device(on chip: any GPIOChip, since moment: Moment?) -> Device { device(on: chip) }

  public static func lenses(of devices: [Self], in context: OutputLensContext) -> PanelLenses {
    let (rules, show, seed) = (context.rules, context.show, context.seed)
    let values = show.values(in: seed)
    let source = PanelTrouble.Source(lens: context.lens, hardware: .gpio, number: context.source)
    let safe = zip(devices, context.outputs).map { device, output in
      device.model(of: rules.panel.safe[output], in: values)
    }
    let shown = show.models(of: context.outputs, seed: seed) { number, appearance, values in
      devices[number].model(of: appearance, in: values)
    }
    return PanelLenses(
      lenses: AnyLenses {
        // A closure that is written here is called directly.
        LensList(
          each: zip(devices, context.since).map { $0.device(on: context.chip, since: $1) }, name: source.lens,
          show: { shown.models(in: $0) },
          safe: safe, isRequired: context.isRequired
        ).onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
      },
      journal: LensJournal(source: source))
  }

  public func highLines(
    showing appearance: Appearance, in values: PanelValues, on chip: any GPIOChip
  ) -> [String] {
    var device = device(on: chip)
    device.render(model(of: appearance, in: values), at: .zero)
    return device.lines.compactMap { line in
      guard case .output(let value, _, _) = line.direction, value.isActive != line.isActiveLow else { return nil }
      return line.name.description
    }
  }

  public func show(safe: Appearance, in values: PanelValues, on hardware: PanelHardware) throws(DriverError) {
    try hardware.show(model(of: safe, in: values), by: LineDriver(device(on: hardware.chip)))
  }
}

/// What can be seen of one output.
public struct OutputView {
  /// The chip that the output is on if it is simulated, else nil.
  public let chip: SimulatedChip?
  /// The output if it is a simulated display.
  let display: SimulatedCharacterDisplay?
  /// The panel's values now.
  public let values: PanelValues
  /// How long the output has shown what it shows.
  public let age: Duration

  /// Whether a simulated line is at the level that lights a lamp; nil on a real chip, whose lines aren't read.
  public func isActive(_ line: String, _ active: ActiveLevel) -> Bool? {
    guard let chip else { return nil }
    return (chip.line(LineName(line)).level == .high) == (active == .high)
  }
}
