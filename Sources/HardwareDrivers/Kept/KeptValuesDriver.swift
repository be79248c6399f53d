import CycleCore

/// Numbers that survive a restart and a power cut: the model is the current numbers, and the driver saves them in a
/// file.
///
/// **Wiring.** A folder on a writable disk that only this application uses.
///
/// **Timing.** Saved 1 s after the last change, at the latest ``Value/within`` after the first unsaved change, at most
/// once in that time, and at the stop. Nothing is written while nothing changes. A thread uses the disk, which may be
/// slow: a newer set replaces one that waits. A disk that is full or read-only is reported as trouble and retried after
/// 1 s, 2 s … 60 s. A number whose `within` is zero is saved while it is rendered. That waits for the disk for 0.2 s at
/// most, 20 times a minute at most. If a value must be saved before it is shown, put the lens before those that show
/// it.
///
/// **Source.** `rename(2)`, `fsync(2)`: a name changes as a whole, and a file is safe when both it and its folder are.
///
///     var kept = KeptStart(reading: folder)
///     let rings = kept.number(of: "rings", in: 0...999, initial: 0)
///     Lens(KeptValuesDriver(in: folder, from: kept), show: { [.init("rings", $0.rings)] }, on: { _, _ in })
public struct KeptValuesDriver<Folder: KeptFolder>: Driver {
  /// A number that is kept.
  public struct Value: Equatable, Sendable, Codable {
    /// Its name in the file, without spaces.
    public var name: String
    public var number: Int
    /// The longest time for which a change may be unsaved; default: 10 s. A power cut loses the changes of this time,
    /// and a number that always changes wears the disk with one save in each such time. Zero saves each change
    /// immediately, 20 times a minute at most; between zero and 1 s it counts as 1 s.
    public var within: Duration

    /// - Parameters:
    ///   - name: its name in the file, not empty and without spaces; saving traps for any other name.
    ///   - number: the current number.
    ///   - within: the longest time for which a change may be unsaved: zero, or 1 s or longer.
    public init(_ name: String, _ number: Int, within: Duration = .seconds(10)) {
      self.name = name
      self.number = number
      self.within = within
    }
  }

  /// The current numbers.
  public typealias Model = [Value]

  /// An event of the file.
  public enum Event: Equatable, Sendable, Codable {
    /// The numbers of the last save are safe on the disk.
    ///
    /// - Parameter byteCount: the length of the file in bytes.
    case saved(byteCount: Int)
  }

  /// The longest time for which a render waits for the disk.
  static var longestWait: Duration { .milliseconds(200) }

  private let folder: Folder
  private var isCurrentWhole: Bool
  private var warning: DriverError?
  private var numbers: [String: Int]
  /// The numbers that were last passed to the disk.
  private var handed: [String: Int]
  private let given: [String: Int]
  private let isUnsaved: Bool
  private var shown: Model = []
  private var schedule = KeptSchedule()
  private var serial = 0
  private var saved = 0
  private var reporter = TroubleReporter()
  private var context: DriverContext<Event>!
  private var worker: Worker<KeptSaver<Folder>>!

  /// Doesn't open the folder.
  ///
  /// - Parameters:
  ///   - folder: used only by the driver from its start on.
  ///   - start: the values that were read from the folder. Its first warning is reported as trouble, which the next
  ///     save restores. Its numbers with names that the model doesn't have are saved again.
  public init(in folder: Folder, from start: KeptStart) {
    self.folder = folder
    isCurrentWhole = start.isCurrentWhole
    warning = start.warnings.first
    numbers = start.numbers
    handed = start.isUnsaved ? [:] : start.numbers
    given = start.given
    isUnsaved = start.isUnsaved
  }

  /// No numbers: those that were shown before stay as they were saved.
  public var safeModel: Model { [] }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    shown = model
    // The file contains all numbers, so that they are consistent.
    for value in model where numbers[value.name] == nil {
      numbers[value.name] = given[value.name] ?? value.number
      handed[value.name] = numbers[value.name]
    }
    if isUnsaved { schedule.change(at: context.now, within: KeptSchedule.rest) }
    // The first frame may have other numbers than those with which it was created.
    for value in model { if let given = given[value.name], given != value.number { change(value) } }
    worker = try Worker(
      KeptSaver(folder, isCurrentWhole: isCurrentWhole), for: "the folder \(folder.name)", onThread: folder.needsThread,
      in: context)
    note(warning)
    saveIfDue()
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    // The safe model is empty: a number that leaves the model keeps its last value.
    for value in model where shown.first(where: { $0.name == value.name })?.number != value.number {
      change(value)
    }
    if !model.isEmpty { shown = model }
    saveIfDue(waits: true)
  }

  private mutating func change(_ value: Value) {
    numbers[value.name] = value.number
    if value.within <= .zero {
      schedule.changeUrgently(at: context.now)
    } else {
      schedule.change(at: context.now, within: max(value.within, KeptSchedule.rest))
    }
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { _, _ in }
    let state = worker.state
    if state.saved != saved {
      saved = state.saved
      schedule.end(at: context.now)
      context.emit(.saved(byteCount: state.byteCount))
      warning = nil
    }
    note(state.error ?? warning)
    saveIfDue()
  }

  /// Passes the numbers to the disk if a save is due. While another save runs, nothing is passed: its end wakes the
  /// driver.
  ///
  /// - Parameter waits: whether an urgent save is waited for.
  private mutating func saveIfDue(waits: Bool = false) {
    let due = schedule.due
    context.setAlarm(due.flatMap { $0 > context.now ? $0 : nil })
    if let due, due <= context.now, worker.state.received == serial {
      handOver(waits: waits && schedule.urgent != nil)
    }
  }

  private mutating func handOver(waits: Bool = false) {
    guard numbers != handed || reporter.reported != nil else { return schedule.skip() }
    let outcome = waits ? Latch() : nil
    // There is room: no other set waits.
    guard (try? worker.send(.init(serial: serial + 1, numbers: numbers, outcome: outcome))) != nil else { return }
    serial += 1
    handed = numbers
    schedule.save(at: context.now)
    guard let outcome else { return }
    worker.stepNow()
    // A slower disk saves, too, while the panel continues.
    if folder.needsThread { _ = outcome.wait(for: Self.longestWait) }
  }

  private mutating func note(_ error: DriverError?) {
    // A method as a value would be allocated at each call.
    let context: DriverContext<Event> = context
    reporter.note(error.map(Trouble.failed)) { context.report($0) }
  }

  public func refusal(of event: Event) -> String? {
    switch event {
    case .saved(let count): UntrustedNumber.counts.contains(count) ? nil : "a file can't have \(count) bytes"
    }
  }

  public mutating func stop() {
    guard let worker else { return }
    // A disk that hangs has at most one waiting set, so there is room for the last one.
    if schedule.due != nil { handOver() }
    context.setAlarm(nil)
    worker.stop()
  }
}
