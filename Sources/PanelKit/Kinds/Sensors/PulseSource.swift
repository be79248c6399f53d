import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring

/// `{ pulses: GPIO24, per: 7.5, unit: l/min }`: the pulses per second on a line, or their number.
package struct PulseSource: SensorSource {
  package static let grammar = FieldSet(
    name: "a pulse counter",
    summary: "pulses per second at a line, or their number: a flow meter, an anemometer, a fan's tachometer",
    sample: "{ pulses: GPIO24, per: 7.5 }",
    keys: [
      Key(name: "pulses", takes: "a line: GPIO24", shape: .line, meaning: "line of the pulses"),
      Key(
        name: "per", takes: "the pulses of one unit: 7.5", shape: .number(0.000001...1_000_000_000), usual: "`1`",
        meaning:
          "pulses per second that are 1 in the sensor's unit. With `count: true`: pulses that are 1 in that unit"),
      Key(
        name: "count", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "whether the number is the sum of all pulses since the start instead of the rate"),
      Silence.key,
      Key(
        name: "debounce", takes: "a duration: 5ms", shape: .span(.zero ... .seconds(1)), usual: "`0s`",
        meaning: "time for which a level must be stable to count. A reed contact needs it: it bounces"),
      Pull.key,
    ] + NumberConversion.keys)

  let line: String
  private let pull: Pull
  private let debounce: Duration
  private let silence: Duration
  private let isTotal: Bool
  /// The conversion from pulses, or from pulses per second.
  private let conversion: NumberConversion

  package init?(reading fields: DeviceFields) {
    let conversion = NumberConversion(reading: fields)
    pull = fields.choice("pull") ?? .up
    debounce = fields.duration("debounce") ?? .zero
    silence = fields.duration("silent") ?? .seconds(2)
    isTotal = fields.flag("count") ?? false
    let per = fields.number("per") ?? 1
    if isTotal, let silent = fields["silent"] {
      fields.problems.note(silent.node.position, "a sum of pulses has no rate; leave silent out")
    }
    guard let line = fields.line("pulses"), let conversion else { return nil }
    fields.notePullDown(at: line)
    self.line = line
    self.conversion = NumberConversion(
      scale: conversion.scale / per, offset: conversion.offset, unit: conversion.unit)
  }

  /// The most pulses per second that can be counted: both levels of a pulse last for the debounce time.
  private var fastest: Double { min(10_000, debounce > .zero ? 0.5 / (debounce / .seconds(1)) : 10_000) }
  /// The length of the pulses of a simulated counter.
  private var width: Duration { debounce + .milliseconds(1) }

  /// The numbers for all pulses per second that can be counted, or for any number of pulses.
  package var readable: [ClosedRange<Double>] {
    let zero = conversion.apply(to: 0)
    let far = conversion.apply(to: isTotal ? .infinity : fastest)
    return [min(zero, far)...max(zero, far)]
  }

  package var numberAtStart: Double? { conversion.apply(to: 0) }
  package var unit: String { conversion.unit ?? (isTotal ? "" : "Hz") }
  package var lines: [String] { [line] }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "pulse output", direction: .input,
      circuits: [.pulses(line: line, pull: pull)])
  }

  package func lenses(in context: SensorLensContext) -> LensBundle {
    let counter = PulseCounter(
      context.chip, line: LineName(line),
      settings: .init(
        bias: Bias(pull), isActiveLow: pull != .down, debounce: debounce, measure: isTotal ? .total : .rate,
        interval: context.interval, silence: silence))
    return context.lenses(of: LineDriver(counter), showing: NoModel(), isOnChip: true) { event in
      switch event {
      case .rate(let hertz): .reading(conversion.apply(to: hertz))
      case .total(let count): .reading(conversion.apply(to: Double(count)))
      case .edgesLost(let count): .edgesLost(count ?? 1)
      }
    }
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> (any SimulatedSensor)? {
    PulseWorld(
      source: SimulatedPulseSource(
        platform.bench, line: chip.line(LineName(line)), pulse: pull == .down ? .high : .low),
      conversion: conversion, width: width, isTotal: isTotal)
  }

  /// The longest delay. The first report after a change mixes both rates, and follows the first pulse, which comes after
  /// half of a period. The second report follows the next pulse. A period is shorter than `silent`, after which the rate
  /// is 0.
  package func delay(every interval: Duration) -> Duration {
    let spare = Duration.milliseconds(10)
    if isTotal { return interval + debounce * 2 + spare }
    return max(interval, silence / 2) + max(interval, silence) + spare
  }
}

/// The simulated side of a pulse counter whose numbers are converted.
private final class PulseWorld: SimulatedSensor {
  private let source: SimulatedPulseSource
  private let conversion: NumberConversion
  /// The length of a pulse of a sum.
  private let width: Duration
  private let isTotal: Bool
  private var hertz = 0.0
  /// The sum that was sensed last.
  private var sum = 0.0

  init(source: SimulatedPulseSource, conversion: NumberConversion, width: Duration, isTotal: Bool) {
    (self.source, self.conversion, self.width, self.isTotal) = (source, conversion, width, isTotal)
  }

  /// Sends pulses with the rate of the number, or as many as are missing to the number. A sum can't fall.
  func sense(_ number: Double) {
    let pulses = max(0, conversion.invert(number))
    guard isTotal else {
      hertz = pulses
      source.hertz = hertz
      return
    }
    // A lower sum is that of a new meter.
    let missing = pulses.rounded() < sum ? pulses.rounded() : pulses.rounded() - sum
    sum = pulses.rounded()
    if missing > 0 { source.send(Int(min(missing, 1_000_000)), width: width) }
  }

  func plug() { source.hertz = hertz }
  /// Stops the pulses. A counter can't distinguish a cut wire from a part at rest.
  func unplug() { source.hertz = 0 }
  func silence() {}
  /// The counter begins at 0. Later pulses count.
  func restart() { sum = Double(source.pendingPulses) }
}
