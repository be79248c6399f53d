import CycleCore
import PanelEngine
import PanelLanguage

/// The first frame of a panel that replaces another one.
///
/// Things with the same name are the same: values, inputs and sounds, and states with the same path of states and
/// regions around them. Everything else starts as in a new panel.
struct ResumedFrame {
  let rules: PanelRules
  /// The previous panel and its last frame.
  let old: PanelDefinition
  let before: PanelFrame
  /// The time of the reload.
  let now: Moment
  /// The time at which the previous panel started and entered its initial states.
  let beginning: Moment
  /// The sounds that are the same in both panels, by their names.
  let sameSounds: Set<String>
  /// The kept numbers, by name, of values that the previous panel doesn't have.
  let kept: [String: Int]
  private let states: [String: Int]
  private let regions: [String: Int]

  init(
    _ rules: PanelRules, from old: PanelDefinition, in before: PanelFrame, at now: Moment, beginning: Moment,
    sameSounds: Set<String>, kept: [String: Int] = [:]
  ) {
    (self.rules, self.old, self.before, self.now) = (rules, old, before, now)
    (self.beginning, self.sameSounds, self.kept) = (beginning, sameSounds, kept)
    let paths = StatePaths(of: old)
    states = Dictionary(uniqueKeysWithValues: paths.states.enumerated().map { ($1, $0) })
    regions = Dictionary(uniqueKeysWithValues: paths.regions.enumerated().map { ($1, $0) })
  }

  var panel: PanelDefinition { rules.panel }

  /// Makes the frame. If the previous states would violate a `never`, all regions enter their initial states.
  func make() -> PanelFrame {
    let frame = make(keepsStates: true)
    return frame.isStopped ? make(keepsStates: false) : frame
  }

  /// - Returns: a stopped frame if it violates a `never`.
  private func make(keepsStates: Bool) -> PanelFrame {
    var frame = PanelFrame(FrameSizes(of: panel), values: panel.values.map(\.initial))
    frame.seed(with: UInt64(bitPattern: Int64(before.stream)))
    frame.prescribe(draws: before.prescribedDraws)
    frame.now = Int(now.nanoseconds)
    frame.touchCount = before.touchCount
    takeValues(in: &frame)
    takeInputs(in: &frame)
    takeClock(in: &frame)
    takeContacts(in: &frame)
    takeSounds(in: &frame)
    rules.derived.begin(in: &frame)
    takeDeadlines(of: 0, from: 0, in: &frame)
    remember(in: &frame)
    takeResumed(in: &frame)
    var finished: [Int] = []
    let paths = StatePaths(of: panel)
    for region in panel.states[0].regions { enter(region, paths, keepsStates, in: &frame, &finished) }
    rules.settle(finished, in: &frame)
    if !rules.table.byNever.isEmpty { rules.checkNevers(after: .start, from: frame, in: &frame) }
    noteKept(in: &frame)
    frame.now = 0
    return frame
  }

  // MARK: - States

  /// Returns the previous panel's current state in a region, found by path; nil if the new region doesn't have it.
  func state(of region: Int, _ paths: StatePaths) -> (new: Int, old: Int)? {
    guard let other = regions[paths.regions[region]] else { return nil }
    let current = before[state: other]
    guard current >= 0 else { return nil }
    return panel.regions[region].states.first { states[paths.states[$0]] == current }.map { ($0, current) }
  }

  /// Keeps the current state of the previous panel, or enters the initial state.
  private func enter(
    _ region: Int, _ paths: StatePaths, _ keepsStates: Bool, in frame: inout PanelFrame, _ finished: inout [Int]
  ) {
    guard keepsStates, let (state, other) = state(of: region, paths) else {
      return rules.enterDefault(region, resumes: false, in: &frame, &finished)
    }
    let oldRegion = old.states[other].region
    frame[state: region] = state
    frame[entry: region] = before[entry: oldRegion]
    frame[entered: region] = Int(entered(oldRegion).nanoseconds)
    takeDeadlines(of: state, from: other, in: &frame)
    takeChoices(of: state, from: other, in: &frame)
    for inner in panel.states[state].regions { enter(inner, paths, keepsStates, in: &frame, &finished) }
  }

