import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// One driver on a simulated chip, with everything that happened to it as text: `pressed@5` is an event 5 ms after the
/// first frame, `lost` a trouble.
final class Rig<D: Driver> {
  let bench: Bench
  let chip: SimulatedChip
  let trial: DriverBench<D>
  var cycle: any Application { trial.cycle }
  /// The moment of the first frame.
  private(set) var origin = Moment.zero

  init(
    _ generation: SimulatedChip.Generation = .second, seed: UInt64 = 0, showing model: D.Model, safe: D.Model? = nil,
    isRequired: Bool = true, prepare: (Bench, SimulatedChip) -> Void = { _, _ in }, driver: (SimulatedChip) -> D
  ) {
    bench = Bench(seed: seed)
    chip = SimulatedChip(bench, generation: generation)
    prepare(bench, chip)
    trial = DriverBench(driver(chip), showing: model, on: bench, safe: safe, isRequired: isRequired)
  }

  func run() throws {
    try trial.start()
    origin = bench.now
  }

  /// The events and troubles so far.
  var events: [String] {
    trial.entries.map { moment, entry in
      switch entry {
      case .event(let event): "\(event)@\(milliseconds(moment))"
      case .trouble(let trouble): "\(Self.brief(trouble))@\(milliseconds(moment))"
      }
    }
  }

  func show(_ model: D.Model) throws { try trial.show(model) }

  func advance(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

  /// Stops the application. Every test ends so: nothing may be held then.
  func stop(_ place: SourceLocation = #_sourceLocation) {
    trial.stop()
    #expect(chip.heldLines == 0, sourceLocation: place)
    #expect(cycle.nextAlarm == nil, "no alarm outlives its driver", sourceLocation: place)
  }

  /// The levels of a line, a character a millisecond unless told otherwise.
  func wave(_ name: LineName, from: Int = 0, steps: Int, step: Duration = .milliseconds(1)) -> String {
    Waveform(of: chip.line(name), from: origin + .milliseconds(from), steps: steps, step: step).text
  }

  private static func brief(_ trouble: Trouble) -> String {
    switch trouble {
    case .lost: "lost"
    case .failed: "failed"
    case .restored: "restored"
    case .eventsLost: "eventsLost"
    }
  }

  func milliseconds(_ moment: Moment) -> String {
    let span = moment.nanoseconds - origin.nanoseconds
    let (whole, rest) = (span / 1_000_000, span % 1_000_000)
    return rest == 0 ? "\(whole)" : "\(whole)+\(rest)ns"
  }
}

extension Rig where D.Model == NoModel {
  convenience init(
    _ generation: SimulatedChip.Generation = .second, seed: UInt64 = 0, isRequired: Bool = true,
    prepare: (Bench, SimulatedChip) -> Void = { _, _ in }, driver: (SimulatedChip) -> D
  ) {
    self.init(
      generation, seed: seed, showing: NoModel(), isRequired: isRequired, prepare: prepare, driver: driver)
  }
}

extension Rig {
  /// A device on lines as a driver.
  convenience init<Device: LineDevice>(
    _ generation: SimulatedChip.Generation = .second, seed: UInt64 = 0, showing model: Device.Model,
    safe: Device.Model? = nil, isRequired: Bool = true, prepare: (Bench, SimulatedChip) -> Void = { _, _ in },
    driver device: (SimulatedChip) -> Device
  ) where D == LineDriver<Device> {
    self.init(
      generation, seed: seed, showing: model, safe: safe, isRequired: isRequired, prepare: prepare,
      driver: { LineDriver(device($0)) })
  }

  convenience init<Device: LineDevice>(
    _ generation: SimulatedChip.Generation = .second, seed: UInt64 = 0, isRequired: Bool = true,
    prepare: (Bench, SimulatedChip) -> Void = { _, _ in }, driver device: (SimulatedChip) -> Device
  ) where D == LineDriver<Device>, Device.Model == NoModel {
    self.init(
      generation, seed: seed, showing: NoModel(), isRequired: isRequired, prepare: prepare,
      driver: { LineDriver(device($0)) })
  }
}

extension Sequence<String> {
  /// The texts without their moments: `pressed` for `pressed@5`.
  var withoutMoments: [String] { map { text in String(text.prefix { $0 != "@" }) } }
}

extension Sequence<Int16> {
  /// The differences between samples and the ones before them.
  var steps: [Int] {
    var steps: [Int] = []
    var previous: Int16?
    for sample in self {
      if let previous { steps.append(Int(sample) - Int(previous)) }
      previous = sample
    }
    return steps
  }
}
