import CycleCore
import HardwareDrivers

/// What a panel shows: the frame filters of its drivers.
final class PanelShow: Sendable {
  let panel: PanelDefinition
  /// The `show` entries of each state, sorted by output: `looks[region][state]`. Of a thousand outputs a state has
  /// entries for a few.
  private let looks: [[[PanelDefinition.Show]]]
  /// The one region that shows the output in some of its states; nil where none does.
  private let showing: [Int?]
  /// What the top level shows of each output.
  private let topLooks: [Appearance]
  /// Whether any state has a deadline.
  let hasDeadlines: Bool

  init(panel: PanelDefinition) {
    self.panel = panel
    let outputs = panel.outputs.indices
    looks = panel.regions.map { region in region.states.map { $0.show.sorted { $0.output < $1.output } } }
    var showing = [Int?](repeating: nil, count: outputs.count)
    for (region, states) in looks.enumerated() {
      for show in states.joined() { showing[show.output] = region }
    }
    self.showing = showing
    hasDeadlines = panel.regions.contains { $0.states.contains { !$0.after.isEmpty } }
    var topLooks = [Appearance](repeating: .off, count: outputs.count)
    for show in panel.show { topLooks[show.output] = show.appearance }
    self.topLooks = topLooks
  }

  /// The appearance of an output in a frame: by the current state's `show`, else the top level's, else off.
  func appearance(of output: Int, in frame: PanelFrame) -> Appearance {
    guard let region = showing[output] else { return topLooks[output] }
    return look(output, in: frame[state: region], of: region) ?? topLooks[output]
  }

  /// The appearance of an output by a state's `show`; nil if that has no entry for it. A binary search.
  private func look(_ output: Int, in state: Int, of region: Int) -> Appearance? {
    let shows = looks[region][state]
    var range = shows.startIndex..<shows.endIndex
    while range.count > 0 {
      let middle = (range.lowerBound + range.upperBound) / 2
      if shows[middle].output == output { return shows[middle].appearance }
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
    of outputs: [Int], as model: @escaping (_ place: Int, Appearance, Values) -> Model
  ) -> (PanelFrame) -> [Model] {
    let regions = Set(outputs.compactMap { showing[$0] })
    let region = regions.first ?? 0
    let states = panel.regions[region].states.indices
    guard regions.count <= 1, states.count * outputs.count <= Self.preparedModels,
      !dependsOnValues(outputs, in: region)
    else {
      return { [self] frame in
        let values = self.values(in: frame)
        return outputs.indices.map { model($0, appearance(of: outputs[$0], in: frame), values) }
      }
    }
    let values = Values(panel: panel, frame: PanelRules(panel: panel).seed)
    let models = states.map { state in
      outputs.indices.map { place in
        model(place, look(outputs[place], in: state, of: region) ?? topLooks[outputs[place]], values)
      }
    }
    return { frame in models[frame[state: region]] }
  }

  /// Whether what any of these outputs shows in any state of a region depends on values.
  private func dependsOnValues(_ outputs: [Int], in region: Int) -> Bool {
    let wanted = Set(outputs)
    return outputs.contains { topLooks[$0].dependsOnValues }
      || looks[region].contains { $0.contains { wanted.contains($0.output) && $0.appearance.dependsOnValues } }
  }

  /// The deadlines of the current states.
  func deadlines(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] {
    var deadlines: [Timer<PanelDeadline>.Deadline] = []
    for region in panel.regions.indices {
      let after = panel.regions[region].states[frame[state: region]].after
      for index in after.indices {
        deadlines.append(
          .after(after[index].delay, PanelDeadline(region: region, index: index, entry: frame[entry: region])))
      }
    }
    return deadlines
  }

  /// The sounds that the current states play, each once, in the order of the regions and of each state's `play`.
  func playing(in frame: PanelFrame) -> [Int] {
    var playing: [Int] = []
    for region in panel.regions.indices {
      let play = panel.regions[region].states[frame[state: region]].play
      for sound in play where !playing.contains(sound) { playing.append(sound) }
    }
    return playing
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

  /// The panel's values at a moment.
  struct Values {
    fileprivate let panel: PanelDefinition
    fileprivate let frame: PanelFrame

    /// A value's share of its range: 0 at its min, 1 at its max.
    func share(of value: Int) -> Double {
      let range = panel.values[value]
      guard range.max > range.min else { return 1 }
      return (Double(frame[value: value]) - Double(range.min)) / (Double(range.max) - Double(range.min))
    }
  }

  func values(in frame: PanelFrame) -> Values { Values(panel: panel, frame: frame) }
}
