import CycleCore
import HardwareDrivers

/// What a panel shows: the frame filters of its drivers.
final class PanelShow: Sendable {
  let panel: PanelDefinition
  /// The `show` entries of each state, sorted by output. Of a thousand outputs a state has entries for a few.
  private let looks: [[PanelDefinition.Show]]
  /// The region that is asked first what it shows of an output: the one of the top level whose states show it, or the first of those
  /// that the file lists; nil where no state shows the output.
  private let showing: [Int?]
  /// The regions that are asked after it, by output: nearly always none.
  private let nextShowing: [Int: [Int]]
  /// What the top level shows of each output.
  private let topLooks: [Appearance]
  private let topSelections: [PanelDefinition.Selection?]
  /// For each region whether a state in it has regions inside.
  private let isNested: [Bool]
  /// Whether any state has a deadline.
  let hasDeadlines: Bool
  private let derived: DerivedInputs

  init(panel: PanelDefinition) {
    self.panel = panel
    let outputs = panel.outputs.indices
    looks = panel.states.map { $0.show.sorted { $0.output < $1.output } }
    let tree = StateTree(panel)
    var showing = [Int?](repeating: nil, count: outputs.count)
    for state in panel.states.indices.dropFirst() {
      for show in looks[state] { showing[show.output] = tree.topRegions[state] }
    }
    var nextShowing: [Int: [Int]] = [:]
    for output in outputs {
      let listed = panel.outputs[output].shownBy
      guard let first = listed.first else { continue }
      // States around the listed regions come last.
      nextShowing[output] = listed.dropFirst() + [showing[output] ?? first]
      showing[output] = first
    }
    self.showing = showing
    self.nextShowing = nextShowing
    isNested = panel.regions.map { region in region.states.contains { !panel.states[$0].regions.isEmpty } }
    derived = DerivedInputs(of: panel)
    hasDeadlines = panel.states.contains { !$0.after.isEmpty } || derived.haveDeadlines || panel.readsElapsed
    var topLooks = [Appearance](repeating: .off, count: outputs.count)
    var topSelections = [PanelDefinition.Selection?](repeating: nil, count: outputs.count)
    for show in panel.states[0].show {
      topLooks[show.output] = show.appearance
      topSelections[show.output] = show.selection
    }
    self.topLooks = topLooks
    self.topSelections = topSelections
  }

  /// The appearance of an output in a frame: by the `show` of the innermost current state that has an entry for it, in the first
  /// region that has one, else the top level's, else off.
  func appearance(of output: Int, in frame: PanelFrame) -> Appearance {
    guard !frame.isStopped else { return panel.safe[output] }
    if let show = show(output, in: frame) { return selected(show.appearance, by: show.selection, in: frame) }
    return selected(topLooks[output], by: topSelections[output], in: frame)
  }

  /// What the first region with a current state that shows an output has for it.
  private func show(_ output: Int, in frame: PanelFrame) -> PanelDefinition.Show? {
    guard let region = showing[output] else { return nil }
    if let show = innermostShow(output, in: region, of: frame) { return show }
    if !nextShowing.isEmpty, let regions = nextShowing[output] {
      for region in regions {
        if let show = innermostShow(output, in: region, of: frame) { return show }
      }
    }
    return nil
  }

  /// The appearance of a member of a group, which is off while another member is selected.
  private func selected(
    _ appearance: Appearance, by selection: PanelDefinition.Selection?, in frame: PanelFrame
  ) -> Appearance {
    guard let selection, selection.number.result(in: frame) != selection.place else { return appearance }
    return .off
  }

  private func innermostShow(_ output: Int, in region: Int, of frame: PanelFrame) -> PanelDefinition.Show? {
    let state = frame[state: region]
    guard state >= 0 else { return nil }
    if isNested[region] {
      for inner in panel.states[state].regions {
        if let show = innermostShow(output, in: inner, of: frame) { return show }
      }
    }
    return show(output, in: state)
  }

