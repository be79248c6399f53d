/// The positions in which switches can be when a panel starts: all at rest first, then with one elsewhere, then with two.
struct Starts: Sequence {
  struct Start {
    /// The switches that are not at rest, by their places among the followed ones: bit by bit.
    var number: Int32

    /// The situation after all that switches tell at the start.
    ///
    /// - Parameter seed: the situation before.
    func situation(after seed: Situation, in model: ProofModel) -> Situation {
      var situation = seed
      for input in model.moved(in: number) {
        guard case .position(let events) = model.inputs[input] else { continue }
        model.react(to: .input(input, events[1]), in: &situation)
      }
      return situation
    }
  }

  /// More switches than these stay at rest at the start, and move at once.
  static let mostSwitches = 16

  private let count: Int

  init(_ model: ProofModel) {
    count = model.startSwitches.count
  }

  func makeIterator() -> some IteratorProtocol<Start> {
    let all = 1 << count
    return (0...count).lazy.flatMap { moved in
      (0..<all).lazy.filter { $0.nonzeroBitCount == moved }.map { Start(number: Int32($0)) }
    }.makeIterator()
  }
}

extension ProofModel {
  /// Starts, once for each way in which chance can have it.
  func forEachStart(
    _ start: Starts.Start, _ body: (_ number: Int32, _ draws: [Int], _ after: Situation) -> Bool
  ) {
    let outcome = { (draws: [Int]) in start.situation(after: seed(drawing: draws), in: self) }
    forEachChance(outcome, body)
  }

  /// The situation before any switch has told that it is on.
  ///
  /// - Parameter draws: the results of the first draws.
  func seed(drawing draws: [Int] = []) -> Situation {
    var situation = Situation(
      frame: rules.seed(withChance: 0, draws: draws),
      phases: [ButtonModel.Phase](repeating: .up, count: panel.inputs.count))
    findViolation(in: &situation)
    return situation
  }

  /// The switches whose position at the start is open.
  var startSwitches: [Int] {
    Array(
      inputs.indices.filter { if case .position = inputs[$0] { true } else { false } }.prefix(Starts.mostSwitches))
  }

  /// The switches that are not at rest at a start.
  func moved(in start: Int32) -> [Int] {
    startSwitches.enumerated().filter { start >> Int32($0.offset) & 1 == 1 }.map(\.element)
  }
}
