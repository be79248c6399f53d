import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// The lenses of devices of one kind, and their journals. ``OutputLensContext`` and ``SensorLensContext`` make them
/// from drivers; kinds on lines have them already.
public struct PanelLenses {
  package let lenses: [AnyLensGroup<PanelFrame>]
  /// The journal of each lens.
  package var journals: [LensJournal]

  /// Lenses with one common journal.
  init(lenses: AnyLensGroup<PanelFrame>, journal: LensJournal) {
    self.lenses = [lenses]
    journals = Array(repeating: journal, count: lenses.lensCount)
  }

  /// The lens of a chip that is a driver itself.
  package init(
    _ chip: some Driver<NoModel, Never>, of source: PanelTrouble.Source, _ rules: PanelRules, isRequired: Bool
  ) {
    self.init(
      lenses: AnyLensGroup {
        Lens(chip, name: source.lens, on: { _, _ in }, isRequired: isRequired).onTrouble { frame, trouble, past in
          rules.note(trouble, ofSingle: source, at: past.moment, in: &frame)
        }
      }, journal: LensJournal(source: source))
  }

  init(joining parts: [PanelLenses]) {
    lenses = parts.flatMap(\.lenses)
    journals = parts.flatMap(\.journals)
  }
}

/// The texts for the events of one lens.
package struct LensJournal {
  package var source: PanelTrouble.Source
  /// The text of an event; nil for an event without one.
  package var text: (Any) -> String? = { _ in nil }
  /// Whether the lens belongs to inputs.
  package var isInput = false
  /// Whether an event is trouble, which is logged as a warning.
  package var isTrouble: (Any) -> Bool = { _ in false }

  package init(
    source: PanelTrouble.Source, text: @escaping (Any) -> String? = { _ in nil }, isInput: Bool = false,
    isTrouble: @escaping (Any) -> Bool = { _ in false }
  ) {
    (self.source, self.text, self.isInput, self.isTrouble) = (source, text, isInput, isTrouble)
  }
}

/// The hardware of a panel, for setting its outputs to their safe state.
public struct PanelHardware {
  /// The chip of the output's lines.
  public let chip: any GPIOChip
  /// Provides the hardware that has its own port.
  public let platform: Platform
  /// Called with the closure that stops a driver after it shows its safe model.
  package var stop: (_ stop: @escaping () -> Void) -> Void = { stop in stop() }

  package init(
    chip: any GPIOChip, platform: Platform,
    stop: @escaping (_ stop: @escaping () -> Void) -> Void = { stop in stop() }
  ) {
    (self.chip, self.platform, self.stop) = (chip, platform, stop)
  }

  /// Sets the hardware of a driver to the state of a model, and releases it. Throws if it is not available.
  public func show<D: Driver>(_ model: D.Model, by driver: D) throws(DriverError) {
    let cycle = Cycle(seed: true) { Lens(driver, show: { _ in model }, safe: model, isRequired: true) }
    try cycle.start(on: platform.bench.loop)
    stop { cycle.stop() }
  }
}

/// The inputs for making the lenses of inputs.
public struct InputLensContext {
  package let rules: PanelRules
  /// Provides the hardware that has its own port.
  public let platform: Platform
  /// The chip of the lines of these devices.
  public let chip: any GPIOChip
  /// The numbers and the names of the devices in the file.
  package let inputs: [Int]
  package let names: [String]
  /// The name of the lenses in messages.
  package let lens: String
  /// The number of the lenses' source of trouble.
  package let source: Int
  /// Whether the start fails if the hardware is not available.
  package let isRequired: Bool
  /// The place of each device in `InputKind.positions` before the start; nil unless the panel replaces another one.
  package let positions: [Int?]

  package init(
    rules: PanelRules, platform: Platform, chip: any GPIOChip, inputs: [Int], names: [String], lens: String,
    source: Int, isRequired: Bool, positions: [Int?]
  ) {
    (
      self.rules, self.platform, self.chip, self.inputs, self.names, self.lens, self.source, self.isRequired,
      self.positions
    ) = (rules, platform, chip, inputs, names, lens, source, isRequired, positions)
  }

  /// The lenses of inputs that do not use lines of the panel's chip, with a driver each.
  ///
  /// - Parameters:
  ///   - drivers: the driver of each device, in the order of the devices.
  ///   - devices: the devices of the drivers.
  ///   - model: the model of each driver while the panel runs.
  ///   - report: converts an event of a driver; nil to ignore it.
  public func lenses<D: Driver, Kind: InputKind>(
    of drivers: [D], for devices: [Kind], showing model: D.Model, report: @escaping (D.Event) -> InputReport?
  ) -> PanelLenses where D.Event: Codable {
    precondition(drivers.count == inputs.count && devices.count == inputs.count, "each device has a driver")
    return PanelLenses(
      joining: inputs.indices.map { place in
        lens(of: drivers[place], named: names[place], for: devices, showing: model) { event in
          report(event).map { (place, $0) }
        }
      })
  }

