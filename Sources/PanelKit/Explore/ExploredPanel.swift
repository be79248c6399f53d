import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelRun

/// A panel under random tests. The steps of its runs are generated from its file.
package final class ExploredPanel: SearchSubject {
  let panel: PanelDefinition
  package let coverage: Coverage
  /// The digest of the recordings of all counted runs, in their order.
  package private(set) var digest = FNV1aHash()
  private let generator: StepGenerator
  private let check: RunCheck
  /// The number of steps in a run.
  private let count: Int

  package struct Options {
    package var runs = 1000
    package var seed: UInt64 = 0
    package var steps = 100

    package init(runs: Int = 1000, seed: UInt64 = 0, steps: Int = 100) {
      (self.runs, self.seed, self.steps) = (runs, seed, steps)
    }
  }

  /// - Throws: the reason why a sound can't be played.
  package init(_ panel: PanelDefinition, sounds: [PanelSound], steps count: Int) throws(DriverError) {
    self.panel = panel
    self.count = count
    coverage = Coverage(of: panel)
    generator = StepGenerator(of: panel)
    let sounds = try PanelSound.loaded(sounds, atHertz: PCMPreferences().sampleRateHertz)
    check = RunCheck(panel: panel, sounds: sounds)
  }

  // MARK: - SearchSubject

  package func run(after known: RunInput?, _ random: inout SeededGenerator, while goesOn: () -> Bool) -> RunInput {
    generator.run(of: count, after: known, &random, while: goesOn)
  }

  package func check(_ run: RunInput, counts: Bool, while goesOn: () -> Bool) throws -> RunResult<RunViolation>? {
    var check = check
    check.coverage = counts ? coverage : nil
    check.recorded = counts ? { [self] recording in recording.withUnsafeBytes { digest.add($0) } } : nil
    var (newest, marks) = (Int?.none, coverage.marks)
    let violation = try check.run(run, while: goesOn) { step in
      guard coverage.marks > marks else { return }
      (newest, marks) = (step, coverage.marks)
    }
    guard violation != nil || goesOn() else { return nil }
    return RunResult(violation: violation, steps: violation?.step ?? run.steps.count, newest: newest)
  }

  package func isSame(_ one: RunViolation, _ other: RunViolation) -> Bool { one.kind == other.kind }

  package func beginning(of run: RunInput, _ steps: Int) -> RunInput {
    var run = run
    run.steps = Array(run.steps.prefix(steps))
    return run
  }

  package func shrink(_ shrinker: inout Shrinker<RunInput>) {
    let before = shrinker.smallest
    shrinker.shorten(\.steps) { $0.repaired(for: panel) }
    shrinker.shorten(\.moved) { $0.repaired(for: panel) }
    for input in panel.inputs.indices where before.steps.contains(where: { $0.inputs.contains(input) }) {
      var candidate = shrinker.smallest
      candidate.steps.removeAll { $0.inputs.contains(input) }
      shrinker.attempt(candidate.repaired(for: panel))
    }
    join(&shrinker)
    beginMoved(&shrinker)
    beginLater(&shrinker)
    simplify(&shrinker)
  }

  // MARK: - Simpler steps

  /// Replaces each step by a simpler one if that is possible.
  private func simplify(_ shrinker: inout Shrinker<RunInput>) {
    for place in shrinker.smallest.steps.indices where shrinker.triesLeft > 0 {
      // A replaced step may remove others that depend on it.
      guard shrinker.smallest.steps.indices.contains(place) else { return }
      for step in generator.simpler(shrinker.smallest.steps[place]) {
        var candidate = shrinker.smallest
        candidate.steps[place] = step
        if shrinker.attempt(candidate.repaired(for: panel)) { break }
      }
    }
  }

  /// Starts with a switch on, instead of a step that turns it on.
  private func beginMoved(_ shrinker: inout Shrinker<RunInput>) {
    for place in shrinker.smallest.steps.indices.reversed() where shrinker.triesLeft > 0 {
      guard shrinker.smallest.steps.indices.contains(place),
        case .switch(let input, true) = shrinker.smallest.steps[place], !shrinker.smallest.moved.contains(input)
      else { continue }
      var candidate = shrinker.smallest
      candidate.steps.remove(at: place)
      candidate.moved.append(input)
      shrinker.attempt(candidate.repaired(for: panel))
    }
  }

  /// Starts with an unknown clock, or at a later time instead of a step that sets the clock.
  private func beginLater(_ shrinker: inout Shrinker<RunInput>) {
    if shrinker.smallest.clock != nil {
      var candidate = shrinker.smallest
      candidate.clock = nil
      shrinker.attempt(candidate)
    }
    for place in shrinker.smallest.steps.indices.reversed() where shrinker.triesLeft > 0 {
      guard shrinker.smallest.steps.indices.contains(place), case .clock(let time) = shrinker.smallest.steps[place]
      else { continue }
      var candidate = shrinker.smallest
      candidate.steps.remove(at: place)
      candidate.clock = time
      shrinker.attempt(candidate.repaired(for: panel))
    }
  }

  /// Joins two consecutive waits, and two consecutive turns of a knob, into one step.
  private func join(_ shrinker: inout Shrinker<RunInput>) {
    var place = 1
    while shrinker.triesLeft > 0, place < shrinker.smallest.steps.count {
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
  /// Returns one step with the effect of both; nil if there is none.
  fileprivate func joined(with other: Step) -> Step? {
    switch (self, other) {
    case (.wait(.span(let first)), .wait(.span(let second))): .wait(.span(first + second))
    case (.turn(let knob, let first), .turn(let other, let second)) where knob == other && first + second != 0:
      .turn(input: knob, detents: first + second)
    default: nil
    }
  }

  /// The inputs that the step operates.
  fileprivate var inputs: [Int] {
    switch self {
    case .press(let inputs), .release(let inputs), .click(let inputs): inputs
    case .hold(let input, _), .turn(let input, _), .switch(let input, _), .sense(let input, _),
      .event(let input, _, _), .unplugSensor(let input), .plugSensor(let input), .bounce(let input, _),
      .jam(let input, _), .free(let input):
      [input]
    default: []
    }
  }
}
