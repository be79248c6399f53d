import CycleCore
import HardwareSimulation

/// Runs of made-up steps on a panel, until one of them finds something wrong, which is then made as short as it can be.
struct Exploration {
  let panel: PanelDefinition
  let sounds: [PanelSound]
  var options = Options()

  struct Options {
    var runs = 1000
    var seed: UInt64 = 0
    /// How many steps a run has.
    var steps = 100
    /// How many shorter runs are tried.
    var tries = 2000
  }

  /// Something wrong, and the shortest run that was found to lead there.
  struct Discovery {
    var finding: Finding
    var run: ExploredRun
    /// Which run found it, from 1.
    var number: Int
    /// How many shorter runs were tried.
    var tries: Int
  }

  struct Outcome {
    var coverage: Coverage
    /// How many runs there were.
    var runs: Int
    /// Nil if no run found anything.
    var discovery: Discovery?
  }

  /// Runs that have come somewhere new are kept, so many at most, the newest.
  private static let mostKnown = 256

  /// - Throws: what can't be simulated.
  func explore() throws -> Outcome {
    var random = SeededGenerator(seed: options.seed)
    let generator = StepGenerator(of: panel)
    let coverage = Coverage(of: panel)
    let check = RunCheck(panel: panel, sounds: sounds, coverage: coverage)
    var known: [ExploredRun] = []
    for number in 1...max(1, options.runs) {
      let beginning = Bool.random(using: &random) ? known.randomElement(using: &random) : nil
      let run = generator.run(of: options.steps, after: beginning, &random)
      let marks = coverage.marks
      if let finding = try check.run(run) {
        let discovery = try shrink(run, finding, generator, number)
        return Outcome(coverage: coverage, runs: number, discovery: discovery)
      }
      guard coverage.marks > marks else { continue }
      known.append(run)
      if known.count > Self.mostKnown { known.removeFirst() }
    }
    return Outcome(coverage: coverage, runs: max(1, options.runs))
  }

  // MARK: - Shrinking

  private func shrink(
    _ run: ExploredRun, _ finding: Finding, _ generator: StepGenerator, _ number: Int
  ) throws -> Discovery {
    let check = RunCheck(panel: panel, sounds: sounds)
    var run = run
    run.steps = Array(run.steps.prefix(finding.step))
    var shrinker = Shrinker(run, tries: options.tries) { try check.run($0)?.kind == finding.kind }
    var before: ExploredRun
    repeat {
      before = shrinker.smallest
      shrinker.shorten(\.steps) { $0.repaired(for: panel) }
      shrinker.shorten(\.moved) { $0.repaired(for: panel) }
      for input in panel.inputs.indices where before.steps.contains(where: { $0.inputs.contains(input) }) {
        var candidate = shrinker.smallest
        candidate.steps.removeAll { $0.inputs.contains(input) }
        shrinker.attempt(candidate.repaired(for: panel))
      }
      join(&shrinker)
      beginMoved(&shrinker)
      simplify(&shrinker, generator)
    } while shrinker.smallest != before && shrinker.triesLeft > 0
    let smallest = shrinker.smallest
    return Discovery(
      finding: try check.run(smallest) ?? finding, run: smallest, number: number,
      tries: options.tries - shrinker.triesLeft)
  }

  /// Replaces each step by a simpler one, where that is possible.
  private func simplify(_ shrinker: inout Shrinker<ExploredRun>, _ generator: StepGenerator) {
    for place in shrinker.smallest.steps.indices {
      for step in generator.simpler(shrinker.smallest.steps[place]) {
        var candidate = shrinker.smallest
        candidate.steps[place] = step
        if shrinker.attempt(candidate.repaired(for: panel)) { break }
      }
      guard shrinker.smallest.steps.indices.contains(place) else { return }
    }
  }

  /// Has a switch be on from the start, in place of a step that turns it on.
  private func beginMoved(_ shrinker: inout Shrinker<ExploredRun>) {
    for place in shrinker.smallest.steps.indices.reversed() {
      guard case .switch(let input, true) = shrinker.smallest.steps[place], !shrinker.smallest.moved.contains(input)
      else { continue }
      var candidate = shrinker.smallest
      candidate.steps.remove(at: place)
      candidate.moved.append(input)
      shrinker.attempt(candidate.repaired(for: panel))
      guard place <= shrinker.smallest.steps.count else { return }
    }
  }

  /// Makes one step of two waits that follow each other, and of two turns of a knob.
  private func join(_ shrinker: inout Shrinker<ExploredRun>) {
    var place = 1
    while place < shrinker.smallest.steps.count {
      let steps = shrinker.smallest.steps
      if let joined = steps[place - 1].joined(with: steps[place]) {
        var candidate = shrinker.smallest
        candidate.steps.replaceSubrange(place - 1...place, with: [joined])
        if shrinker.attempt(candidate) { continue }
      }
      place += 1
    }
  }
}

extension Step {
  /// One step that does what two do; nil if there is none.
  fileprivate func joined(with other: Step) -> Step? {
    switch (self, other) {
    case (.wait(.span(let first)), .wait(.span(let second))): .wait(.span(first + second))
    case (.turn(let knob, let first), .turn(let other, let second)) where knob == other && first + second != 0:
      .turn(input: knob, detents: first + second)
    default: nil
    }
  }

  /// The inputs that the step does something to.
  fileprivate var inputs: [Int] {
    switch self {
    case .press(let inputs), .release(let inputs), .click(let inputs): inputs
    case .hold(let input, _), .turn(let input, _), .switch(let input, _), .sense(let input, _),
      .unplugSensor(let input),
      .plugSensor(let input), .bounce(let input, _), .jam(let input, _), .free(let input):
      [input]
    default: []
    }
  }
}
