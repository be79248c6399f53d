import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

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

  public static func lenses(of devices: [Self], in context: InputLensContext) -> LensBundle {
    let (rules, inputs, positions) = (context.rules, context.inputs, context.positions)
    let source = PanelTrouble.Source(lens: context.lens, hardware: .gpio, number: context.source)
    let (events, names) = (devices.map { InputEvents(of: $0) }, context.names)
    return LensBundle(
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
      journal: LensEventFormatter(
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
