import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers

/// What a rig shows and has seen: a frame that keeps every event as text.
struct RigFrame<Model: Equatable & Sendable>: Equatable, Sendable {
  var model: Model
  var events: [String] = []
}

/// One driver on a simulated chip, with everything that happened to it as text: `pressed@5` is an event at 5 ms.
final class Rig<D: Driver> {
  let bench: Bench
  let chip: SimulatedChip
  let cycle: any Steppable
  /// Is called with the events so far at each new frame.
  var onEvents: ([String]) -> Void = { _ in }
  private let remote = Remote<D.Model>()
  private let frame: () -> RigFrame<D.Model>

  init(
    _ generation: SimulatedChip.Generation = .second, seed: UInt64 = 0, showing model: D.Model, safe: D.Model? = nil,
    prepare: (Bench, SimulatedChip) -> Void = { _, _ in }, driver: (SimulatedChip) -> D
  ) {
    let bench = Bench(seed: seed)
    let chip = SimulatedChip(bench, generation: generation)
    prepare(bench, chip)
    self.bench = bench
    self.chip = chip
    let remote = remote
    let cycle = Cycle(seed: RigFrame(model: model)) {
      Lens(
        remote,
        on: { frame, event, _, _ in
          if case .show(let model) = event { frame.model = model }
        })
      Lens(
        driver(chip), show: { $0.model },
        on: { frame, event, _, moment in frame.events.append("\(Self.brief(event))@\(Self.milliseconds(moment))") },
        safe: safe)
    }
    self.cycle = cycle
    frame = { cycle.frame }
    cycle.observe { [weak self] frame, _ in self?.onEvents(frame.events) }
  }

  func run() throws { try bench.run(cycle) }

  /// The events so far.
  var events: [String] { frame().events }

  func show(_ model: D.Model) throws {
    remote.show(model)
    try bench.settle()
  }

  func advance(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

  /// Stops the application. Every test ends so: nothing may be held then.
  func stop(_ place: SourceLocation = #_sourceLocation) {
    bench.stop()
    #expect(chip.heldLines == 0, sourceLocation: place)
    #expect(cycle.nextAlarm == nil, "no alarm outlives its driver", sourceLocation: place)
  }

  /// The levels of a line, a character a millisecond unless told otherwise.
  func wave(_ name: LineName, from: Int = 0, steps: Int, step: Duration = .milliseconds(1)) -> String {
    Waveform(of: chip.line(name), from: .zero + .milliseconds(from), steps: steps, step: step).text
  }

  private static func brief(_ event: D.Event) -> String {
    switch D.event(for: .restored).map({ "\($0)" }) == "\(event)" {
    case true: return "restored"
    case false: break
    }
    let text = "\(event)"
    guard text.contains("trouble(") else { return text }
    for kind in ["lost", "failed", "eventsLost"] where text.contains(".\(kind)(") { return kind }
    return text
  }

  static func milliseconds(_ moment: Moment) -> String {
    let whole = moment.nanoseconds / 1_000_000
    let rest = moment.nanoseconds % 1_000_000
    return rest == 0 ? "\(whole)" : "\(whole)+\(rest)ns"
  }
}

extension Rig where D.Model == NoModel {
  convenience init(
    _ generation: SimulatedChip.Generation = .second, seed: UInt64 = 0,
    prepare: (Bench, SimulatedChip) -> Void = { _, _ in }, driver: (SimulatedChip) -> D
  ) {
    self.init(generation, seed: seed, showing: NoModel(), prepare: prepare, driver: driver)
  }
}

/// Both generations of the kernel's interface.
let generations: [SimulatedChip.Generation] = [.first, .second]
