import CycleCore
import HardwareDrivers

/// An application under test, which is checked completely: each event must be received, and each new frame asserted.
///
///     try TestStore.run(Tally.makeCycle(on: platform), on: bench) { store in
///       try store.send(Button.Event.pressed, to: "key") { $0 = .init(count: 1, isBeeping: true) }
///       try store.expectModel("lamp", LEDBar.Model(level: 1))
///       try button.release()
///       try store.receive(Button.Event.released, from: "key") { $0.isBeeping = false }
///     }
///
/// The closure after an event changes the frame before the event into the expected one; without a closure the frame
/// must not change. At the end no event must be left over or lost, no driver must wait for an alarm, all drivers must
/// come to rest, and all lines must be released. Deviations are thrown as a ``TestFailure``. The time is that of the
/// bench, which is virtual.
///
/// Events of a lens without an event filter change nothing, and are skipped; troubles are received like events.
public final class TestStore<Frame: Equatable> {
  private let bench: Bench
  private let application: any InspectableApplication
  private let journal: TestStoreQueue<Frame>
  private let memory = RecordingBuffer()
  private let isRecorded: Bool
  private var look = FrameComparison<Frame>()
  private var skippedNames: [String] = []
  private var lensesWithAlarms: Set<String> = []
  /// The first difference, which fails the test even if the body catches it.
  private var difference: TestFailure?

  /// Starts the application, runs the body, and checks the conditions for the end.
  ///
  /// - Parameters:
  ///   - cycle: the application; the recorder of ``recording`` replaces a recorder that it already has.
  ///   - bench: the bench of the application's hardware, in virtual time.
  ///   - file: the test's file, which a difference names.
  ///   - line: the test's line.
  ///   - body: the test. The application is stopped when it returns or throws.
  /// - Throws: ``TestFailure`` for a deviation; `DriverError` if the application can't be started; any error of the
  ///   body.
  public static func run(
    _ cycle: any Application<Frame>, on bench: Bench, file: StaticString = #fileID, line: UInt = #line,
    _ body: (TestStore) throws -> Void
  ) throws {
    precondition(bench.loop.isVirtual, "a test store runs in virtual time: give it a bench without a clock of its own")
    let held = Set(bench.heldLines.map { ObjectIdentifier($0) })
    let store = TestStore(cycle, on: bench)
    let place = "\(file):\(line)"
    defer { store.journal.end() }
    do {
      try bench.run(cycle)
      do {
        try body(store)
        if let difference = store.difference { throw difference }
        try store.checkEnd(at: place)
      } catch {
        bench.stop()
        throw error
      }
      try store.stop(at: place, heldBefore: held)
    } catch {
      store.saveRecording(of: place)
      throw error
    }
  }

  private init(_ cycle: any Application<Frame>, on bench: Bench) {
    guard let application = cycle as? any InspectableApplication else {
      preconditionFailure("a test store runs a Cycle")
    }
    self.bench = bench
    self.application = application
    let recorder = Recorder(app: "\(Frame.self)", by: "TestStore", to: memory)
    recorder.isDispensable = true
    isRecorded = (try? cycle.record(with: recorder)) != nil
    journal = TestStoreQueue(of: cycle) { [unowned application] in application.isHeard($0) }
  }

  // MARK: - Causes

  /// Makes the driver of a lens emit an event now, and asserts the change that it makes.
  ///
  /// - Parameters:
  ///   - event: an event of the lens's driver.
  ///   - lens: the lens's name.
  ///   - file: the test's file, which a difference names.
  ///   - line: the test's line.
  ///   - changes: changes the frame before the event into the expected one; without it the frame must not change.
  public func send<Event: Sendable>(
    _ event: Event, to lens: String, file: StaticString = #fileID, line: UInt = #line,
    _ changes: ((inout Frame) throws -> Void)? = nil
  ) throws {
    let place = "\(file):\(line)"
    try checkNothingWaits(before: "\(event) is sent to \(lens)", at: place)
    let number = try self.lens(lens, at: place)
    guard application.put(event, into: number) else {
      let type = application.eventType(of: number)
      throw found(
        Event.self == type
          ? TestFailure(at: place, "\(lens) has no room for \(event)")
          : TestFailure(
            at: place,
            "\(lens) has events of the type \(String(reflecting: type)), not \(String(reflecting: Event.self))"))
    }
    try bench.step(until: bench.now)
    guard application.isHeard(number) else {
      guard changes != nil else { return }
      throw found(TestFailure(at: place, "\(lens) has no event filter: \(event) changes nothing"))
    }
    try check(journal.removeFirst(), changes, at: place)
  }

