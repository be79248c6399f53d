import CycleCore
import HardwareDrivers

/// One driver on a bench: models in, events and troubles out.
///
///     let bench = Bench()
///     let chip = SimulatedChip(bench)
///     let lamp = DriverBench(LED(chip, line: "GPIO23"), showing: .off, on: bench)
///     try lamp.start()
///     try lamp.show(.on)
///     #expect(chip.line("GPIO23").level == .high)
///     lamp.stop()
///
/// The application behind it is one that keeps all it hears in its frame: each event and each trouble makes a new frame.
public final class DriverBench<D: Driver & ~Copyable> {
  /// What the driver told.
  public enum Entry {
    case event(D.Event)
    case trouble(Trouble)
  }

  private struct Frame: Equatable {
    var model: D.Model
    var entryCount = 0
  }

  public let bench: Bench
  public let cycle: any Application
  private let source: ModelSource<D.Model>
  private let journal: Journal

  private final class Journal {
    var entries: [(moment: Moment, entry: Entry)] = []
    var onEntry: (Entry) -> Void = { _ in }

    func add(_ entry: Entry, at moment: Moment) {
      entries.append((moment, entry))
      onEntry(entry)
    }
  }

  /// - Parameters:
  ///   - model: what the driver shows at first.
  ///   - safe: what it shows at the end; its own safe model unless given.
  ///   - isRequired: whether a start without the hardware fails.
  ///   - name: what messages call the driver; its type unless given.
  public init(
    _ driver: @autoclosure () -> D, showing model: D.Model, on bench: Bench, safe: D.Model? = nil,
    isRequired: Bool = false, name: String? = nil
  ) {
    let source = ModelSource<D.Model>()
    let journal = Journal()
    cycle = Cycle(seed: Frame(model: model)) {
      Lens(source, on: { frame, model in frame.model = model })
      Lens(
        driver(), name: name, show: { $0.model },
        on: { frame, event, past in
          journal.add(.event(event), at: past.moment)
          frame.entryCount += 1
        },
        trouble: { frame, trouble in
          journal.add(.trouble(trouble), at: bench.now)
          frame.entryCount += 1
        },
        safe: safe, isRequired: isRequired)
    }
    self.bench = bench
    self.source = source
    self.journal = journal
  }

  /// Starts the driver and lets it come to rest.
  public func start() throws(DriverError) { try bench.run(cycle) }

  /// Shows a model and lets the driver come to rest.
  public func show(_ model: D.Model) throws(DriverError) {
    source.show(model)
    try bench.settle()
  }

  /// Shows the safe model and stops the driver.
  public func stop() { bench.stop() }

  /// Is called with each entry as it comes: for a world that answers.
  public var onEntry: (Entry) -> Void {
    get { journal.onEntry }
    set { journal.onEntry = newValue }
  }

  /// All that the driver told so far, in its order. Events have their own moments, troubles that at which they were told.
  public var entries: [(moment: Moment, entry: Entry)] { journal.entries }

  /// The events so far, with their moments.
  public var events: [(moment: Moment, event: D.Event)] {
    journal.entries.compactMap { if case .event(let event) = $0.entry { ($0.moment, event) } else { nil } }
  }

  /// The troubles so far.
  public var troubles: [Trouble] {
    journal.entries.compactMap { if case .trouble(let trouble) = $0.entry { trouble } else { nil } }
  }
}

extension DriverBench where D: ~Copyable, D.Model == NoModel {
  public convenience init(_ driver: @autoclosure () -> D, on bench: Bench, isRequired: Bool = false) {
    self.init(driver(), showing: NoModel(), on: bench, isRequired: isRequired)
  }
}

extension DriverBench {
  /// A device on lines as a driver on a bench.
  public convenience init<Device: LineDevice>(
    _ device: Device, showing model: Device.Model, on bench: Bench, safe: Device.Model? = nil, isRequired: Bool = false
  ) where D == LineDriver<Device> {
    self.init(LineDriver(device), showing: model, on: bench, safe: safe, isRequired: isRequired)
  }

  /// A device on lines that only listens.
  public convenience init<Device: LineDevice>(_ device: Device, on bench: Bench, isRequired: Bool = false)
  where D == LineDriver<Device>, Device.Model == NoModel {
    self.init(LineDriver(device), showing: NoModel(), on: bench, isRequired: isRequired)
  }
}

/// Emits the models that a test wants shown, at the moments when it wanted that: a cycle that is late shows them later.
final class ModelSource<Model: Equatable & Sendable>: Driver {
  private var context: DriverContext<Model>?
  private var next: [(model: Model, moment: Moment)] = []

  func start(showing model: NoModel, in context: DriverContext<Model>) throws(DriverError) {
    self.context = context
  }

  func show(_ model: Model) {
    guard let context else { return }
    next.append((model, context.clock))
    context.watcher.makeWaker().wake()
  }

  func wake(_ wake: Wake) throws(DriverError) {
    for (model, moment) in next { context?.emit(model, at: moment) }
    next = []
  }

  func stop() {
    context = nil
  }
}