  /// The lens of inputs that do not use lines of the panel's chip, with one driver for all of them.
  ///
  /// - Parameters:
  ///   - driver: the driver of the devices.
  ///   - devices: the devices of the driver.
  ///   - model: the model of the driver while the panel runs.
  ///   - report: converts an event of the driver to the place of its device in `devices`, and the meaning for that
  ///     device; nil to ignore the event.
  public func lens<D: Driver, Kind: InputKind>(
    of driver: D, for devices: [Kind], showing model: D.Model,
    report: @escaping (D.Event) -> (device: Int, report: InputReport)?
  ) -> PanelLenses where D.Event: Codable {
    precondition(devices.count == inputs.count, "the driver is for all devices")
    return lens(of: driver, named: lens, for: devices, showing: model, report: report)
  }

  private func lens<D: Driver, Kind: InputKind>(
    of driver: D, named name: String, for devices: [Kind], showing model: D.Model,
    report: @escaping (D.Event) -> (device: Int, report: InputReport)?
  ) -> PanelLenses {
    let (rules, inputs, names, isRequired) = (rules, inputs, names, isRequired)
    let events = devices.map { InputEvents(of: $0) }
    let source = PanelTrouble.Source(lens: lens, hardware: nil, number: source)
    return PanelLenses(
      lenses: AnyLensGroup {
        Lens(
          driver, name: name, showing: model,
          on: { frame, event, past in
            guard let (place, report) = report(event) else { return }
            precondition(events.indices.contains(place), "the device of an event is a place in the devices")
            report.apply(to: inputs[place], events[place], rules, at: past.moment, in: &frame)
          }, isRequired: isRequired
        ).refusingEvents { event in
          guard let (place, report) = report(event) else { return nil }
          guard events.indices.contains(place) else { return "there is no device \(place) of \(events.count)" }
          return report.refusal(events[place])
        }.onFound { frame, event, past in
          guard let (place, report) = report(event) else { return }
          precondition(events.indices.contains(place), "the device of an event is a place in the devices")
          report.find(inputs[place], events[place], rules, at: past.moment, in: &frame)
        }.onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
      },
      journal: LensJournal(
        source: source,
        text: { event in
          guard let (place, report) = (event as? D.Event).flatMap(report), events.indices.contains(place) else {
            return nil
          }
          return report.text(of: names[place], events[place])
        },
        isTrouble: { event in (event as? D.Event).flatMap(report)?.report.isTrouble ?? false }))
  }
}

/// The inputs for making the lenses of outputs.
public struct OutputLensContext {
  package let rules: PanelRules
  /// The first frame, without randomness.
  package let seed: PanelFrame
  /// Provides the hardware that has its own port.
  public let platform: Platform
  /// The chip of the lines of these devices.
  public let chip: any GPIOChip
  /// The numbers of the devices in the file.
  package let outputs: [Int]
  /// The number of the input with the events of each device; nil for a device without events.
  package let reports: [Int?]
  /// The name of the lenses in messages.
  package let lens: String
  /// The number of the lenses' source of trouble.
  package let source: Int
  package let isRequired: Bool
  /// The moment since which each output has had its first appearance; nil for the moment of the start.
  package let since: [Moment?]

  package init(
    rules: PanelRules, seed: PanelFrame, platform: Platform, chip: any GPIOChip, outputs: [Int], lens: String,
    source: Int, isRequired: Bool, since: [Moment?]
  ) {
    (
      self.rules, self.seed, self.platform, self.chip, self.outputs, self.lens, self.source, self.isRequired, self.since
    ) = (rules, seed, platform, chip, outputs, lens, source, isRequired, since)
    let all = rules.panel.reports
    reports = outputs.map { all[$0] }
  }

  var show: PanelRendering { rules.show }

  /// The lenses of outputs that do not use lines of the panel's chip.
  ///
  /// - Parameters:
  ///   - drivers: the driver of each device, in the order of the devices.
  ///   - kind: the plural of the kind, for messages.
  ///   - model: makes the model of the driver at a place for an appearance.
  ///   - report: converts an event of a driver to one of `OutputKind.events`; nil to ignore it. The default ignores all
  ///     events.
  public func lenses<D: Driver>(
    of drivers: [D], kind: String, model: @escaping (_ place: Int, Appearance, PanelValues) -> D.Model,
    report: @escaping (D.Event) -> InputReport? = { _ in nil }
  ) -> PanelLenses where D.Event: Codable {
    let (rules, seed, show, outputs) = (rules, seed, show, outputs)
    let source = PanelTrouble.Source(lens: kind, hardware: nil, number: source)
    let reports = OutputEvents(of: self)
    let parts = drivers.indices.map { place in
      PanelLenses(
        lenses: AnyLensGroup {
          let shown = show.models(of: [outputs[place]], seed: seed) { _, appearance, values in
            model(place, appearance, values)
          }
          Lens(
            drivers[place], name: rules.panel.outputs[outputs[place]].name, show: { shown.models(in: $0)[0] },
            on: { frame, event, past in
              if let report = report(event) { reports.apply(report, of: place, rules, at: past.moment, in: &frame) }
            },
            safe: model(place, rules.panel.safe[outputs[place]], show.values(in: seed))
          ).refusingEvents { event in
            report(event).flatMap { reports.refusal(of: $0, at: place) }
          }.onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
        },
        journal: LensJournal(
          source: source,
          text: { event in
            (event as? D.Event).flatMap(report).flatMap { reports.text(of: $0, at: place) }
          },
          isTrouble: { event in (event as? D.Event).flatMap(report)?.isTrouble ?? false }))
    }
    return PanelLenses(joining: parts)
  }
}

