import CycleCore
import HardwareDrivers

/// One driver on a bench: a test passes models in, and reads events and troubles.
///
///     let bench = Bench()
///     let chip = SimulatedChip(bench)
///     let lamp = DriverBench(LED(chip, line: "GPIO23"), showing: .off, on: bench)
///     try lamp.start()
///     try lamp.show(.on)
///     #expect(chip.line("GPIO23").level == .high)
///     lamp.stop()
///
/// The application that runs the driver makes a new frame for each event and each trouble.
public final class DriverBench<D: Driver & ~Copyable> {
  /// An event that the driver emitted, or a trouble that it reported.
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
    var found: [(moment: Moment, event: D.Event)] = []
    var onEntry: (Entry) -> Void = { _ in }

    func add(_ entry: Entry, at moment: Moment) {
      entries.append((moment, entry))
      onEntry(entry)
    }
  }

  /// - Parameters:
  ///   - model: the first model.
  ///   - safe: the model that is rendered by ``stop()``; the driver's own safe model unless given.
  ///   - isRequired: whether ``start()`` throws if the hardware is not available.
  ///   - name: the driver's name in messages; its type unless given.
  ///   - companions: drivers that run beside it, and are started before it.
  ///   - driver: the driver to be tested.
  ///   - bench: the bench.
  public init(
    _ driver: @autoclosure () -> D, showing model: D.Model, beside companions: [CompanionDriver] = [], on bench: Bench,
    safe: D.Model? = nil, isRequired: Bool = false, name: String? = nil
  ) {
    let source = ModelSource<D.Model>()
    let journal = Journal()
    cycle = Cycle(seed: Frame(model: model)) {
      Lens(source, on: { frame, model in frame.model = model })
      LensGroups(companions.map { $0.makeLenses() })
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
        safe: safe, isRequired: isRequired
      ).onFound { frame, event, past in
        journal.found.append((past.moment, event))
        frame.entryCount += 1
      }
    }
    self.bench = bench
    self.source = source
    self.journal = journal
  }

  /// Starts the driver and handles everything that is due now.
  public func start() throws(DriverError) { try bench.run(cycle) }

  /// Renders a model with the driver and handles everything that is due now.
  public func show(_ model: D.Model) throws(DriverError) {
    source.show(model)
    try bench.settle()
  }

  /// Shows the safe model and stops the driver.
  public func stop() { bench.stop() }

  /// Called with each new entry, so that a test can react to it immediately.
  public var onEntry: (Entry) -> Void {
    get { journal.onEntry }
    set { journal.onEntry = newValue }
  }

  /// All events and troubles so far, in the order of reducing. The moment of an event is when it happened, the moment
  /// of a trouble is when it was reduced.
  public var entries: [(moment: Moment, entry: Entry)] { journal.entries }

  /// The events so far, with their moments.
  public var events: [(moment: Moment, event: D.Event)] {
    journal.entries.compactMap { if case .event(let event) = $0.entry { ($0.moment, event) } else { nil } }
  }

  /// The states in which the hardware was found so far, each as the event that leads to it, with their moments.
  public var found: [(moment: Moment, event: D.Event)] { journal.found }

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
  /// Runs a device on lines.
  public convenience init<Device: LineDevice>(
    _ device: Device, showing model: Device.Model, beside companions: [CompanionDriver] = [], on bench: Bench,
    safe: Device.Model? = nil, isRequired: Bool = false
  ) where D == LineDriver<Device> {
    self.init(
      LineDriver(device), showing: model, beside: companions, on: bench, safe: safe, isRequired: isRequired)
  }

  /// Runs a device on lines that has no model.
  public convenience init<Device: LineDevice>(
    _ device: Device, beside companions: [CompanionDriver] = [], on bench: Bench, isRequired: Bool = false
  ) where D == LineDriver<Device>, Device.Model == NoModel {
    self.init(LineDriver(device), showing: NoModel(), beside: companions, on: bench, isRequired: isRequired)
  }
}

/// Emits the models that a test passes to ``show(_:)`` as events, with the moment of that call; a cycle that is late
/// renders them later.
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
