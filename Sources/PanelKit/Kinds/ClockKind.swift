import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// A number of the clock: the time of day, the day of the week, and so on. No file declares it.
package struct ClockKind: DrivenInputKind, ClockInputKind {
  package static let grammar = FieldSet(
    name: "the clock", summary: "time of day", sample: "",
    keys: [Key(name: "clock", takes: "nothing, because no file has it", shape: .text)])
  package static let plural = "clock"
  package static let control = InputControl.events
  package static var isTouched: Bool { false }
  package static var ports: [any Port.Type] { [ClockPort.self] }

  package let part: ClockDefinition.Part
  package var alarms: [ClockDefinition.Alarm] = []
  private let port: ClockPort

  package init(_ part: ClockDefinition.Part, _ port: ClockPort) { (self.part, self.port) = (part, port) }
  package init?(reading fields: DeviceFields) { nil }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] { part == .time ? [DeviceHardware(port)] : [] }
  package var events: [String] { ["changed"] + alarms.map(\.word) }
  package func carriesNumber(event: Int) -> Bool { event == 0 }
  package var scale: SensorNumberRange? {
    var scale = SensorNumberRange(range: part.range, decimals: 0)
    scale.isTime = part.isTime
    return scale
  }
  package func wiring(named name: String) -> WiringPlan.Device? { nil }
}

// MARK: - The driver

extension ClockKind {
  /// The lens of all numbers of the clock.
  package static func lenses(of parts: [ClockKind], in context: InputLensContext) -> LensBundle {
    let rules = context.rules
    let source = PanelTrouble.Source(lens: context.lens, hardware: nil, number: context.source)
    let driver = ClockDriver(context.platform.hardware(at: parts[0].port), place: rules.panel.clock?.place)
    return LensBundle(
      lenses: AnyLensGroup {
        Lens(
          driver, name: context.lens, show: { rules.wantedTimes(in: $0) },
          on: { frame, event, past in rules.follow(event, at: past.moment, in: &frame) }
        ).onFound { frame, event, past in
          rules.follow(event, at: past.moment, in: &frame)
        }.onTrouble { frame, trouble, past in
          rules.note(trouble, of: source, at: past.moment, in: &frame)
        }
      },
      journal: LensEventFormatter(
        source: source,
        text: { event in
          switch event as? ClockDriver.Event {
          case .known(let reading): "clock is \(reading)"
          case .unknown: "clock is unknown"
          case .jumped(let reading): "clock is set to \(reading)"
          case .reached(let reading): "clock is \(reading)"
          case nil: nil
          }
        }))
  }
}

// MARK: - The simulation

extension ClockKind {
  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    guard let clock = platform.simulated(at: port) else { return .none }
    return .events(SimulatedClockEvents(clock, part, alarms))
  }
}

/// Sets a simulated clock so that one of its numbers, or one of the alarms, occurs.
private final class SimulatedClockEvents: SimulatedEvents {
  private let clock: SimulatedClock
  private let part: ClockDefinition.Part
  private let alarms: [ClockDefinition.Alarm]

  init(_ clock: SimulatedClock, _ part: ClockDefinition.Part, _ alarms: [ClockDefinition.Alarm]) {
    (self.clock, self.part, self.alarms) = (clock, part, alarms)
  }

  func emit(_ event: Int, number: Double?) throws(DriverError) {
    let reading = clock.reading
    if let number {
      set(to: Int(number), from: reading)
      return clock.plug()
    }
    guard alarms.indices.contains(event - ClockDefinition.firstAlarm) else { return }
    let alarm = alarms[event - ClockDefinition.firstAlarm]
    guard case .fixed(let minutes) = alarm.time else { return }
    let time = TimeOfDay(secondsSinceMidnight: minutes * 60)
    var date = reading.date
    if time <= reading.timeOfDay { date.day += 1 }
    while !alarm.isOn(date.weekday) { date.day += 1 }
    if !clock.isKnown || !clock.isPlugged {
      // A time that becomes known is not an event.
      clock.set(date, time)
      clock.jump(by: .seconds(-1))
      clock.plug()
      try clock.bench.settle()
    }
    clock.set(date, time)
  }

  /// Sets the clock to the next date or time with this number.
  private func set(to number: Int, from reading: ClockReading) {
    var (date, time) = (reading.date, reading.timeOfDay)
    switch part {
    case .time:
      time = TimeOfDay(secondsSinceMidnight: number * 60)
      if time < reading.timeOfDay { date.day += 1 }
    case .weekday: while date.weekday != number { date.day += 1 }
    case .day: while date.parts.day != number { date.day += 1 }
    case .month: while date.parts.month != number { date.day += 1 }
    // The sun can't be set.
    case .sunrise, .sunset: return
    }
    clock.set(date, time)
  }
}
