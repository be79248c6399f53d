import CycleCore

/// Explores an application in Swift: performs random actions on its simulated environment, and reports violations of
/// its rules.
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
///       .states { $0.isFilling }
///       .reaches("full") { $0.level == 10 }
///       .explore(runs: 1000)
///
/// Without a rule it reports violations that are faults of any application. These are a cycle that doesn't come to
/// rest, lost events, drivers that are not at rest a second after the end, and a recording whose replay gives different
/// frames. It throws a violation as a ``TestFailure``, with the shortest list of actions that leads there. The
/// environment, not the application, decides whether an action is possible.
///
/// If a run reaches something new, later runs continue it from there: an event that no run had, a state, or a goal of
/// ``reaches(_:_:)``.
public struct Explorer<World, Frame: Equatable> {
  /// An action on the world.
  struct Action {
    var name: String
    var isPossible: (World) -> Bool
    var perform: (World) throws -> Void
  }

  /// A condition of frames.
  struct Rule {
    var name: String
    var holds: (Frame) -> Bool
  }

  private let make: () throws -> World
  private let bench: (World) -> Bench
  private let application: (World) -> any Application<Frame>
  private var actions: [Action] = []
  private var spans: [Duration] = []
  private var nevers: [Rule] = []
  private var aims: [Rule] = []
  private var state: ((Frame) -> AnyHashable)?

  /// - Parameters:
  ///   - make: creates a world with its application, not started, for each run.
  ///   - bench: the bench of a world.
  ///   - application: the application of a world.
  public init(
    of make: @escaping () throws -> World, bench: @escaping (World) -> Bench,
    application: @escaping (World) -> any Application<Frame>
  ) {
    (self.make, self.bench, self.application) = (make, bench, application)
  }

  /// Adds an action on the world.
  ///
  /// - Parameters:
  ///   - name: the name of the action in a difference.
  ///   - isPossible: whether the action is possible now; always by default.
  ///   - perform: performs the action.
  public func action(
    _ name: String, if isPossible: @escaping (World) -> Bool = { _ in true },
    _ perform: @escaping (World) throws -> Void
  ) -> Explorer {
    var explorer = self
    explorer.actions.append(Action(name: name, isPossible: isPossible, perform: perform))
    return explorer
  }

  /// Adds wait times: most random waits have one of these lengths, give or take one millisecond.
  ///
  /// - Parameter spans: the times.
  public func waits(_ spans: Duration...) -> Explorer {
    var explorer = self
    explorer.spans += spans
    return explorer
  }

  /// Adds a condition that no frame must meet.
  ///
  /// - Parameters:
  ///   - name: the name of the condition in a difference.
  ///   - isBroken: whether a frame meets it; pure.
  public func never(_ name: String, _ isBroken: @escaping (Frame) -> Bool) -> Explorer {
    var explorer = self
    explorer.nevers.append(Rule(name: name, holds: isBroken))
    return explorer
  }

  /// Adds a goal that some run should reach; ``ExplorationCoverage/unreached`` lists the goals that none has reached.
  ///
  /// - Parameters:
  ///   - name: the name of the goal in the report.
  ///   - isReached: whether a frame has reached it; pure.
  public func reaches(_ name: String, _ isReached: @escaping (Frame) -> Bool) -> Explorer {
    var explorer = self
    explorer.aims.append(Rule(name: name, holds: isReached))
    return explorer
  }

  /// Distinguishes the states of the application. The fewer states there are, the more a new one means.
  ///
  /// - Parameter state: returns the state of a frame; pure.
  public func states<State: Hashable>(_ state: @escaping (Frame) -> State) -> Explorer {
    var explorer = self
    explorer.state = { AnyHashable(state($0)) }
    return explorer
  }

  /// Explores the application.
  ///
  /// - Parameters:
  ///   - runs: the number of runs, at least 1.
  ///   - seed: the seed of the random numbers.
  ///   - steps: the number of steps in a run.
  ///   - file: the test's file, which a difference names.
  ///   - line: the test's line.
  /// - Returns: the events, states and transitions that the runs have reached.
  /// - Throws: ``TestFailure`` for a violation; the error of an action.
  @discardableResult
  public func explore(
    runs: Int = 1000, seed: UInt64 = 0, steps: Int = 100, file: StaticString = #fileID, line: UInt = #line
  ) throws -> ExplorationCoverage {
    precondition(!actions.isEmpty, "an exploration has at least one action")
    let reach = ExplorerReach(actions: actions.map(\.name), aims: aims, state: state)
    let subject = ExploredApplication(
      make: make, bench: bench, application: application, actions: actions, spans: spans, nevers: nevers, count: steps,
      reach: reach)
    let outcome = try RandomSearch(subject, runs: runs, seed: seed).explore()
    guard let discovery = outcome.discovery else { return reach.report(runs: outcome.runs) }
    throw TestFailure(
      at: "\(file):\(line)", "run \(discovery.number), seed \(seed): \(discovery.violation.text)",
      discovery.run.map { subject.name(of: $0) })
  }
}
