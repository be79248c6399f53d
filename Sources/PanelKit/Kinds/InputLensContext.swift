import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

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
  ) -> LensBundle where D.Event: Codable {
    precondition(drivers.count == inputs.count && devices.count == inputs.count, "each device has a driver")
    return LensBundle(
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
  ) -> LensBundle where D.Event: Codable {
    precondition(devices.count == inputs.count, "the driver is for all devices")
    return lens(of: driver, named: lens, for: devices, showing: model, report: report)
  }

  private func lens<D: Driver, Kind: InputKind>(
    of driver: D, named name: String, for devices: [Kind], showing model: D.Model,
    report: @escaping (D.Event) -> (device: Int, report: InputReport)?
  ) -> LensBundle {
    let (rules, inputs, names, isRequired) = (rules, inputs, names, isRequired)
    let events = devices.map { InputEvents(of: $0) }
    let source = PanelTrouble.Source(lens: lens, hardware: nil, number: source)
    return LensBundle(
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
      journal: LensEventFormatter(
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
