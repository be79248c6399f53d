import CycleCore
import HardwareDrivers

/// Explores an application in Swift: does made-up things to its simulated world, and looks for what its rules say must never be.
///
///     final class World {
///       let bench = Bench()
///       lazy var chip = SimulatedChip(bench)
///       lazy var key = chip.contact(at: "GPIO17")
///       lazy var cycle = makeCycle(on: chip)
///     }
///
///     try Explorer(of: { World() }, bench: \.bench, application: \.cycle)
///       .action("press key", if: { !$0.key.isClosed }) { try $0.key.press() }
///       .action("release key", if: { $0.key.isClosed }) { try $0.key.release() }
///       .waits(.milliseconds(5), .seconds(2))
///       .never("overfull") { $0.level > 10 }
///       .explore(runs: 1000)
///
/// Without a rule it looks for what must not be in any application: a cycle that doesn't come to rest, lost events, drivers that are not
/// at rest a second after the end, and a film that doesn't lead to the same frames again. What is found is thrown as a ``Difference``, with the
/// shortest list of actions that leads there. Whether an action can be done is asked of the world, not of the application.
public struct Explorer<World, Frame: Equatable> {
  /// Something that can be done to the world.
  struct Action {
    var name: String
    var isPossible: (World) -> Bool
    var perform: (World) throws -> Void
  }

  struct Rule {
    var name: String
    var isBroken: (Frame) -> Bool
  }

  private let make: () throws -> World
  private let bench: (World) -> Bench
  private let application: (World) -> any Application<Frame>
  private var actions: [Action] = []
  private var spans: [Duration] = []
  private var rules: [Rule] = []

  /// - Parameters:
  ///   - make: makes a world with its application, not started, for each run.
  ///   - bench: the bench of a world.
  ///   - application: the application of a world.
  public init(
    of make: @escaping () throws -> World, bench: @escaping (World) -> Bench,
    application: @escaping (World) -> any Application<Frame>
  ) {
    (self.make, self.bench, self.application) = (make, bench, application)
  }

  /// With something that can be done to the world.
  ///
  /// - Parameters:
  ///   - name: what it is called in a difference.
  ///   - isPossible: whether it can be done now; always unless given.
  ///   - perform: does it.
  public func action(
    _ name: String, if isPossible: @escaping (World) -> Bool = { _ in true },
    _ perform: @escaping (World) throws -> Void
  ) -> Explorer {
    var explorer = self
    explorer.actions.append(Action(name: name, isPossible: isPossible, perform: perform))
    return explorer
  }

  /// With times at which, and a millisecond beside which, something changes.
  ///
  /// - Parameter spans: the times.
  public func waits(_ spans: Duration...) -> Explorer {
    var explorer = self
    explorer.spans += spans
    return explorer
  }

  /// With what must never be so of a frame.
  ///
  /// - Parameters:
  ///   - name: what it is called in a difference.
  ///   - isBroken: whether it is so; pure.
  public func never(_ name: String, _ isBroken: @escaping (Frame) -> Bool) -> Explorer {
    var explorer = self
    explorer.rules.append(Rule(name: name, isBroken: isBroken))
    return explorer
  }

  /// Explores.
  ///
  /// - Parameters:
  ///   - runs: how many runs, at least 1.
  ///   - seed: what chance depends on.
  ///   - steps: how many steps a run has.
  ///   - file: the test's file, which a difference names.
  ///   - line: the test's line.
  /// - Throws: ``Difference`` for what was found; what an action throws.
  public func explore(
    runs: Int = 1000, seed: UInt64 = 0, steps: Int = 100, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    precondition(!actions.isEmpty, "an exploration has at least one action")
    let subject = ExploredApplication(
      make: make, bench: bench, application: application, actions: actions, spans: spans, rules: rules, count: steps)
    guard let discovery = try Exploration(subject, runs: runs, seed: seed).explore().discovery else { return }
    throw Difference(
      at: "\(file):\(line)", "run \(discovery.number), seed \(seed): \(discovery.finding.text)",
      discovery.run.map { subject.name(of: $0) })
  }
}

/// An application that is explored.
private struct ExploredApplication<World, Frame: Equatable>: Explored {
  enum Step: Equatable {
    case action(Int)
    case wait(Duration)
  }

