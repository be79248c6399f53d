import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// A kind of output on GPIO lines. All its devices have one driver.
public protocol LineOutputKind: DrivenOutputKind {
  /// The device of a line driver.
  associatedtype Device: LineDevice where Device.Event: Codable

  /// The device with its settings, on lines of a chip.
  func device(on chip: any GPIOChip) -> Device
  /// The device like ``device(on:)``, with what continues if the panel replaces another one.
  ///
  /// - Parameters:
  ///   - context: the chip of its lines, and what continues.
  ///   - place: its place in `OutputLensContext.outputs`.
  func device(in context: OutputLensContext, at place: Int) -> Device
  /// The model of the device for an appearance. It is made again only when the appearance, or a value in it, has
  /// changed.
  func model(of appearance: OutputAppearance, in values: PanelValues) -> Device.Model
  /// Converts an event of the device to one of `OutputKind.events`; nil to ignore it. The default ignores all events.
  static func report(of event: Device.Event) -> InputReport?
}

extension LineOutputKind {
  public func device(in context: OutputLensContext, at place: Int) -> Device { device(on: context.chip) }
  public static func report(of event: Device.Event) -> InputReport? { nil }

  public static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    let (rules, show, seed) = (context.rules, context.show, context.seed)
    let values = show.values(in: seed)
    let source = PanelTrouble.Source(lens: context.lens, hardware: .gpio, number: context.source)
    let safe = zip(devices, context.outputs).map { device, output in
      device.model(of: rules.panel.safe[output], in: values)
    }
    let shown = show.models(of: context.outputs, seed: seed) { number, appearance, values in
      devices[number].model(of: appearance, in: values)
    }
    let reports = OutputEventRouter(of: context)
    return LensBundle(
      lenses: AnyLensGroup {
        // A closure at this place is called directly.
        LensList(
          each: devices.enumerated().map { $1.device(in: context, at: $0) }, name: source.lens,
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
      journal: LensEventFormatter(
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
    showing appearance: OutputAppearance, in values: PanelValues, on chip: any GPIOChip
  ) -> [String] {
    var device = device(on: chip)
    device.render(model(of: appearance, in: values), at: .zero)
    return device.lines.compactMap { line in
      guard case .output(let value, _, _) = line.direction, value.isActive != line.isActiveLow else { return nil }
      return line.name.description
    }
  }

  public func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError) {
    try hardware.show(model(of: safe, in: values), by: LineDriver(device(on: hardware.chip)))
  }
}