  /// Advances time. With a closure exactly one event must occur, which this call receives. Without one, the events that
  /// occur must be received next.
  ///
  /// - Parameters:
  ///   - span: the time that passes.
  ///   - file: the test's file, which a difference names.
  ///   - line: the test's line.
  ///   - changes: changes the frame before the one event into the expected one.
  public func advance(
    by span: Duration, file: StaticString = #fileID, line: UInt = #line,
    _ changes: ((inout Frame) throws -> Void)? = nil
  ) throws {
    let place = "\(file):\(line)"
    try checkNothingWaits(before: "\(span) pass", at: place)
    try bench.advance(by: span)
    guard let changes else { return }
    guard journal.entries.count == 1 else {
      let count = journal.entries.count
      throw found(
        TestFailure(
          at: place,
          count == 0 ? "no event came within \(span)" : "\(count) events came within \(span); receive each of them",
          waiting))
    }
    try check(journal.removeFirst(), changes, at: place)
  }

  /// Receives the next event that a driver has emitted, and asserts the change that it makes.
  ///
  /// - Parameters:
  ///   - event: the expected next event; a ``CycleCore/Trouble`` too.
  ///   - lens: the lens's name.
  ///   - file: the test's file, which a difference names.
  ///   - line: the test's line.
  ///   - changes: changes the frame before the event into the expected one; without it the frame must not change.
  public func receive<Event: Equatable & Sendable>(
    _ event: Event, from lens: String, file: StaticString = #fileID, line: UInt = #line,
    _ changes: ((inout Frame) throws -> Void)? = nil
  ) throws {
    try receive(from: lens, "\(event)", at: "\(file):\(line)", { ($0 as? Event) == event }, changes)
  }

  /// Does the same as ``receive(_:from:file:line:_:)``, for an event that is not known exactly.
  ///
  ///     try store.receive(
  ///       from: "clock", matching: { (trouble: Trouble) in if case .lost = trouble { true } else { false } })
  ///
  /// - Parameters:
  ///   - lens: the lens's name.
  ///   - matches: whether an event is the expected one.
  ///   - file: the test's file, which a difference names.
  ///   - line: the test's line.
  ///   - changes: changes the frame before the event into the expected one; without it the frame must not change.
  public func receive<Event: Sendable>(
    from lens: String, matching matches: (Event) -> Bool, file: StaticString = #fileID, line: UInt = #line,
    _ changes: ((inout Frame) throws -> Void)? = nil
  ) throws {
    let wanted = "an event of the type \(Event.self) that matches"
    try receive(from: lens, wanted, at: "\(file):\(line)", { ($0 as? Event).map(matches) == true }, changes)
  }

  private func receive(
    from lens: String, _ wanted: String, at place: String, _ matches: (any Sendable) -> Bool,
    _ changes: ((inout Frame) throws -> Void)?
  ) throws {
    let number = try self.lens(lens, at: place)
    guard let entry = journal.entries.first else {
      throw found(TestFailure(at: place, "expected \(wanted) of \(lens); no event has come"))
    }
    guard entry.lens == number, matches(entry.event) else {
      throw found(TestFailure(at: place, "expected \(wanted) of \(lens); the next event is another one", waiting))
    }
    try check(journal.removeFirst(), changes, at: place)
  }

  // MARK: - Assertions

  /// Asserts the model that the driver of a lens has rendered last.
  ///
  /// - Parameters:
  ///   - lens: the lens's name.
  ///   - model: the expected model.
  ///   - file: the test's file, which a difference names.
  ///   - line: the test's line.
  public func expectModel<Model: Equatable>(
    _ lens: String, _ model: Model, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    let place = "\(file):\(line)"
    let seen = application.model(of: try self.lens(lens, at: place))
    guard let seen = seen as? Model else {
      throw found(
        TestFailure(
          at: place,
          "\(lens) has models of the type \(String(reflecting: type(of: seen))), not \(String(reflecting: Model.self))")
      )
    }
    guard seen != model else { return }
    let lines = FlattenedFrame(of: model).differences(from: FlattenedFrame(of: seen)) {
      "\($0)  expected \($1)  is \($2)"
    }
    throw found(TestFailure(at: place, "\(lens) shows another model than expected, at \(bench.now)", lines))
  }

  /// Asserts only the values at these key paths from now on; ``skipped`` names the other values that change.
  ///
  /// - Parameter paths: the key paths from the frame.
  public func looks<each Looked: Equatable>(only paths: repeat KeyPath<Frame, each Looked>) {
    look = FrameComparison()
    repeat look.add(each paths)
  }

  /// The names of the values that have changed since ``looks(only:)`` without being asserted.
  public var skipped: [String] { skippedNames }

  /// Allows the drivers of these lenses to wait for an alarm at the end: a clock, or a lamp that blinks for ever.
  ///
  /// - Parameter lenses: the names of the lenses.
  public func allowsAlarms(of lenses: String...) { lensesWithAlarms.formUnion(lenses) }

