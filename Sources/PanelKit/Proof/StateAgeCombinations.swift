import PanelEngine

/// The numbered combinations of the ages of several regions' states.
struct StateAgeCombinations {
  private let regions: [(region: Int, cells: ElapsedCells)]
  private let frame: PanelFrame

  init(_ regions: [(region: Int, cells: ElapsedCells)], in frame: PanelFrame) {
    // The number of combinations must fit into 64 bits. The ages of the regions beyond that are not distinguished.
    var combinations = 1
    self.regions = regions.filter { _, cells in
      let (product, overflow) = combinations.multipliedReportingOverflow(by: cells.greatest + 1)
      if !overflow { combinations = product }
      return !overflow
    }
    self.frame = frame
  }

  /// The age of each region at which a combination begins, in milliseconds.
  func ages(_ number: Int) -> [(region: Int, age: Int)] {
    var rest = number
    return regions.map { region, cells in
      defer { rest /= cells.greatest + 1 }
      return (region, rest % (cells.greatest + 1))
    }
  }

  /// The bounds of each region's age in ticks.
  func bounds(_ number: Int, _ model: ProofModel) -> [(region: Int, least: Int, most: Int?)] {
    zip(regions, ages(number)).map { region, start in
      let next = region.cells.start(after: start.age, in: frame)
      return (region.region, model.ticks(milliseconds: start.age), next.map { model.ticks(milliseconds: $0) - 1 })
    }
  }

  /// Calls `body` with each combination that occurs in a zone, and with the part of the zone where it occurs. Stops
  /// when `body` returns false.
  func forEach(
    in zone: Zone, _ departure: SuccessorGenerator,
    _ body: (_ number: Int, _ ages: [(region: Int, age: Int)], _ aged: Zone) -> Bool
  ) {
    _ = visit(0, number: 0, radix: 1, zone, departure) { body($0, ages($0), $1) }
  }

  private func visit(
    _ place: Int, number: Int, radix: Int, _ zone: Zone, _ departure: SuccessorGenerator, _ body: (Int, Zone) -> Bool
  ) -> Bool {
    guard place < regions.count else { return body(number, zone) }
    let (region, cells) = regions[place]
    let alarm = departure.alarms.firstIndex { if case .age(region, _) = $0.source { true } else { false } }
    guard let clock = alarm.map({ departure.situation.clocks[$0] }), clock > 0 else { return true }
    let most = zone.bound(clock, 0)
    var start: Int? = 0
    while let age = start, departure.model.ticks(milliseconds: age) <= most {
      start = cells.start(after: age, in: frame)
      var aged = zone
      aged.constrain(clock, atLeast: departure.model.ticks(milliseconds: age))
      if let start { aged.constrain(clock, atMost: departure.model.ticks(milliseconds: start) - 1) }
      guard !aged.isEmpty else { continue }
      let next = number + age * radix
      guard visit(place + 1, number: next, radix: radix * (cells.greatest + 1), aged, departure, body) else {
        return false
      }
    }
    return true
  }
}
