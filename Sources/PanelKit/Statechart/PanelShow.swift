import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// What a panel shows: the frame filters of its drivers.
final class PanelShow: Sendable {
  let panel: PanelDefinition
  /// The `show` entries of each state, sorted by output: `looks[region][state]`. Of a thousand outputs a state has
  /// entries for a few.
  private let looks: [[[PanelDefinition.Show]]]
  /// The one region that shows the output in some of its states; nil where none does.
  private let showing: [Int?]
  /// What the top level shows of each output.
  private let topLooks: [PanelDefinition.Appearance]
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
    var topLooks = [PanelDefinition.Appearance](repeating: .off, count: outputs.count)
    for show in panel.show { topLooks[show.output] = show.appearance }
    self.topLooks = topLooks
  }

  /// The appearance of an output in a frame: by the current state's `show`, else the top level's, else off.
  func appearance(of output: Int, in frame: PanelFrame) -> PanelDefinition.Appearance {
    guard let region = showing[output] else { return topLooks[output] }
    return look(output, in: frame[state: region], of: region) ?? topLooks[output]
  }

  /// The appearance of an output by a state's `show`; nil if that has no entry for it. A binary search.
  private func look(_ output: Int, in state: Int, of region: Int) -> PanelDefinition.Appearance? {
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

  /// A frame filter that makes the models of these outputs. If at most one region shows any of them, as on most panels,
  /// the models of all its states are made in advance, up to `preparedModels`.
  @inline(__always)
  func filter<Model>(
    of outputs: [Int], as model: @escaping (PanelDefinition.Appearance) -> Model
  ) -> (PanelFrame) -> [Model] {
    let regions = Set(outputs.compactMap { showing[$0] })
    let region = regions.first ?? 0
    guard regions.count <= 1, panel.regions[region].states.count * outputs.count <= Self.preparedModels else {
      return { [self] frame in outputs.map { model(appearance(of: $0, in: frame)) } }
    }
    let models = panel.regions[region].states.indices.map { state in
      outputs.map { model(look($0, in: state, of: region) ?? topLooks[$0]) }
    }
    return { frame in models[frame[state: region]] }
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
    frame.missing.contains(.audio) ? [] : playing(in: frame).filter { !frame[ended: $0] }
  }

  /// The volume of everything, 0...1.
  func volume(in frame: PanelFrame) -> Double {
    switch panel.audio.volume {
    case nil: 1
    case .fixed(let volume): volume
    case .value(let value): share(of: value, in: frame)
    }
  }

  /// A value's share of its range: 0 at its min, 1 at its max.
  private func share(of value: Int, in frame: PanelFrame) -> Double {
    let range = panel.values[value]
    guard range.max > range.min else { return 1 }
    return (Double(frame[value: value]) - Double(range.min)) / (Double(range.max) - Double(range.min))
  }

  /// How many lamps of a bar are lit.
  func lamps(_ appearance: PanelDefinition.Appearance, of count: Int, in frame: PanelFrame) -> Int {
    switch appearance {
    case .off: 0
    case .on: count
    case .count(let lamps): lamps
    case .value(let value): Int((share(of: value, in: frame) * Double(count)).rounded())
    case .level(let level): Int((level * Double(count)).rounded())
    case .blink, .pulse: count
    }
  }

  func light(_ appearance: PanelDefinition.Appearance) -> LED.Model {
    switch appearance {
    case .off, .count, .value: .off
    case .on: .on
    case .level(let level): .level(level)
    case .blink(let on, let off, let times): .blink(on: on, off: off, times: times)
    case .pulse(let length): .pulse(length)
    }
  }
}