  /// Returns the time at which a region of the previous panel entered its state.
  func entered(_ region: Int) -> Moment {
    let moment = before[entered: region]
    return moment < 0 ? beginning : Moment(nanoseconds: Int64(moment))
  }

  /// Takes over the states that each region left last.
  private func remember(in frame: inout PanelFrame) {
    let paths = StatePaths(of: panel)
    for region in panel.regions.indices {
      guard let other = regions[paths.regions[region]] else { continue }
      frame[entry: region] = before[entry: other]
      let last = before[remembered: other]
      guard last >= 0 else { continue }
      frame[remembered: region] = panel.regions[region].states.first { states[paths.states[$0]] == last } ?? -1
    }
  }

  /// Takes over the counts, random delays and readings for the deadlines of a state that stays current.
  private func takeDeadlines(of state: Int, from other: Int, in frame: inout PanelFrame) {
    for (place, deadline) in panel.states[state].after.enumerated() {
      let last = old.states[other].after.indices.contains(place) ? old.states[other].after[place] : nil
      switch (deadline.recurrence, last?.recurrence) {
      case (.again(let number), .again(let other)), (.untouched(let number), .untouched(let other)):
        frame[repetition: number] = before[repetition: other]
      default: break
      }
      switch (deadline.delay, last?.delay) {
      case (.drawn(let range, let wait), .drawn(let same, let other)) where range == same:
        frame[wait: wait] = before[wait: other]
      case (.value(_, let wait), .value(_, let other)): frame[wait: wait] = before[wait: other]
      default: rules.beginWait(deadline.delay, in: &frame)
      }
    }
  }

  /// Takes over the chosen members of groups of sounds that a state which stays current plays.
  private func takeChoices(of state: Int, from other: Int, in frame: inout PanelFrame) {
    for (place, playing) in panel.states[state].play.enumerated() {
      guard case .member(_, _, let choice?) = playing else { continue }
      let last = old.states[other].play.indices.contains(place) ? old.states[other].play[place] : nil
      guard case .member(_, _, let chosen?) = last else {
        rules.begin(playing, in: &frame)
        continue
      }
      let sound = before[choice: chosen]
      frame[choice: choice] = sound < 0 ? -1 : panel.sounds.firstIndex { $0.name == old.sounds[sound].name } ?? -1
    }
  }

  // MARK: - Values, inputs, sounds

  private func takeValues(in frame: inout PanelFrame) {
    for (place, value) in panel.values.enumerated() {
      guard let other = ResumedFrame.value(like: value, in: old) else {
        if let list = value.list, let filled = value.filled {
          frame.setElements(of: list, to: filled)
        }
        for item in panel.keptItems where item.value == place {
          if let number = kept[item.name] { rules.take(number, as: item, in: &frame) }
        }
        continue
      }
      let converted = { (number: Int) in
        let number = Quantity.rescaled(number, from: old.values[other].decimals, to: value.decimals)
        return min(value.max, max(value.min, number))
      }
      switch (value.list, old.values[other].list) {
      case (let list?, let elements?):
        let own = before.elements(of: elements).map(converted)
        frame.setElements(of: list, to: own + (value.filled ?? []).dropFirst(own.count))
      default: frame[value: place] = converted(before[value: other])
      }
    }
  }

  /// Returns the index of the value with the same name and type; nil if there is none.
  static func value(like value: PanelDefinition.Value, in panel: PanelDefinition) -> Int? {
    panel.values.firstIndex {
      $0.name == value.name && $0.isDuration == value.isDuration && $0.isTime == value.isTime
        && ($0.list == nil) == (value.list == nil) && ($0.filled == nil) == (value.filled == nil)
    }
  }