  struct Finding {
    enum Kind: Equatable {
      case rule(Int)
      case livelock, lost, end, replay
    }

    var kind: Kind
    var text: String
    /// After which step, from 1.
    var step: Int
  }

  let make: () throws -> World
  let bench: (World) -> Bench
  let application: (World) -> any Application<Frame>
  let actions: [Explorer<World, Frame>.Action]
  let spans: [Duration]
  let rules: [Explorer<World, Frame>.Rule]
  /// How many steps a run has.
  let count: Int

  func name(of step: Step) -> String {
    switch step {
    case .action(let action): actions[action].name
    case .wait(let span): "wait \(span)"
    }
  }

  // Nothing counts what an application in Swift reaches.
  var reached: Int { 0 }
  func isSame(_ one: Finding, _ other: Finding) -> Bool { one.kind == other.kind }
  func cut(_ run: [Step], at finding: Finding) -> [Step] { Array(run.prefix(finding.step)) }

  func run(after known: [Step]?, _ random: inout SeededGenerator) -> [Step] {
    (0..<count).map { _ in
      if Int.random(in: 0..<2, using: &random) == 0 { return .action(Int.random(in: actions.indices, using: &random)) }
      guard let span = spans.randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0 else {
        return .wait(.milliseconds(Int.random(in: 1...50, using: &random)))
      }
      return .wait(max(.milliseconds(1), span + .milliseconds(Int.random(in: -1...1, using: &random))))
    }
  }

  func shrink(_ shrinker: inout Shrinker<[Step]>) {
    shrinker.shorten(\.self)
    joinWaits(&shrinker)
    for place in shrinker.smallest.indices {
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
    while place < shrinker.smallest.count {
      if case .wait(let first) = shrinker.smallest[place - 1], case .wait(let second) = shrinker.smallest[place] {
        var candidate = shrinker.smallest
        candidate.replaceSubrange(place - 1...place, with: [.wait(first + second)])
        if shrinker.attempt(candidate) { continue }
      }
      place += 1
    }
  }

  // MARK: - One run

  func check(_ run: [Step], counts: Bool) throws -> Finding? {
    let world = try make()
    let (bench, cycle) = (bench(world), application(world))
    let memory = FilmMemory()
    let recorder = Recorder(app: "\(Frame.self)", by: "Explorer", to: memory)
    recorder.isDispensable = true
    let isFilmed = (try? cycle.record(with: recorder)) != nil
    var broken: Int?
    func look(_ frame: Frame) { if broken == nil { broken = rules.firstIndex { $0.isBroken(frame) } } }
    look(cycle.frame)
    let observation = cycle.observe { frame, _ in look(frame) }
    defer { observation.end() }
    var step = 0
    do throws(DriverError) {
      try bench.run(cycle)
    } catch {
      guard error.kind == .failed else { throw error }
      return Finding(kind: .livelock, text: "\(error)", step: 0)
    }
    var isStopped = false
    defer { if !isStopped { bench.stop() } }
    func found() -> Finding? {
      if let broken { return Finding(kind: .rule(broken), text: "never \(rules[broken].name)", step: step) }
      let lost = (cycle as? any TestedApplication)?.accounts.contains { $0.lost > 0 } ?? false
      return lost ? Finding(kind: .lost, text: "events were lost", step: step) : nil
    }
    if let found = found() { return found }
    for made in run {
      step += 1
      do {
        switch made {
        case .wait(let span): try bench.advance(by: span)
        case .action(let action) where actions[action].isPossible(world):
          try actions[action].perform(world)
          try bench.settle()
        case .action: continue
        }
      } catch let error as DriverError where error.kind == .failed {
        return Finding(kind: .livelock, text: "\(error)", step: step)
      }
      if let found = found() { return found }
    }
    isStopped = true
    guard bench.stop() else {
      return Finding(kind: .end, text: "the drivers were not at rest a second after the end", step: step)
    }
    guard isFilmed, !memory.bytes.isEmpty else { return nil }
    do {
      _ = try application(try make()).replay(Film(FilmBytes(memory.bytes), name: "the run"), ReplayOptions())
      return nil
    } catch let difference as ReplayDifference {
      return Finding(kind: .replay, text: "\(difference)", step: step)
    }
  }
}