/// A kind of input on GPIO lines. Consecutive devices in the file have one driver.
public protocol LineInputKind: DrivenInputKind {
  /// The device of a line driver.
  associatedtype Device: LineDevice where Device.Model == NoModel, Device.Event: Codable

  /// The device with its settings, on lines of a chip.
  func device(on chip: any GPIOChip) -> Device
  /// The device like ``device(on:)``, in a panel that replaces another one.
  ///
  /// - Parameters:
  ///   - chip: the chip of its lines.
  ///   - position: the known position before the start, as a place in `InputKind.positions`. A different position at
  ///     the start is an event. Nil if it is not known; the device is then found in its position (`Lens.onFound`).
  func device(on chip: any GPIOChip, at position: Int?) -> Device
  /// Converts an event of the device; nil to ignore it.
  static func report(of event: Device.Event) -> InputReport?
}

extension LineInputKind {
  public func device(on chip: any GPIOChip, at position: Int?) -> Device { device(on: chip) }

  public static func lenses(of devices: [Self], in context: InputLensContext) -> PanelLenses {
    let (rules, inputs, positions) = (context.rules, context.inputs, context.positions)
    let source = PanelTrouble.Source(lens: context.lens, hardware: .gpio, number: context.source)
    let (events, names) = (devices.map { InputEvents(of: $0) }, context.names)
    return PanelLenses(
      lenses: AnyLensGroup {
        LensList(
          each: zip(devices, positions).map { $0.device(on: context.chip, at: $1) }, name: source.lens,
          on: { frame, event, past in
            let number = event.number
            report(of: event.event)?.apply(to: inputs[number], events[number], rules, at: past.moment, in: &frame)
          }, isRequired: context.isRequired
        ).refusingEvents { report(of: $0.event)?.refusal(events[$0.number]) }.onFound { frame, event, past in
          let number = event.number
          report(of: event.event)?.find(inputs[number], events[number], rules, at: past.moment, in: &frame)
        }.onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
      },
      journal: LensJournal(
        source: source,
        text: { event in
          guard let event = event as? LineDriverArray<Device>.Event, names.indices.contains(event.number) else {
            return nil
          }
          return report(of: event.event)?.text(of: names[event.number], events[event.number])
        },
        isTrouble: { event in
          guard let event = event as? LineDriverArray<Device>.Event else { return false }
          return report(of: event.event)?.isTrouble ?? false
        }))
  }
}

/// A kind of output on GPIO lines. All its devices have one driver.
public protocol LineOutputKind: DrivenOutputKind {
  /// The device of a line driver.
  associatedtype Device: LineDevice where Device.Event: Codable

  /// The device with its settings, on lines of a chip.
  func device(on chip: any GPIOChip) -> Device
  /// The device like ``device(on:)``, in a panel that replaces another one.
  ///
  /// - Parameters:
  ///   - chip: the chip of its lines.
  ///   - moment: the beginning of its first appearance, so that a running sequence continues; nil if it begins with the
  ///     start.
  func device(on chip: any GPIOChip, since moment: Moment?) -> Device
  /// The model of the device for an appearance. It is made again only when the appearance, or a value in it, has
  /// changed.
  func model(of appearance: Appearance, in values: PanelValues) -> Device.Model
  /// Converts an event of the device to one of `OutputKind.events`; nil to ignore it. The default ignores all events.
  static func report(of event: Device.Event) -> InputReport?
}

extension LineOutputKind {
  public func device(on chip: any GPIOChip, since moment: Moment?) -> Device { device(on: chip) }
  public static func report(of event: Device.Event) -> InputReport? { nil }

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
    let reports = OutputEvents(of: context)
    return PanelLenses(
      lenses: AnyLensGroup {
        // A closure at this place is called directly.
        LensList(
          each: zip(devices, context.since).map { $0.device(on: context.chip, since: $1) }, name: source.lens,
          show: { shown.models(in: $0) },
          on: { frame, event, past in
            guard let report = report(of: event.event) else { return }
            reports.apply(report, of: event.number, rules, at: past.moment, in: &frame)
          },
          safe: safe, isRequired: context.isRequired
        ).refusingEvents { event in
          report(of: event.event).flatMap { reports.refusal(of: $0, at: event.number) }
        }.onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
      },
      journal: LensJournal(
        source: source,
        text: { event in
          guard let event = event as? LineDriverArray<Device>.Event else { return nil }
          return report(of: event.event).flatMap { reports.text(of: $0, at: event.number) }
        },
        isTrouble: { event in
          guard let event = event as? LineDriverArray<Device>.Event else { return false }
          return report(of: event.event)?.isTrouble ?? false
        }))
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
