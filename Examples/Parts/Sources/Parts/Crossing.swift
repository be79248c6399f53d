import CycleCore
import HardwareDrivers

/// A level crossing: two lamps on one chip, a barrier with its end switch on another, as one driver.
///
/// **Wiring.** Those of ``HardwareDrivers/LED``, ``HardwareDrivers/Relay`` and ``HardwareDrivers/Switch``.
///
/// **Timing.** The lamps blink in turn, half a second each. The barrier's motor runs for as long as the crossing is to
/// be closed.
///
///     Lens(Crossing(lamps: (chip, "GPIO23", "GPIO24"), barrier: (expander, motor: "P0", end: "P1")),
///       show: { $0.hasTrain ? .closed : .open },
///       on: { frame, event in if event == .barrier(.on) { frame.isSafe = true } })
public struct Crossing: Driver {
  public enum Model: Equatable, Sendable {
    case open
    case closed
  }

  public enum Event: Equatable, Sendable {
    /// The barrier's end switch; on when the barrier is down.
    case barrier(Switch.Event)
  }

  private static let blinking = Duration.milliseconds(500)

  private let leds: [LED]
  private let motor: Relay
  private let end: Switch
  private var context: DriverContext<Event>!
  // A group for each kind of device; each has a request of its own.
  private var lamps: LineDeviceRunner<LED, Event>!
  private var barrier: LineDeviceRunner<Relay, Event>!
  private var switches: LineDeviceRunner<Switch, Event>!

  public init(
    lamps: (chip: any GPIOChip, left: LineName, right: LineName),
    barrier: (chip: any GPIOChip, motor: LineName, end: LineName)
  ) {
    leds = [LED(lamps.chip, line: lamps.left), LED(lamps.chip, line: lamps.right)]
    motor = Relay(barrier.chip, line: barrier.motor)
    end = Switch(barrier.chip, line: barrier.end)
  }

  public var safeModel: Model { .open }

  private func lampModels(_ model: Model) -> [LED.Model] {
    switch model {
    case .open: [.off, .off]
    case .closed: [.blink(Self.blinking), .on]
    }
  }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    lamps = LineDeviceRunner(leds, in: context)
    barrier = LineDeviceRunner([motor], in: context)
    switches = LineDeviceRunner([end], in: context, event: { .barrier($1) })
    do throws(DriverError) {
      try lamps.start(showing: lampModels(model))
      try barrier.start(showing: [model == .closed ? .on : .off])
      try switches.start(showing: [NoModel()])
    } catch {
      stop()
      throw error
    }
    setAlarm()
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    defer { setAlarm() }
    barrier.render(model == .closed ? .on : .off, at: 0)
    try barrier.write()
    for (place, model) in lampModels(model).enumerated() { lamps.render(model, at: place) }
    try lamps.write()
  }

  /// Every group gets every wake; a group for which it wasn't meant finds no edges and no alarm that is due.
  public mutating func wake(_ wake: Wake) throws(DriverError) {
    defer { setAlarm() }
    try switches.wake(wake)
    try barrier.wake(wake)
    try lamps.wake(wake)
  }

  /// A driver has one alarm: the earliest of its groups.
  private func setAlarm() {
    context.setAlarm([lamps.alarm, barrier.alarm, switches.alarm].compactMap(\.self).min())
  }

  public mutating func stop() {
    lamps?.stop()
    barrier?.stop()
    switches?.stop()
    context?.setAlarm(nil)
  }
}
