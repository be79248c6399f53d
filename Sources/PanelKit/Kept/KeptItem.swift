import CycleCore
import HardwareDrivers

/// A number that a panel keeps over restarts.
struct KeptItem: Equatable, Sendable {
  enum Source: Equatable, Sendable {
    /// A value, by its index.
    case value(Int)
    /// Whether a region has been last in a state of its `resume`: 1 or 0. Its slot among the numbers of a frame, and the number there.
    case state(Int, region: Int, slot: Int, number: Int)
  }

  var source: Source
  /// Its name in the file: `rings`, `main/armed`.
  var name: String
  /// What it can be.
  var range: ClosedRange<Int>
  var initial: Int
  /// How long after a change it may be unsaved.
  var within: Duration

  /// What it is in a frame.
  func number(in frame: PanelFrame) -> Int {
    switch source {
    case .value(let value): frame[value: value]
    case .state(_, _, let slot, let number): frame[resumed: slot] == number ? 1 : 0
    }
  }

  /// The index of the value; nil for a state.
  var value: Int? { if case .value(let value) = source { value } else { nil } }
  /// The region of the state; nil for a value.
  var region: Int? { if case .state(_, let region, _, _) = source { region } else { nil } }
}

extension PanelDefinition.Value {
  /// How a value is kept.
  struct Keeping: Equatable, Sendable {
    /// How long after a change it may be unsaved.
    var within = Duration.seconds(10)
    var position: Position
  }
}

extension PanelDefinition.Region {
  /// A state in which a region may start.
  struct Resume: Equatable, Sendable {
    var state: Int
    var position: Position
  }
}

extension PanelDefinition {
  /// The regions that can start in another state than the initial one, in the order of the file, with these states. Each has a slot among
  /// the numbers of a frame: 0 if it has been last in its initial state, else the place of the state, from 1.
  var resumptions: [(region: Int, states: [Int])] {
    regions.enumerated().compactMap { number, region in
      let states = region.resume.map(\.state).filter { $0 != region.initial }
      return states.isEmpty ? nil : (number, states)
    }
  }

  /// What entering a state puts into the slot of its region; nil for a state that doesn't count.
  func resumption(of state: Int) -> (slot: Int, number: Int)? {
    for (slot, resumption) in resumptions.enumerated() {
      if state == regions[resumption.region].initial { return (slot, 0) }
      if let place = resumption.states.firstIndex(of: state) { return (slot, place + 1) }
    }
    return nil
  }

  /// What the panel keeps: values in the order of the file, then states, those of a region behind each other; empty for a panel that
  /// keeps nothing.
  var keptItems: [KeptItem] {
    let kept = values.enumerated().compactMap { number, value in
      value.kept.map {
        KeptItem(
          source: .value(number), name: value.name, range: value.min...value.max, initial: value.initial,
          within: $0.within)
      }
    }
    let resumed = resumptions.enumerated().flatMap { slot, resumption in
      resumption.states.enumerated().map { place, state in
        KeptItem(
          source: .state(state, region: resumption.region, slot: slot, number: place + 1),
          name: "\(regions[resumption.region].name ?? "main")/\(states[state].name)", range: 0...1, initial: 0,
          within: .seconds(10))
      }
    }
    return kept + resumed
  }

  /// How many numbers of a frame are about what is kept: what each item began with, and whether it can't be saved.
  var keptCount: Int {
    let count = values.count { $0.kept != nil } + resumptions.reduce(0) { $0 + $1.states.count }
    return count == 0 ? 0 : count + 1
  }

  /// What a scenario's `start` says of what was kept: the numbers and the states that are not the initial ones, with their keys.
  ///
  /// - Parameter numbers: in the order of ``keptItems``.
  func startTexts(of numbers: [Int]) -> [(name: String, text: String)] {
    var texts: [(name: String, text: String)] = []
    var resumed: [String] = []
    for (item, number) in zip(keptItems, numbers) where number != item.initial {
      switch item.source {
      case .value(let value): texts.append((item.name, values[value].text(of: number)))
      case .state(let state, let region, _, _):
        guard let name = regions[region].name else { return texts + [("state", states[state].name)] }
        resumed.append("\(name): \(states[state].name)")
      }
    }
    return texts + (resumed.isEmpty ? [] : [("state", "{ \(resumed.joined(separator: ", ")) }")])
  }
}

extension PanelShow {
  /// What is kept, as it is in a frame.
  func kept(_ items: [KeptItem], in frame: PanelFrame) -> KeptValues<PanelFolder>.Model {
    items.map { .init($0.name, $0.number(in: frame), within: $0.within) }
  }
}

extension PanelRules {
  /// Sets the values that are kept in a first frame.
  ///
  /// - Parameter numbers: in the order of ``PanelDefinition/keptItems``; empty for the initial ones.
  func begin(with numbers: [Int], in frame: inout PanelFrame) {
    for (place, item) in panel.keptItems.enumerated() {
      let number = numbers.indices.contains(place) ? numbers[place] : item.initial
      frame[kept: place] = number
      if let value = item.value { frame[value: value] = number }
    }
  }

  /// Has a region of the top level enter its first state: the one of its `resume` that it was in last, else the initial one.
  ///
  /// - Parameter numbers: as of ``begin(with:in:)``.
  func beginState(of region: Int, with numbers: [Int], in frame: inout PanelFrame, _ finished: inout [Int]) {
    guard !panel.regions[region].resume.isEmpty, let state = resumed(region, numbers) else {
      return enterDefault(region, resumes: false, in: &frame, &finished)
    }
    // As if the state had been left last.
    frame[remembered: region] = state
    enterDefault(region, resumes: true, in: &frame, &finished)
    frame[remembered: region] = -1
  }

  private func resumed(_ region: Int, _ numbers: [Int]) -> Int? {
    for (item, number) in zip(panel.keptItems, numbers) where number == 1 {
      if case .state(let state, region, _, _) = item.source { return state }
    }
    return nil
  }
}

extension ResumedFrame {
  /// In which states of their `resume` the regions have been last, before any is entered.
  func takeResumed(in frame: inout PanelFrame) {
    let last = Set(old.keptItems.filter { $0.region != nil && $0.number(in: before) == 1 }.map(\.name))
    for item in panel.keptItems where last.contains(item.name) {
      if case .state(_, _, let slot, let number) = item.source { frame[resumed: slot] = number }
    }
  }

  /// The same of the states that regions have stayed in, and with what all began that is kept.
  func noteKept(in frame: inout PanelFrame) {
    for (region, _) in panel.resumptions where frame[state: region] >= 0 {
      if let (slot, number) = panel.resumption(of: frame[state: region]) { frame[resumed: slot] = number }
    }
    for (place, item) in panel.keptItems.enumerated() { frame[kept: place] = item.number(in: frame) }
  }
}
