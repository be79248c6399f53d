import PanelEngine
import PanelLanguage

/// The numbers of a panel's frames that a proof keeps: all except counters and numbers that nothing depends on.
struct StateVectorLayout {
  private(set) var places: [Int] = []
  /// The kept numbers that have no meaning while a state is not current, with that state.
  private(set) var stale: [(place: Int, state: Int)] = []
  /// The place that records whether a sound has ended, for each followed sound.
  private(set) var sounds: [(sound: Int, place: Int)] = []
  /// A frame in which all omitted numbers are as at the start, and counters are 0.
  private(set) var base: PanelFrame

  init(_ model: ProofModel) {
    base = model.rules.seed
    let (panel, slice, layout) = (model.panel, model.slice, base.places)
    var omitted: Set<Int> = []
    let resumed = panel.resumedRegions
    for region in panel.regions.indices {
      omitted.insert(FrameLayout.place(.entry, of: region))
      omitted.insert(FrameLayout.place(.entered, of: region))
      if !resumed.contains(region) { omitted.insert(FrameLayout.place(.remembered, of: region)) }
    }
    for (value, definition) in panel.values.enumerated() where !slice.follows(value: value) {
      omitted.insert(Int(layout.value) + value)
      let list = definition.list
      for place in 0..<(list?.capacity ?? 0) { omitted.insert(Int(layout.element) + (list?.first ?? 0) + place) }
    }
    for sound in panel.sounds.indices {
      omitted.insert(layout.place(.start, of: sound))
      if slice.follows(sound: sound) {
        sounds.append((sound, layout.place(.ended, of: sound)))
      } else {
        omitted.insert(layout.place(.ended, of: sound))
        omitted.insert(layout.place(.isOnce, of: sound))
      }
    }
    if sounds.isEmpty { omitted.formUnion((0..<panel.choiceCount).map { Int(layout.choice) + $0 }) }
    omitted.formUnion(layout.losses)
    omitted.formUnion(layout.resumedSlots)
    omitted.formUnion(layout.keptNumbers)
    omitted.formUnion(layout.sentMessages)
    omitted.formUnion(layout.powerRequests)
    for input in panel.inputs.indices {
      if !Self.keepsPosition(of: input, model) { omitted.insert(Int(layout.position) + input) }
      if !slice.asked.readings.contains(input) { omitted.insert(Int(layout.reading) + input) }
    }
    for group in panel.inputGroups.indices where !slice.asked.members.contains(group) {
      omitted.insert(Int(layout.member) + group)
    }
    for (input, numbers, counters) in model.rules.derived.numbers {
      for number in slice.follows(input: input) ? counters : Array(numbers) {
        omitted.insert(Int(layout.derived) + number)
      }
    }
    if model.slice.asked.contacts.isEmpty { omitted.formUnion(layout.contacts) }
    omitted.formUnion(layout.common)
    let waits = Self.waits(model)
    omitted.formUnion(
      waits.omitted.map { $0.isWait ? Int(layout.wait) + $0.number : Int(layout.repetition) + $0.number })
    stale = waits.kept.map {
      ($0.slot.isWait ? Int(layout.wait) + $0.slot.number : Int(layout.repetition) + $0.slot.number, $0.state)
    }
    places = (0..<base.numberCount).filter { !omitted.contains($0) }

    for place in omitted { base[number: place] = 0 }
    for (value, definition) in panel.values.enumerated() { base[value: value] = definition.initial }
    for (input, definition) in panel.inputs.enumerated() {
      if let scale = definition.device.scale { base[reading: input] = scale.initial ?? .unknown }
    }
  }

  private static func keepsPosition(of input: Int, _ model: ProofModel) -> Bool {
    switch model.inputs[input] {
    case .position, .sensor: true
    case .events where type(of: model.panel.inputs[input].device).control == .events:
      model.slice.asked.positions.contains(input)
    case .none, .events, .button:
      model.slice.follows(input: input) && model.slice.asked.positions.contains(input)
        || model.panel.inputs[input].device.derived != nil && model.slice.follows(input: input)
    }
  }

  private struct Slot {
    var number: Int
    var isWait: Bool
  }

  /// The numbers of deadlines: the kept ones with their states, and the omitted ones (counters, and those that are not
  /// followed).
  private static func waits(_ model: ProofModel) -> (kept: [(slot: Slot, state: Int)], omitted: [Slot]) {
    var kept: [(slot: Slot, state: Int)] = []
    var omitted: [Slot] = []
    for (state, definition) in model.panel.states.enumerated() {
      for (index, deadline) in definition.after.enumerated() {
        let isFollowed = model.slice.deadlines[state][index]
        switch deadline.recurrence {
        case .once: break
        case .again(let number): omitted.append(Slot(number: number, isWait: false))
        case .untouched(let number):
          let slot = Slot(number: number, isWait: false)
          if isFollowed { kept.append((slot, state)) } else { omitted.append(slot) }
        }
        switch deadline.delay {
        case .fixed: break
        case .drawn(_, let wait): omitted.append(Slot(number: wait, isWait: true))
        case .value(_, let wait):
          let slot = Slot(number: wait, isWait: true)
          if isFollowed { kept.append((slot, state)) } else { omitted.append(slot) }
        }
      }
    }
    return (kept, omitted)
  }
}
