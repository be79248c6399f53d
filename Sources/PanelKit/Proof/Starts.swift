import PanelEngine
import PanelLanguage

/// The possible starts of a panel: the positions of contacts, the restored values, and the restored states. The
/// contacts are all at rest first, then one is moved, then two. After that, contacts are unknown, because they bounce
/// or their chip is missing. All of this repeats for each combination of restored values, the empty one first.
///
/// A contact with several positions counts as one contact for each position that is not its position at rest.
struct Starts: Sequence {
  struct Start {
    /// The number of the start. The lowest bits are the contacts that are not at rest, by their places among the
    /// followed ones. The next bits are the unknown contacts, or the number of a group if there are more than
    /// ``mostUnknown`` contacts. The highest bits are the combination of restored values.
    var number: Int32
  }

  /// The greatest number of contacts that vary at the start. The others are at rest at the start and can move
  /// immediately.
  static let mostSwitches = 13

  /// The greatest number of contacts for which each combination can be unknown. If there are more, only those of a
  /// chip, or all, are unknown.
  static let mostUnknown = 8

  /// The greatest number of combinations of restored values.
  static let mostKept = 10_000

  /// The number of bits in a start below those of the restored values.
  fileprivate static let bits = 16

  /// The greatest number of a group.
  fileprivate static let mostGroups = 7

  private let count: Int
  private let keptCount: Int
  /// The bits of the contacts of each input: at most one of them is moved.
  private let sameInput: [Int]
  /// The combinations of contacts that may be unknown, as bits, and their bits in a start's number; the empty one
  /// first.
  private let unknown: [(contacts: Int, number: Int)]

  init(_ model: ProofModel) {
    let contacts = model.startContacts
    count = contacts.count
    keptCount = Swift.min(model.keptStartCount, Self.mostKept)
    sameInput = Set(contacts.map(\.input)).map { input in
      contacts.indices.filter { contacts[$0].input == input }.reduce(0) { $0 | 1 << $1 }
    }
    let groups = model.unknownGroups.map { group in
      contacts.indices.filter { group.contains(contacts[$0].input) }.reduce(0) { $0 | 1 << $1 }
    }
    if count <= Self.mostUnknown {
      let all = groups.reduce(0) { $0 | $1 }
      let inputs = sameInput
      unknown = Self.byCount(count).filter { unknown in
        unknown & ~all == 0 && inputs.allSatisfy { unknown & $0 == 0 || unknown & $0 == $0 }
      }.map { ($0, $0 << Self.mostUnknown) }
    } else {
      unknown = ([0] + groups).enumerated().map { ($1, $0 << Self.mostSwitches) }
    }
  }

  /// All combinations of `count` bits, those with the fewest set bits first.
  private static func byCount(_ count: Int) -> [Int] {
    (0...count).flatMap { bits in (0..<1 << count).filter { $0.nonzeroBitCount == bits } }
  }

  func makeIterator() -> some IteratorProtocol<Start> {
    let moved = Self.byCount(count).filter { moved in sameInput.allSatisfy { (moved & $0).nonzeroBitCount < 2 } }
    let contacts = unknown.flatMap { unknown in
      moved.filter { $0 & unknown.contacts == 0 }.map { unknown.number | $0 }
    }
    return (0..<keptCount).lazy.flatMap { kept in
      contacts.lazy.map { Start(number: Int32(kept << Self.bits | $0)) }
    }
    .makeIterator()
  }
}

extension ProofModel {
  /// Starts the panel once for each random outcome.
  func forEachStart(
    _ start: Starts.Start, _ body: (_ number: Int32, _ draws: [Int], _ after: Situation) -> Bool
  ) {
    forEachChance({ situation(at: start, drawing: $0) }, body)
  }

  /// The situation after a start. Contacts are known before any state is entered, unless they are unknown in this
  /// start. Sensors have not been read.
  ///
  /// - Parameter draws: the results of the first draws.
  private func situation(at start: Starts.Start, drawing draws: [Int]) -> Situation {
    var frame = rules.blank(withChance: 0, draws: draws, kept: keptNumbers(in: start.number))
    var phases = [ButtonModel.Phase](repeating: .up, count: panel.inputs.count)
    for (input, definition) in panel.inputs.enumerated()
    where definition.device.derived == nil && definition.device.isReadAtStart && !definition.device.isSensor {
      frame[position: input] = 0
    }
    for input in inputs.indices {
      guard case .sensor = inputs[input], let reading = panel.inputs[input].device.readingAtStart else { continue }
      (frame[position: input], frame[reading: input]) = (Presence.isThere, reading)
    }
    if let cells {
      for value in panel.values.indices where panel.values[value].list == nil {
        frame[value: value] = cells.representative(of: frame[value: value], value)
      }
    }
    for (input, position) in moved(in: start.number) {
      if case .sensor = inputs[input], let scale = panel.inputs[input].device.scale {
        frame[reading: input] = scale.initial ?? .unknown
      }
      frame[position: input] = position
      // The beginning of its press was not seen.
      if case .button = inputs[input] { phases[input] = .classified }
    }
    for input in unknown(in: start.number) { frame[position: input] = PanelFrame.unknownPosition }
    rules.begin(at: Self.now, in: &frame)
    var situation = Situation(frame: frame, phases: phases)
    findViolation(in: &situation)
    return situation
  }

