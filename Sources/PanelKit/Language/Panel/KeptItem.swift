/// A number that a panel keeps over restarts.
package struct KeptItem: Equatable, Sendable {
  package enum Source: Equatable, Sendable {
    /// A value, by its index; for a list, its length.
    case value(Int)
    /// An element of a list: the list's value, and its place among the elements of all lists.
    case element(value: Int, place: Int)
    /// Whether a region's last state was this state of its `resume`: 1 or 0. With the region's slot in a frame, and the
    /// state's number there.
    case state(Int, region: Int, slot: Int, number: Int)
    /// The time up to which the alarms were checked, in seconds since 1970.
    case checkedTime
    /// The date on which an alarm was taken last, as a number of days.
    case takenAlarm(Int)
  }

  package var source: Source
  /// The name in the file: `rings`, `main/armed`, `code/1` for an element of a list.
  package var name: String
  /// The range of the number.
  package var range: ClosedRange<Int>
  package var initial: Int
  /// The number of decimals of a value, or of an element.
  package var decimals = 0
  /// The longest time between a change and its save.
  package var within: Duration

  /// The name among the kept numbers. It contains the decimals, so that a number is never read with different ones.
  package var storedName: String { Self.storedName(name, decimals: decimals) }

  private static func storedName(_ name: String, decimals: Int) -> String {
    decimals == 0 ? name : "\(name).\(decimals)"
  }

  /// The names of the value with different decimals, as an earlier panel file may have kept it.
  package var earlierNames: [(name: String, decimals: Int)] {
    guard value != nil else { return [] }
    return (0...Quantity.mostDecimals).filter { $0 != decimals }.map { (Self.storedName(name, decimals: $0), $0) }
  }

  /// The index of the value, also for an element; nil for a state.
  package var value: Int? {
    switch source {
    case .value(let value), .element(let value, _): value
    default: nil
    }
  }
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
    let kept = values.enumerated().flatMap { number, value in
      value.kept.map { keptItems(of: number, value, within: $0.within) } ?? []
    }
    let resumed = resumptions.enumerated().flatMap { slot, resumption in
      resumption.states.enumerated().map { place, state in
        KeptItem(
          source: .state(state, region: resumption.region, slot: slot, number: place + 1),
          name: "\(regions[resumption.region].name ?? "main")/\(states[state].name)", range: 0...1, initial: 0,
          within: .seconds(10))
      }
    }
    return kept + resumed + keptTimes
  }

  /// The kept items of a value: a number, or the elements of a list, after its length if that varies.
  private func keptItems(of number: Int, _ value: Value, within: Duration) -> [KeptItem] {
    guard let list = value.list else {
      return [
        KeptItem(
          source: .value(number), name: value.name, range: value.min...value.max, initial: value.initial,
          decimals: value.decimals, within: within)
      ]
    }
    let length = KeptItem(
      source: .value(number), name: value.name, range: 0...list.capacity, initial: 0, within: within)
    let elements = (0..<list.capacity).map { place in
      let initial = value.filled?[place] ?? 0
      return KeptItem(
        source: .element(value: number, place: list.first + place), name: "\(value.name)/\(place + 1)",
        range: min(initial, value.min)...max(initial, value.max), initial: initial, decimals: value.decimals,
        within: within)
    }
    return (value.filled == nil ? [length] : []) + elements
  }

  /// The kept items of the clock, in a file with a time that may be late.
  private var keptTimes: [KeptItem] {
    guard let clock, clock.catchesUp else { return [] }
    let range = -1...(1 << 40)
    // Two states can have the same time with another `late`, and a region called clock can have a state called wake.
    let taken = clock.alarms.enumerated().map { alarm, of in
      KeptItem(
        source: .takenAlarm(alarm), name: "clock/\(of.word)/\(Quantity.text(of.late))", range: range, initial: -1,
        within: .seconds(1))
    }
    return [KeptItem(source: .checkedTime, name: "clock", range: range, initial: -1, within: .seconds(1))] + taken
  }

  /// The number of a frame's columns for kept items: the initial number of each item, and whether saving fails.
  package var keptCount: Int {
    let count = keptItems.count
    return count == 0 ? 0 : count + 1
  }

  /// Returns the kept numbers and states for a scenario's `start`, with their keys. Initial ones are left out.
  ///
  /// - Parameter numbers: the numbers in the order of ``keptItems``.
  package func startTexts(of numbers: [Int]) -> [(name: String, text: String)] {
    var texts: [(name: String, text: String)] = []
    var resumed: [String] = []
    let items = keptItems
    for (item, number) in zip(items, numbers) where number != item.initial {
      switch item.source {
      case .value(let value), .element(let value, _):
        guard let list = values[value].list else {
          texts.append((item.name, values[value].text(of: number)))
          continue
        }
        guard texts.last?.name != values[value].name else { continue }
        texts.append((values[value].name, startText(of: list, items, numbers)))
      case .checkedTime, .takenAlarm: continue
      case .state(let state, let region, _, _):
        guard let name = regions[region].name else { return texts + [("state", states[state].name)] }
        resumed.append("\(name): \(states[state].name)")
      }
    }
    return texts + (resumed.isEmpty ? [] : [("state", "{ \(resumed.joined(separator: ", ")) }")])
  }

  /// The elements of a kept list: `[ 3, 1, 4 ]`.
  private func startText(of list: ListSlots, _ items: [KeptItem], _ numbers: [Int]) -> String {
    let own = items.indices.filter { items[$0].value == list.value }
    let hasLength = own.count > list.capacity
    let count = hasLength ? numbers[own[0]] : list.capacity
    let elements = own.dropFirst(hasLength ? 1 : 0).prefix(count).map { values[list.value].text(of: numbers[$0]) }
    return "[ \(elements.joined(separator: ", ")) ]"
  }
}
