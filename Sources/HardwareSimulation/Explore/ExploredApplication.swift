import CycleCore
import HardwareDrivers

/// An application as a subject of exploration.
struct ExploredApplication<World, Frame: Equatable>: SearchSubject {
  enum Step: Equatable {
    case action(Int)
    case wait(Duration)
  }

  struct Violation {
    enum Kind: Equatable {
      case rule(Int)
      case livelock, lost, end, replay
    }

    var kind: Kind
    var text: String
    /// The number of the step after which it was found, from 1.
    var step: Int
  }

  let make: () throws -> World
  let bench: (World) -> Bench
  let application: (World) -> any Application<Frame>
  let actions: [Explorer<World, Frame>.Action]
  let spans: [Duration]
  let nevers: [Explorer<World, Frame>.Rule]
  /// The number of steps in a run.
  let count: Int
  let reach: ExplorerReach<Frame>

  func name(of step: Step) -> String {
    switch step {
    case .action(let action): actions[action].name
    case .wait(let span): "wait \(span)"
    }
  }

  func isSame(_ one: Violation, _ other: Violation) -> Bool { one.kind == other.kind }
  func beginning(of run: [Step], _ steps: Int) -> [Step] { Array(run.prefix(steps)) }

  func run(after known: [Step]?, _ random: inout SeededGenerator, while goesOn: () -> Bool) -> [Step] {
    let going = known.map { ExtendedRunLength(of: $0.count, usual: count, &random) }
    var run = Array(known?.prefix(going?.beginning ?? 0) ?? [])
    while run.count < going?.count ?? count, goesOn() { run.append(step(&random)) }
    return run
  }

  private func step(_ random: inout SeededGenerator) -> Step {
    if Int.random(in: 0..<2, using: &random) == 0 {
      return .action(Int.random(in: actions.indices, using: &random))
    }
    guard let span = spans.randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0 else {
      return .wait(.milliseconds(Int.random(in: 1...50, using: &random)))
    }
    return .wait(max(.milliseconds(1), span + .milliseconds(Int.random(in: -1...1, using: &random))))
  }

  func shrink(_ shrinker: inout Shrinker<[Step]>) {
    shrinker.shorten(\.self)
    joinWaits(&shrinker)
    for place in shrinker.smallest.indices where shrinker.triesLeft > 0 {
      guard case .wait(let span) = shrinker.smallest[place] else { continue }
      for shorter in spans.sorted() + [.milliseconds(max(1, Int(span.wholeNanoseconds / 2_000_000)))]
      where shorter < span {
        var candidate = shrinker.smallest
        candidate[place] = .wait(shorter)
        if shrinker.attempt(candidate) { break }
      }
    }
  }

  private func joinWaits(_ shrinker: inout Shrinker<[Step]>) {
    var place = 1
    while shrinker.triesLeft > 0, place < shrinker.smallest.count {
      if case .wait(let first) = shrinker.smallest[place - 1], case .wait(let second) = shrinker.smallest[place] {
        var candidate = shrinker.smallest
        candidate.replaceSubrange(place - 1...place, with: [.wait(first + second)])
        if shrinker.attempt(candidate) { continue }
      }
      place += 1
    }
  }

  // MARK: - One run

  func check(_ run: [Step], counts: Bool, while goesOn: () -> Bool) throws -> RunResult<Violation>? {
    var (newest, count) = (Int?.none, reach.count)
    let violation = try perform(run, counts: counts, while: goesOn) { step in
      guard reach.count > count else { return }
      (newest, count) = (step, reach.count)
    }
    guard violation != nil || goesOn() else { return nil }
    return RunResult(violation: violation, steps: violation?.step ?? run.count, newest: newest)
  }

  /// - Parameters:
  ///   - goesOn: called before each step; ends the run by returning false.
  ///   - look: called after each step with its number.
  private func perform(
    _ run: [Step], counts: Bool, while goesOn: () -> Bool, _ look: (Int) -> Void
  ) throws -> Violation? {
    let world = try make()
    let (bench, cycle) = (bench(world), application(world))
    let memory = RecordingBuffer()
    let recorder = Recorder(app: "\(Frame.self)", by: "Explorer", to: memory)
    recorder.isDispensable = true
    let isRecorded = (try? cycle.record(with: recorder)) != nil
    var broken: Int?
    func meet(_ frame: Frame) {
      if broken == nil { broken = nevers.firstIndex { $0.holds(frame) } }
      if counts { reach.meet(frame) }
    }
    if counts { reach.begin(cycle) }
    meet(cycle.frame)
    let observation = cycle.observe { frame, _ in meet(frame) }
    let tap = counts ? cycle.tap(reach) : nil
    defer {
      observation.end()
      tap?.end()
    }
    var step = 0
    do throws(DriverError) {
      try bench.run(cycle)
    } catch {
      guard error.kind == .failed else { throw error }
      return Violation(kind: .livelock, text: "\(error)", step: 0)
    }
    var isStopped = false
    defer { if !isStopped { bench.stop() } }
    func found() -> Violation? {
      if let broken { return Violation(kind: .rule(broken), text: "never \(nevers[broken].name)", step: step) }
      let lost = (cycle as? any InspectableApplication)?.accounts.contains { $0.lost > 0 } ?? false
      return lost ? Violation(kind: .lost, text: "events were lost", step: step) : nil
    }
    if let found = found() { return found }
    for made in run {
      guard goesOn() else { return nil }
      step += 1
      do {
        switch made {
        case .wait(let span): try bench.advance(by: span)
        case .action(let action) where actions[action].isPossible(world):
          if counts { reach.perform(action) }
          try actions[action].perform(world)
          try bench.settle()
        case .action: continue
        }
      } catch let error as DriverError where error.kind == .failed {
        return Violation(kind: .livelock, text: "\(error)", step: step)
      }
      look(step)
      if let found = found() { return found }
    }
    isStopped = true
    guard bench.stop() else {
      return Violation(kind: .end, text: "the drivers were not at rest a second after the end", step: step)
    }
    guard isRecorded, !memory.bytes.isEmpty else { return nil }
    do {
      _ = try application(try make()).replay(
        RecordingReader(RecordingBytes(memory.bytes), name: "the run"), ReplayOptions(hasDigest: false))
      return nil
    } catch let difference as ReplayDifference {
      return Violation(kind: .replay, text: "\(difference)", step: step)
    }
  }
}