  /// The inputs with several positions that have too many for ``Starts/mostSwitches``: their starts are not covered.
  var uncoveredStarts: [Int] {
    let covered = Set(startContacts.map(\.input))
    return inputs.indices.filter { input in
      if case .position(let events) = inputs[input], events.count > 2 { !covered.contains(input) } else { false }
    }
  }

  /// The contacts that can have any position at the start, and their positions that are not at rest: switches, and
  /// buttons whose position or release is followed. Those with several positions come last.
  var startContacts: [(input: Int, position: Int)] {
    var contacts: [(input: Int, position: Int)] = []
    let several = inputs.indices.filter { input in
      if case .position(let events) = inputs[input] { events.count > 2 } else { false }
    }
    for input in inputs.indices.filter({ !several.contains($0) }) + several {
      let others: Int
      switch inputs[input] {
      case .position(let events): others = events.count - 1
      case .button:
        let isFollowed =
          slice.asked.positions.contains(input) || slice.events(of: input).contains(ButtonEvent.released)
        others = isFollowed ? 1 : 0
      // Its chip can be missing, so that it is unknown.
      case .sensor where panel.inputs[input].device.readingAtStart != nil:
        if contacts.count < Starts.mostSwitches { contacts.append((input, PanelFrame.unknownPosition)) }
        continue
      case .none, .events, .sensor: others = 0
      }
      if contacts.count + others <= Starts.mostSwitches { contacts += (0..<others).map { (input, $0 + 1) } }
    }
    return contacts
  }

  /// The contacts that are not at rest at a start, and their positions.
  func moved(in start: Int32) -> [(input: Int, position: Int)] {
    startContacts.enumerated().filter { start >> Int32($0.offset) & 1 == 1 }.map(\.element)
  }

  /// The groups of contacts that may be unknown together at a start: those of a chip that is missing or reads bouncing
  /// lines, and all.
  var unknownGroups: [Set<Int>] {
    var contacts: [Int] = []
    for (input, _) in startContacts where !contacts.contains(input) && !panel.inputs[input].device.isSensor {
      let isPosition = if case .position = inputs[input] { true } else { false }
      if isPosition || slice.asked.positions.contains(input) { contacts.append(input) }
    }
    var chips: [PluggableHardware?] = []
    for input in contacts where !chips.contains(chipsOfInputs[input]) { chips.append(chipsOfInputs[input]) }
    guard chips.count > 1 else { return contacts.isEmpty ? [] : [Set(contacts)] }
    let groups = chips.prefix(Starts.mostGroups - 1).map { chip in Set(contacts.filter { chipsOfInputs[$0] == chip }) }
    return groups + [Set(contacts)]
  }

  /// The contacts that are unknown at a start.
  func unknown(in start: Int32) -> [Int] {
    let contacts = startContacts
    if contacts.count <= Starts.mostUnknown {
      let unknown = contacts.enumerated().filter { start >> Int32(Starts.mostUnknown + $0.offset) & 1 == 1 }
      return Set(unknown.map(\.element.input)).sorted()
    }
    let group = Int(start >> Int32(Starts.mostSwitches)) & Starts.mostGroups
    return group == 0 ? [] : unknownGroups[group - 1].sorted()
  }

  // MARK: - Restored values

  /// A choice among restored values: the numbers of a value, the contents of a list, or the state of a region.
  private struct KeptChoice {
    /// The places of its items.
    var places: [Int]
    /// The value; nil for a region.
    var value: Int?
    /// The numbers of a value that represent its cells, the initial one first; empty for anything else.
    var numbers: [Int] = []
    /// The contents of a list; nil for a value and a region.
    var contents: KeptContents?
    /// The number of possibilities; the first is the initial one.
    var count: Int
  }

