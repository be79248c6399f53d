import CycleCore
import Glibc
import HardwareDrivers
import PanelLanguage

/// The frame filters of a panel's drivers: they map a frame to the models of outputs, sounds and deadlines.
@usableFromInline
package final class PanelRendering: Sendable {
  package let panel: PanelDefinition
  /// The kinds of the outputs, with their looks.
  package let observed: [any VisibleOutputKind]
  /// The `show` entries of all states. Those of a state are a range, sorted by output, because a state usually has
  /// entries for only a few outputs.
  @usableFromInline package let entries: [PanelDefinition.Show]
  @usableFromInline package let entriesOfStates: [Range<Int>]
  /// The region that is checked first for an output: the region of the top level whose states show it, or the first of
  /// those that the file lists. Nil if no state shows the output.
  private let showing: [Int?]
  /// The regions that are checked after it, by output; usually none.
  private let nextShowing: [Int: [Int]]
  /// The top level's entry for each output.
  private let topEntries: [Int?]
  /// Whether a state in each region contains regions.
  let isNested: [Bool]
  /// Whether the panel can ever have ``chartDeadlines(in:)``.
  package let hasDeadlines: Bool
  private let derived: DerivedInputs

  package init(panel: PanelDefinition) {
    self.panel = panel
    observed = panel.outputs.map(\.device.observed)
    let outputs = panel.outputs.indices
    var entries: [PanelDefinition.Show] = []
    entriesOfStates = panel.states.map { state in
      entries += state.show.sorted { $0.output < $1.output }
      return entries.count - state.show.count..<entries.count
    }
    self.entries = entries
    let tree = StateTree(panel)
    var showing = [Int?](repeating: nil, count: outputs.count)
    for state in panel.states.indices.dropFirst() {
      for entry in entriesOfStates[state] { showing[entries[entry].output] = tree.topRegions[state] }
    }
    var nextShowing: [Int: [Int]] = [:]
    for output in outputs {
      let listed = panel.outputs[output].shownBy
      guard let first = listed.first else { continue }
      // The regions around the listed ones come last.
      nextShowing[output] = listed.dropFirst() + [showing[output] ?? first]
      showing[output] = first
    }
    self.showing = showing
    self.nextShowing = nextShowing
    isNested = panel.regions.map { region in region.states.contains { !panel.states[$0].regions.isEmpty } }
    derived = DerivedInputs(of: panel)
    hasDeadlines = panel.states.contains { !$0.after.isEmpty } || derived.haveWindows || panel.readsElapsed
    var topEntries = [Int?](repeating: nil, count: outputs.count)
    for entry in entriesOfStates[0] { topEntries[entries[entry].output] = entry }
    self.topEntries = topEntries
  }

  /// The appearance of an output in a frame. It comes from the innermost current state with an entry for it, in the
  /// first region that has one. Without such a state, it comes from the top level. The default is off.
  package func appearance(of output: Int, in frame: PanelFrame) -> OutputAppearance {
    appearance(of: output, by: frame.isStopped ? nil : entry(of: output, in: frame), in: frame)
  }

  /// The appearance of an output for an entry; off without an entry.
  @usableFromInline
  package func appearance(of output: Int, by entry: Int?, in frame: PanelFrame) -> OutputAppearance {
    guard !frame.isStopped else { return panel.safe[output] }
    return entry.map { entries[$0].rule.appearance(in: frame, self) } ?? .off
  }

  /// The number of the entry that shows an output; nil if there is none.
  @usableFromInline
  package func entry(of output: Int, in frame: PanelFrame) -> Int? {
    guard let region = showing[output] else { return topEntries[output] }
    if let entry = innermostEntry(for: output, in: region, of: frame) { return entry }
    if !nextShowing.isEmpty, let regions = nextShowing[output] {
      for region in regions {
        if let entry = innermostEntry(for: output, in: region, of: frame) { return entry }
      }
    }
    return topEntries[output]
  }

  private func innermostEntry(for output: Int, in region: Int, of frame: PanelFrame) -> Int? {
    let state = frame[state: region]
    guard state >= 0 else { return nil }
    if isNested[region] {
      for inner in panel.states[state].regions {
        if let entry = innermostEntry(for: output, in: inner, of: frame) { return entry }
      }
    }
    return entry(for: output, in: state)
  }

  /// The entry for an output in a state's `show`; nil if there is none. Uses a binary search.
  private func entry(for output: Int, in state: Int) -> Int? {
    var range = entriesOfStates[state]
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      let found = entries[middle].output
      if found == output { return middle }
      range = found < output ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The entries of each of these outputs, with the regions of their states; nil for the top level.
  func uses(of outputs: [Int]) -> [[(show: PanelDefinition.Show, region: Int?)]] {
    var places = [Int?](repeating: nil, count: panel.outputs.count)
    for (place, output) in outputs.enumerated() { places[output] = place }
    var uses = outputs.map { _ in [(show: PanelDefinition.Show, region: Int?)]() }
    for (state, range) in entriesOfStates.enumerated() {
      for show in entries[range] {
        if let place = places[show.output] { uses[place].append((show, state == 0 ? nil : panel.states[state].region)) }
      }
    }
    return uses
  }

  /// The models of these outputs.
  ///
  /// - Parameters:
  ///   - seed: the first frame.
  ///   - model: makes the model of an output, which is given by its place in `outputs`.
  package func models<Model: Equatable>(
    of outputs: [Int], seed: PanelFrame, as model: @escaping (_ place: Int, OutputAppearance, PanelValues) -> Model
  ) -> ModelCache<Model> {
    ModelCache(of: outputs, in: self, readsValues: true, seed: seed, as: model)
  }

  /// All deadlines: those of derived inputs, then those of the statechart.
  package func deadlines(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] {
    guard !frame.isStopped, !derived.isEmpty else { return chartDeadlines(in: frame) }
    return derived.deadlines(in: frame) + chartDeadlines(in: frame)
  }

  /// The deadlines that come after the events of derived inputs at the same moment, such as those of the current
  /// states.
  package func chartDeadlines(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] {
    guard !frame.isStopped else { return [] }
    var deadlines = derived.isEmpty ? [] : derived.windows(in: frame)
    if panel.readsElapsed,
      panel.regions.indices.contains(where: { frame[state: $0] >= 0 && frame[entered: $0] < 0 })
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
        // Due once in each period without a touch.
        guard frame[repetition: number] == 0 else { continue }
        id.repetition = frame.touchCount
      }
      deadlines.append(.after(wait(of: after[index], in: frame), id))
    }
  }

  /// The wait of a deadline. Random waits and those of values were already stored in the frame.
  func wait(of deadline: PanelDefinition.Deadline, in frame: PanelFrame) -> Duration {
    switch deadline.delay {
    case .fixed(let duration): duration
    case .drawn(_, let wait), .value(_, let wait): .milliseconds(frame[wait: wait])
    }
  }

  /// The sounds that the current states play, each once, in the order of the regions and of each state's `play`. After
  /// them come the sounds that play to their ends independently of the states.
  package func playing(in frame: PanelFrame) -> [Int] {
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

  /// The settings that a sound has in the current states: those of the first one that has any. A sound that plays to its
  /// end independently of the states has its own.
  package func playSettings(of sound: Int, in frame: PanelFrame) -> PanelDefinition.PlaySettings? {
    for region in panel.regions.indices where frame[state: region] >= 0 {
      if let settings = panel.states[frame[state: region]].playSettings[sound] { return settings }
    }
    return nil
  }

  /// The regions whose current state is reported: those of the top level, and those with a name.
  package var toldRegions: [Int] {
    panel.regions.indices.filter { panel.regions[$0].owner == 0 || panel.regions[$0].name != nil }
  }

  /// The innermost state that is reported for a region; -1 if the region is not current.
  package func toldState(of region: Int, in frame: PanelFrame) -> Int {
    var state = frame[state: region]
    while state >= 0, let inner = panel.states[state].regions.first, panel.regions[inner].name == nil {
      guard frame[state: inner] >= 0 else { break }
      state = frame[state: inner]
    }
    return state
  }

  /// The path of a reported state within its region: `moving/closing`.
  package func path(of state: Int, in region: Int) -> String {
    guard state >= 0 else { return "-" }
    return states(from: state, upTo: region).reversed().map { panel.states[$0].name }.joined(separator: "/")
  }

  /// The current states as text: `moving/closing`, or `doors: open, light: off`.
  package func stateText(in frame: PanelFrame) -> String { stateText(of: toldRegions, in: frame) }

  package func stateText(of regions: [Int], in frame: PanelFrame) -> String {
    regions.filter { frame[state: $0] >= 0 }.map { region in
      let path = path(of: toldState(of: region, in: frame), in: region)
      return panel.regions[region].name.map { "\($0): \(path)" } ?? path
    }.joined(separator: ", ")
  }

  /// A state and the states around it within a region, the innermost first.
  package func states(from state: Int, upTo region: Int) -> [Int] {
    var states = [state]
    while let last = states.last, panel.states[last].region != region {
      states.append(panel.regions[panel.states[last].region].owner)
    }
    return states
  }

  /// The audible sounds: those that play and have not ended; none while the card is lost.
  package func audible(in frame: PanelFrame) -> [Int] {
    frame.isMissing(.audio) ? [] : playing(in: frame).filter { !frame[ended: $0] }
  }

  /// The factor of the samples of a loudness.
  package func gain(of loudness: Loudness, in frame: PanelFrame) -> Double {
    loudness.gain { values(in: frame).share(of: $0) }
  }

  package func number(of pan: Pan, in frame: PanelFrame) -> Double {
    pan.number { values(in: frame).share(of: $0) }
  }

  /// The loudness of all sounds, 0...1.
  package func volume(in frame: PanelFrame) -> Double { cbrt(gain(of: panel.audio.volume, in: frame)) }

  @usableFromInline
  package func values(in frame: PanelFrame) -> PanelValues { PanelValues(show: self, frame: frame) }
}

