/// What can be so when a panel starts: the positions of switches, all at rest first, then with one elsewhere, then with two; and, around
/// that, what was kept, nothing first.
struct Starts: Sequence {
  struct Start {
    /// The switches that are not at rest, by their places among the followed ones: bit by bit, the first ``mostSwitches`` of them. In the bits
    /// above is which numbers were kept.
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

  /// More combinations of kept numbers than these are not looked at.
  static let mostKept = 10_000

  private let count: Int
  private let keptCount: Int

  init(_ model: ProofModel) {
    count = model.startSwitches.count
    keptCount = Swift.min(model.keptStartCount, Self.mostKept)
  }

  func makeIterator() -> some IteratorProtocol<Start> {
    let all = 1 << count
    let moved: [Int] = (0...count).flatMap { bits in (0..<all).filter { $0.nonzeroBitCount == bits } }
    return (0..<keptCount).lazy.flatMap { kept in
      moved.lazy.map { Start(number: Int32(kept << Self.mostSwitches | $0)) }
    }
    .makeIterator()
  }
}

extension ProofModel {
  /// Starts, once for each way in which chance can have it.
  func forEachStart(
    _ start: Starts.Start, _ body: (_ number: Int32, _ draws: [Int], _ after: Situation) -> Bool
  ) {
    let kept = keptNumbers(in: start.number)
    let outcome = { (draws: [Int]) in start.situation(after: seed(drawing: draws, kept: kept), in: self) }
    forEachChance(outcome, body)
  }

  /// The situation before any switch has told that it is on.
  ///
  /// - Parameters:
  ///   - draws: the results of the first draws.
  ///   - kept: the numbers of what is kept; empty for the initial ones.
  func seed(drawing draws: [Int] = [], kept: [Int] = []) -> Situation {
    var situation = Situation(
      frame: rules.seed(withChance: 0, draws: draws, kept: kept),
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

  // MARK: - What was kept

  /// How many combinations there are of the kept numbers that are followed; 1 where none is.
  var keptStartCount: Int {
    panel.keptItems.filter(follows).reduce(1) { product, item in
      let (count, isTooLarge) = product.multipliedReportingOverflow(by: item.range.count)
      return isTooLarge ? .max : count
    }
  }

  func follows(_ item: KeptItem) -> Bool { slice.follows(value: item.value) }

  /// The numbers of what is kept at a start: those that are not followed are the initial ones.
  func keptNumbers(in start: Int32) -> [Int] {
    var rest = Int(start) >> Starts.mostSwitches
    return panel.keptItems.map { item in
      guard follows(item) else { return item.initial }
      defer { rest /= item.range.count }
      let place = rest % item.range.count
      // The initial number is the first one, and is left out of those behind it.
      let number = item.range.lowerBound + place - 1
      return place == 0 ? item.initial : number < item.initial ? number : number + 1
    }
  }

  /// The kept numbers at a start that are not the initial ones, with their names: `rings`, `12`.
  func kept(in start: Int32) -> [(name: String, text: String)] {
    zip(panel.keptItems, keptNumbers(in: start)).compactMap { item, number in
      number == item.initial ? nil : (item.name, panel.values[item.value].text(of: number))
    }
  }
}
