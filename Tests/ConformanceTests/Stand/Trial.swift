import CycleCore
import HardwareDrivers
import TestSupport

/// What a trial shows and has seen.
struct TrialFrame<D: Driver>: Equatable, Sendable {
  var model: D.Model
  var rawEvents: [D.Event] = []
  var events: [String] = []
  var moments: [Moment] = []

  /// Each event adds a word to the others.
  static func == (left: Self, right: Self) -> Bool { left.model == right.model && left.events == right.events }
}

/// One driver at work in a cycle of its own.
final class Trial<D: Driver> {
  private let bench: Bench
  private let remote = Remote<D.Model>()
  private let cycle: any Steppable
  private let frame: () -> TrialFrame<D>

  /// Starts the driver.
  init(_ driver: D, showing model: D.Model, on bench: Bench) throws(DriverError) {
    self.bench = bench
    let remote = remote
    let cycle = Cycle(seed: TrialFrame<D>(model: model)) {
      Lens(remote, on: { frame, event, _, _ in if case .show(let model) = event { frame.model = model } })
      Lens(
        driver, show: { $0.model },
        on: { frame, event, _, moment in
          frame.rawEvents.append(event)
          frame.events.append(Self.word(event))
          frame.moments.append(moment)
        })
    }
    self.cycle = cycle
    frame = { cycle.frame }
    try bench.run(cycle)
  }

  /// The events so far, trouble by its kind alone.
  var events: [String] { frame().events }
  var rawEvents: [D.Event] { frame().rawEvents }
  var moments: [Moment] { frame().moments }

  func show(_ model: D.Model) throws(DriverError) {
    remote.show(model)
    try bench.settle()
  }

  private static func word(_ event: D.Event) -> String {
    let text = "\(event)"
    guard let place = text.firstRange(of: "trouble(") else { return text }
    let kinds = ["lost", "restored", "failed", "eventsLost"]
    return kinds.first { text[place.upperBound...].contains(".\($0)") } ?? text
  }
}

extension Trial where D.Model == NoModel {
  convenience init(_ driver: D, on bench: Bench) throws(DriverError) {
    try self.init(driver, showing: NoModel(), on: bench)
  }
}

extension Trial {
  /// Of devices that only listen.
  convenience init<Element: LineDriver>(_ devices: Each<Element>, on bench: Bench) throws(DriverError)
  where D == Each<Element>, Element.Model == NoModel {
    try self.init(devices, showing: devices.safeModel, on: bench)
  }
}