/// The values of a panel at a moment, for the outputs that show them.
public struct PanelValues {
  // By reference, because a definition has many arrays.
  let show: PanelRendering
  package let frame: PanelFrame

  /// A value, in milliseconds for a duration; for a list, the number of its elements.
  ///
  /// - Parameter value: the number of the value in `OutputAppearance.value(_:)`.
  public func number(of value: Int) -> Double {
    let definition = show.panel.values[value]
    let decimals = definition.list == nil ? definition.decimals : 0
    return Double(frame[value: value]) / Double(Quantity.powerOfTen(decimals))
  }

  /// A value's share of its end that is farther from zero, -1 to 1: -0.5 for -5 of a value from -10 to 4.
  ///
  /// - Parameter value: the number of the value in `OutputAppearance.value(_:)`.
  public func signedShare(of value: Int) -> Double {
    let range = show.panel.values[value]
    let greatest = max(abs(Double(range.min)), abs(Double(range.max)))
    return greatest > 0 ? Double(frame[value: value]) / greatest : 0
  }

  /// A value's share of its range: 0 at its `min`, 1 at its `max`; for a list, the share of its places that are in use.
  ///
  /// - Parameter value: the number of the value in `OutputAppearance.value(_:)`.
  public func share(of value: Int) -> Double {
    let range = show.panel.values[value]
    if let list = range.list { return Double(frame[value: value]) / Double(list.capacity) }
    guard range.max > range.min else { return 1 }
    return (Double(frame[value: value]) - Double(range.min)) / (Double(range.max) - Double(range.min))
  }
}