  /// The recording of the test so far; nil if the frames or the events of a lens are neither `Recordable` nor
  /// `Codable`. The recording of a failed test is written to the folder that the environment variable `FILM_ON_FAILURE`
  /// names.
  public var recording: String? { isRecorded && !memory.bytes.isEmpty ? memory.text : nil }

  // MARK: - Checks

  private func found(_ difference: TestFailure) -> TestFailure {
    if self.difference == nil { self.difference = difference }
    return difference
  }

  private func lens(_ name: String, at place: String) throws(TestFailure) -> Int {
    let names = application.lensNames
    let numbers = names.indices.filter { names[$0] == name }
    if numbers.count == 1 { return numbers[0] }
    throw found(
      TestFailure(
        at: place,
        numbers.isEmpty
          ? "there is no lens \"\(name)\"; lenses: \(names.joined(separator: ", "))"
          : "\(numbers.count) lenses are called \"\(name)\"; give each a name of its own: Lens(..., name: ...)"))
  }

  private func check(
    _ entry: TestStoreQueue<Frame>.Entry, _ changes: ((inout Frame) throws -> Void)?, at place: String
  ) throws {
    let cause = name(of: entry)
    let seen = entry.after?.frame ?? entry.before
    var expected = entry.before
    try changes?(&expected)
    for name in look.skipped(entry.before, seen) where !skippedNames.contains(name) { skippedNames.append(name) }
    if changes != nil, entry.after == nil, look.isEqual(expected, entry.before) {
      throw found(
        TestFailure(at: place, "\(cause) changes nothing, and neither does its closure; leave the closure out"))
    }
    guard !look.isEqual(expected, seen) else { return }
    guard let number = entry.after?.number else {
      let lines = look.differences(expected, seen) { "\($0)  expected \($1)  is \($2)" }
      throw found(TestFailure(at: place, "\(cause) makes no new frame", lines))
    }
    guard changes != nil else {
      let lines = look.differences(seen, expected) { "\($0)  \($2) -> \($1)" }
      throw found(TestFailure(at: place, "\(cause) makes frame \(number), and no closure expects that", lines))
    }
    let lines = look.differences(expected, seen) { "\($0)  expected \($1)  is \($2)" }
    throw found(TestFailure(at: place, "frame \(number) differs from the expected one after \(cause)", lines))
  }

  /// `pressed of key at 0.005000000s`
  private func name(of entry: TestStoreQueue<Frame>.Entry) -> String {
    "\(entry.event) of \(application.lensNames[entry.lens]) at \(entry.moment)"
  }

  /// The events that wait to be received, with their changes.
  private var waiting: [String] {
    journal.entries.flatMap { entry in
      guard let (frame, number) = entry.after else { return [name(of: entry)] }
      let changes = look.differences(frame, entry.before) { "  \($0)  \($2) -> \($1)" }
      return ["\(name(of: entry)) made frame \(number)"] + changes
    }
  }

  private func checkNothingWaits(before what: String, at place: String) throws(TestFailure) {
    guard !journal.entries.isEmpty else { return }
    let count = journal.entries.count
    throw found(
      TestFailure(
        at: place, "before \(what), \(count == 1 ? "an event has" : "\(count) events have") to be received", waiting))
  }

  // MARK: - The end

  private func checkEnd(at place: String) throws(TestFailure) {
    guard journal.entries.isEmpty else {
      let count = journal.entries.count
      throw TestFailure(
        at: place, "the test ends, and \(count == 1 ? "an event was" : "\(count) events were") not received", waiting)
    }
    let names = application.lensNames
    let waits = application.waits.filter { !lensesWithAlarms.contains(names[$0.lens]) }
    guard waits.isEmpty else {
      let lines = waits.map {
        "\(names[$0.lens]) waits for \($0.moment); advance to it, or allowsAlarms(of: \"\(names[$0.lens])\")"
      }
      throw TestFailure(at: place, "the test ends at \(bench.now), and an alarm is due later", lines)
    }
  }

  private func stop(at place: String, heldBefore: Set<ObjectIdentifier>) throws(TestFailure) {
    guard bench.stop() else {
      throw TestFailure(
        at: place, "the application was stopped before its drivers were at rest; they have 1 s for that")
    }
    let names = application.lensNames
    let lost = zip(names, application.accounts).filter { $0.1.lost > 0 }.map {
      "\($0.0): \($0.1.lost) of \($0.1.offered)"
    }
    guard lost.isEmpty else { throw TestFailure(at: place, "events were lost", lost) }
    let held = bench.heldLines.filter { !heldBefore.contains(ObjectIdentifier($0)) }
    guard held.isEmpty else {
      throw TestFailure(at: place, "lines are held after the end", held.map { "\($0.name)" })
    }
  }

  private func saveRecording(of place: String) {
    if let recording, let folder = FailureRecording.folder { FailureRecording.save(recording, of: place, in: folder) }
  }
}