  private func takeInputs(in frame: inout PanelFrame) {
    for (place, input) in panel.inputs.enumerated() {
      if let scale = input.device.scale { frame[reading: place] = scale.initial ?? .unknown }
      if input.device.isUnknownAtStart { frame[position: place] = PanelFrame.unknownPosition }
      guard let other = old.inputs.firstIndex(where: { $0.name == input.name }),
        case let device = old.inputs[other].device, type(of: device) == type(of: input.device)
      else { continue }
      if let scale = input.device.scale {
        guard scale.decimals == device.scale?.decimals else { continue }
        let reading = before[reading: other]
        if reading != .unknown {
          frame[reading: place] = min(scale.range.upperBound, max(scale.range.lowerBound, reading))
        }
      }
      if input.device.isKnownByEvents {
        frame[position: place] = frame[reading: place] == .unknown ? PanelFrame.unknownPosition : 0
      } else if type(of: input.device).control == .selector {
        let word = device.word(ofPosition: before[position: other])
        frame[position: place] = input.device.positions.firstIndex(of: word) ?? PanelFrame.unknownPosition
      } else if input.device.positions.count == device.positions.count {
        frame[position: place] = before[position: other]
      }
      // The new file determines the reading of a sensor that is lost now.
      if input.device.isSensor, let lost = input.device.scale?.lost, frame[position: place] == Presence.isLost {
        frame[reading: place] = lost
      }
    }
    for (number, group) in panel.inputGroups.enumerated() {
      let other = old.inputGroups.firstIndex { $0.name == group.name }
      let member = other.map { before[member: $0] }
      frame[member: number] = member.flatMap { group.numbers.contains($0) ? $0 : nil } ?? group.nobody
    }
  }

  /// Takes over the times up to which the alarms were checked, and the dates of those with the same text.
  private func takeClock(in frame: inout PanelFrame) {
    guard let clock = panel.clock, let other = old.clock else { return }
    let same = clock.alarms.map { alarm in
      other.alarms.firstIndex { $0.word == alarm.word && $0.late == alarm.late }
    }
    rules.continueClock(from: before, same: same, at: now, in: &frame)
  }

  /// Takes over the known contacts of relays. The hardware reports the others as soon as it runs again.
  private func takeContacts(in frame: inout PanelFrame) {
    guard frame.knowsContacts else { return }
    for output in panel.interlocks.flatMap(\.relays) {
      let other = old.outputs.firstIndex { $0.name == panel.outputs[output].name }
      frame[contact: output] =
        if let other, before.knowsContacts { before[contact: other] } else { PanelFrame.unknownPosition }
    }
  }

  private func takeSounds(in frame: inout PanelFrame) {
    for (place, sound) in panel.sounds.enumerated() {
      guard let other = old.sounds.firstIndex(where: { $0.name == sound.name }) else { continue }
      let isSame = sameSounds.contains(sound.name)
      // A higher start count starts the sound again.
      frame[start: place] = before[start: other] + (isSame ? 0 : 1)
      frame[ended: place] = isSame && before[ended: other]
      frame[isOnce: place] = isSame && before[isOnce: other]
    }
  }
}

/// The full names of a panel's states and regions, with everything around them. A region without a name is identified
/// by its place.
struct StatePaths {
  private(set) var states: [String] = []
  private(set) var regions: [String]

  init(of panel: PanelDefinition) {
    regions = panel.regions.map { _ in "" }
    states = panel.states.map { _ in "" }
    // A region follows the state around it, and a state follows its region.
    for state in panel.states.indices {
      if state > 0 { states[state] = "\(regions[panel.states[state].region])/\(panel.states[state].name)" }
      for region in panel.states[state].regions {
        regions[region] = "\(states[state])/\(panel.regions[region].name ?? "")"
      }
    }
  }
}

extension ResumedFrame {
  /// Takes over the last `resume` states of the regions, before any state is entered.
  func takeResumed(in frame: inout PanelFrame) {
    let last = Set(old.keptItems.filter { $0.region != nil && $0.number(in: before) == 1 }.map(\.name))
    for item in panel.keptItems where last.contains(item.name) {
      if case .state(_, _, let slot, let number) = item.source { frame[resumed: slot] = number }
    }
  }

  /// Records the states in which regions have stayed, and the initial numbers of all kept items.
  func noteKept(in frame: inout PanelFrame) {
    for (region, _) in panel.resumptions where frame[state: region] >= 0 {
      if let (slot, number) = panel.resumption(of: frame[state: region]) { frame[resumed: slot] = number }
    }
    for (place, item) in panel.keptItems.enumerated() { frame[kept: place] = item.number(in: frame) }
  }
}
