import CycleCore
import HardwareDrivers

/// A push-button with a lamp in its cap: one device made of two.
///
/// **Wiring.** That of ``HardwareDrivers/Button`` and of ``HardwareDrivers/LED``.
///
///     Lens(LampButton(chip, button: "GPIO17", lamp: "GPIO23"), show: { $0.isArmed ? .pulse(.seconds(2)) : .off },
///       on: { frame, event in if event == .clicked { frame.isArmed.toggle() } })
public struct LampButton: LineDevice, EdgeReceiver, FoundDevice, AlarmReceiver {
  public typealias Model = LED.Model
  public typealias Event = Button.Event

  private var button: Button
  private var lamp: LED

  public init(_ chip: any GPIOChip, button: LineName, lamp: LineName) {
    self.button = Button(chip, line: button)
    self.lamp = LED(chip, line: lamp)
  }

  public var chip: any GPIOChip { button.chip }
  public var safeModel: LED.Model { .off }
  /// The button's line is line 0 of this device, as it is of the button; the lamp's is line 1.
  public var lines: [LineConfiguration] { button.lines + lamp.lines }

  /// The lamp has a model, so the device starts with the outputs: its button is found shortly after the first frame.
  public var isKnown: Bool { button.isKnown }

  public mutating func endStart() { button.endStart() }

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    button.begin(values, isDebounced: isDebounced, at: moment, emit: emit)
  }

  public mutating func receive(_ edge: LineEdge, emit: Emit) { button.receive(edge, emit: emit) }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    button.loseEdges(count, at: moment, emit: emit)
  }

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    button.correct(values, at: moment, emit: emit)
  }

  public mutating func loseLines() { button.loseLines() }

  public func refusal(of event: Event) -> String? { button.refusal(of: event) }

  public mutating func render(_ model: LED.Model, at moment: Moment) { lamp.render(model, at: moment) }

  public var outputs: LineValues { lamp.outputs.shifted(by: 1) }

  public var alarm: Moment? {
    [button.alarm, lamp.alarm].compactMap(\.self).min()
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    if let alarm = button.alarm, alarm <= moment { button.ring(at: moment, emit: emit) }
    if let alarm = lamp.alarm, alarm <= moment { lamp.ring(at: moment, emit: { _, _ in }) }
  }
}