  private var keptChoices: [KeptChoice] {
    let items = panel.keptItems
    let followed = panel.values.indices.filter { panel.values[$0].kept != nil && slice.follows(value: $0) }
    return followed.map { value in
      let places = items.indices.filter { items[$0].value == value }
      let definition = panel.values[value]
      if let list = definition.list {
        let contents = KeptContents(
          elements: definition.min...definition.max, capacity: list.capacity, filled: definition.filled)
        return KeptChoice(places: places, value: value, contents: contents, count: contents.count)
      }
      guard let numbers = cells?.numbers(of: value) else {
        return KeptChoice(places: places, value: value, count: items[places[0]].range.count)
      }
      // The initial number is in one of the cells.
      return KeptChoice(places: places, value: value, numbers: [definition.initial] + numbers, count: numbers.count + 1)
    }
      + panel.resumptions.map { region, _ in
        let places = items.indices.filter { items[$0].region == region }
        return KeptChoice(places: places, count: 1 + places.count)
      }
  }

  /// The number of combinations of restored values that are followed; 1 if there are none.
  var keptStartCount: Int {
    keptChoices.reduce(1) { product, choice in
      let (count, isTooLarge) = product.multipliedReportingOverflow(by: choice.count)
      return isTooLarge ? .max : count
    }
  }

  /// The kept values that are followed.
  var keptValues: [Int] { keptChoices.compactMap(\.value) }

  /// The kept value with the most numbers; nil if none is followed.
  var widestKeptValue: Int? {
    keptChoices.filter { $0.value != nil }.max { $0.count < $1.count }?.value
  }

  /// The restored numbers at a start. Those that are not followed are initial.
  func keptNumbers(in start: Int32) -> [Int] {
    let items = panel.keptItems
    var numbers = items.map(\.initial)
    var rest = Int(start) >> Starts.bits
    for choice in keptChoices {
      let place = rest % choice.count
      rest /= choice.count
      guard place > 0 else { continue }
      if let contents = choice.contents {
        for (item, number) in zip(choice.places, contents.numbers(at: place)) { numbers[item] = number }
      } else if !choice.numbers.isEmpty {
        numbers[choice.places[0]] = choice.numbers[place]
      } else if choice.value != nil {
        // The first possibility is the initial number; the others skip it.
        let item = items[choice.places[0]]
        let number = item.range.lowerBound + place - 1
        numbers[choice.places[0]] = number < item.initial ? number : number + 1
      } else {
        numbers[choice.places[place - 1]] = 1
      }
    }
    return numbers
  }

  /// The restored values that are not initial, with the names in a scenario's `start`: `rings`, `12`.
  func kept(in start: Int32) -> [(name: String, text: String)] { panel.startTexts(of: keptNumbers(in: start)) }
}

/// All contents of a kept list, in an order that begins with the initial one.
private struct KeptContents {
  let elements: ClosedRange<Int>
  let capacity: Int
  /// The elements at the start; nil for a list that begins empty, whose length is kept too.
  let filled: [Int]?

  /// The number of contents; ``Int/max`` if there are more.
  var count: Int {
    let lengths = filled == nil ? 0...capacity : capacity...capacity
    var (sum, power) = (0, 1)
    for length in 0...capacity {
      if lengths.contains(length) { sum = Self.limited(sum.addingReportingOverflow(power)) }
      power = Self.limited(power.multipliedReportingOverflow(by: elements.count))
    }
    return sum
  }

  private static func limited(_ result: (partialValue: Int, overflow: Bool)) -> Int {
    result.overflow ? .max : result.partialValue
  }

  /// The numbers of the list's items for one of the contents: the length, if it is kept, and the elements.
  func numbers(at place: Int) -> [Int] {
    if let filled {
      let initial = filled.reduce(0) { number, element in
        let shifted = Self.limited(number.multipliedReportingOverflow(by: elements.count))
        return Self.limited(shifted.addingReportingOverflow(element - elements.lowerBound))
      }
      return digits(of: place <= initial ? place - 1 : place, count: capacity)
    }
    var (rest, length, power) = (place, 0, 1)
    while rest >= power { (rest, length, power) = (rest - power, length + 1, power * elements.count) }
    return [length] + digits(of: rest, count: length) + [Int](repeating: 0, count: capacity - length)
  }

  private func digits(of number: Int, count: Int) -> [Int] {
    var (digits, rest) = ([Int](), number)
    for _ in 0..<count {
      digits.append(elements.lowerBound + rest % elements.count)
      rest /= elements.count
    }
    return digits.reversed()
  }
}
