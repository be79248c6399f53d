/// A number that a panel keeps over restarts.
package struct KeptItem: Equatable, Sendable {
  package enum Source: Equatable, Sendable {
    /// A value, by its index.
    case value(Int)
    /// Whether a region's last state was this state of its `resume`: 1 or 0. With the region's slot in a frame, and the
    /// state's number there.
    case state(Int, region: Int, slot: Int, number: Int)
  }

  package var source: Source
  /// The name in the file: `rings`, `main/armed`.
  package var name: String
  /// The range of the number.
  package var range: ClosedRange<Int>
  package var initial: Int
  /// The longest time between a change and its save.
  package var within: Duration

  /// The index of the value; nil for a state.
  package var value: Int? { if case .value(let value) = source { value } else { nil } }
  /// The region of the state; nil for a value.
  package var region: Int? { if case .state(_, let region, _, _) = source { region } else { nil } }
}

extension PanelDefinition.Value {
  /// The settings of a kept value.
  package struct Keeping: Equatable, Sendable {
    /// The longest time between a change and its save.
    var within = Duration.seconds(10)
    var position: Position
  }
}

extension PanelDefinition.Region {
  /// A state in which a region may start.
  package struct Resume: Equatable, Sendable {
    var state: Int
    var position: Position
  }
}

extension PanelDefinition {
  /// The regions that can start in a state other than the initial one, with these states, in the order of the file.
  /// Each region has a slot in a frame: 0 if its last state was the initial one, otherwise the state's place in the
  /// list, from 1.
  package var resumptions: [(region: Int, states: [Int])] {
    regions.enumerated().compactMap { number, region in
      let states = region.resume.map(\.state).filter { $0 != region.initial }
      return states.isEmpty ? nil : (number, states)
    }
  }

  /// Returns the slot of a state's region, and the number that entry into the state stores there; nil if it stores
  /// none.
  package func resumption(of state: Int) -> (slot: Int, number: Int)? {
    for (slot, resumption) in resumptions.enumerated() {
      if state == regions[resumption.region].initial { return (slot, 0) }
      if let place = resumption.states.firstIndex(of: state) { return (slot, place + 1) }
    }
    return nil
  }

  /// The kept items: values in the order of the file, then states in the order of their regions. Empty if the panel
  /// keeps nothing.
  package var keptItems: [KeptItem] {
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

  /// The number of a frame's columns for kept items: the initial number of each item, and whether saving fails.
  package var keptCount: Int {
    let count = values.count { $0.kept != nil } + resumptions.reduce(0) { $0 + $1.states.count }
    return count == 0 ? 0 : count + 1
  }

  /// Returns the kept numbers and states for a scenario's `start`, with their keys. Initial ones are left out.
  ///
  /// - Parameter numbers: the numbers in the order of ``keptItems``.
  package func startTexts(of numbers: [Int]) -> [(name: String, text: String)] {
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