  /// The entry for an output in a state's `show`; nil if there is none. A binary search.
  private func show(_ output: Int, in state: Int) -> PanelDefinition.Show? {
    let shows = looks[state]
    var range = shows.startIndex..<shows.endIndex
    while range.count > 0 {
      let middle = (range.lowerBound + range.upperBound) / 2
      if shows[middle].output == output { return shows[middle] }
      range = shows[middle].output < output ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The most models that a filter makes in advance.
  private static let preparedModels = 1 << 16

  /// A frame filter that makes the models of these outputs. If at most one region shows any of them, as on most panels, and
  /// nothing that is shown depends on values, the models of all its states are made in advance, up to `preparedModels`.
  ///
  /// - Parameter model: makes the model of an output, which is known by its place in `outputs`.
  @inline(__always)
  func filter<Model>(
    of outputs: [Int], as model: @escaping (_ place: Int, Appearance, PanelValues) -> Model
  ) -> (PanelFrame) -> [Model] {
    let regions = Set(outputs.compactMap { showing[$0] })
    let region = regions.first ?? 0
    let states = panel.regions[region].states
    guard regions.count <= 1, !isNested[region], states.count * outputs.count <= Self.preparedModels,
      !dependsOnValues(outputs, in: region), outputs.allSatisfy({ nextShowing[$0] == nil })
    else {
      return { [self] frame in
        let values = self.values(in: frame)
        return outputs.indices.map { model($0, appearance(of: outputs[$0], in: frame), values) }
      }
    }
    let values = PanelValues(panel: panel, frame: PanelRules(panel: panel).seed)
    // By the state's number: those of one region need not follow each other.
    var models = [[Model]](repeating: [], count: (states.max() ?? 0) + 1)
    for state in states {
      models[state] = outputs.indices.map { place in
        model(place, show(outputs[place], in: state)?.appearance ?? topLooks[outputs[place]], values)
      }
    }
    let safe = outputs.indices.map { model($0, panel.safe[outputs[$0]], values) }
    return { frame in frame.isStopped ? safe : models[frame[state: region]] }
  }

  /// Whether what any of these outputs shows in any state of a region depends on values.
  private func dependsOnValues(_ outputs: [Int], in region: Int) -> Bool {
    let wanted = Set(outputs)
    return outputs.contains { topLooks[$0].dependsOnValues || topSelections[$0] != nil }
      || panel.regions[region].states.contains { state in
        looks[state].contains {
          wanted.contains($0.output) && ($0.appearance.dependsOnValues || $0.selection != nil)
        }
      }
  }

  /// The deadlines of the current states, and of inputs that follow from others.
  func deadlines(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] {
    guard !frame.isStopped else { return [] }
    var deadlines = derived.isEmpty ? [] : derived.deadlines(in: frame)
    if panel.readsElapsed,
      panel.regions.indices.contains(where: { frame[state: $0] >= 0 && frame[entered: $0] == 0 })
    {
      deadlines.append(.after(.zero, PanelDeadline(owner: .begin, entry: 0)))
    }
    addDeadlines(of: 0, entry: 0, in: frame, to: &deadlines)
    for region in panel.regions.indices where frame[state: region] >= 0 {
      addDeadlines(of: frame[state: region], entry: frame[entry: region], in: frame, to: &deadlines)
    }
    return deadlines
  }

  private func addDeadlines(
    of state: Int, entry: Int, in frame: PanelFrame, to deadlines: inout [Timer<PanelDeadline>.Deadline]
  ) {
    let after = panel.states[state].after
    for index in after.indices {
      var id = PanelDeadline(owner: .state(state, index), entry: entry)
      switch after[index].recurrence {
      case .once: break
      case .again(let number): id.repetition = frame[repetition: number]
      case .untouched(let number):
        // Once for each time that nobody touches the panel.
        guard frame[repetition: number] == 0 else { continue }
        id.repetition = frame.touchCount
      }
      deadlines.append(.after(wait(of: after[index], in: frame), id))
    }
  }

  private func wait(of deadline: PanelDefinition.Deadline, in frame: PanelFrame) -> Duration {
    switch deadline.delay {
    case .fixed(let duration): duration
    case .drawn(_, let wait), .value(_, let wait): .milliseconds(frame[wait: wait])
    }
  }

  /// The sounds that the current states play, each once, in the order of the regions and of each state's `play`; then those that
  /// play to their ends, whatever the states play.
  func playing(in frame: PanelFrame) -> [Int] {
    var playing: [Int] = []
    guard !frame.isStopped else { return playing }
    for region in panel.regions.indices where frame[state: region] >= 0 {
      let play = panel.states[frame[state: region]].play
      for item in play {
        let sound =
          switch item {
          case .sound(let sound): sound
          case .member(_, _, let choice): choice.map { frame[choice: $0] } ?? -1
          }
        if sound >= 0, !playing.contains(sound) { playing.append(sound) }
      }
    }
    for sound in panel.sounds.indices where frame[isOnce: sound] && !playing.contains(sound) { playing.append(sound) }
    return playing
  }

  /// The regions whose current state is told: those of the top level, and those with a name.
  var toldRegions: [Int] {
    panel.regions.indices.filter { panel.regions[$0].owner == 0 || panel.regions[$0].name != nil }
  }

  /// The innermost current state that a region's state is told by; -1 if the region isn't current.
  func toldState(of region: Int, in frame: PanelFrame) -> Int {
    var state = frame[state: region]
    while state >= 0, let inner = panel.states[state].regions.first, panel.regions[inner].name == nil {
      guard frame[state: inner] >= 0 else { break }
      state = frame[state: inner]
    }
    return state
  }

  /// A state with the states around it, as it is told of a region: `moving/closing`.
  func path(of state: Int, in region: Int) -> String {
    guard state >= 0 else { return "-" }
    return states(from: state, upTo: region).reversed().map { panel.states[$0].name }.joined(separator: "/")
  }

  /// The current states in a sentence: `moving/closing`, or `doors: open, light: off`.
  func stateText(in frame: PanelFrame) -> String {
    toldRegions.filter { frame[state: $0] >= 0 }.map { region in
      let path = path(of: toldState(of: region, in: frame), in: region)
      return panel.regions[region].name.map { "\($0): \(path)" } ?? path
    }.joined(separator: ", ")
  }

  /// A state and those around it, the innermost first, up to the one that is directly in a region.
  func states(from state: Int, upTo region: Int) -> [Int] {
    var states = [state]
    while let last = states.last, panel.states[last].region != region {
      states.append(panel.regions[panel.states[last].region].owner)
    }
    return states
  }

  /// The sounds that are heard: those that play and have not ended, and none while the card is lost.
  func audible(in frame: PanelFrame) -> [Int] {
    frame.isMissing(.audio) ? [] : playing(in: frame).filter { !frame[ended: $0] }
  }

  /// The volume of everything, 0...1.
  func volume(in frame: PanelFrame) -> Double {
    switch panel.audio.volume {
    case nil: 1
    case .fixed(let volume): volume
    case .value(let value): values(in: frame).share(of: value)
    }
  }

  func values(in frame: PanelFrame) -> PanelValues { PanelValues(panel: panel, frame: frame) }
}

/// The values of a panel at a moment, for what outputs show of them.
public struct PanelValues {
  fileprivate let panel: PanelDefinition
  let frame: PanelFrame

  /// A value's share of its range: 0 at its `min`, 1 at its `max`; of a list, the share of its places that are taken.
  ///
  /// - Parameter value: as ``Appearance/value(_:)`` names it.
  public func share(of value: Int) -> Double {
    let range = panel.values[value]
    if let list = range.list { return Double(frame[value: value]) / Double(list.capacity) }
    guard range.max > range.min else { return 1 }
    return (Double(frame[value: value]) - Double(range.min)) / (Double(range.max) - Double(range.min))
  }
}
