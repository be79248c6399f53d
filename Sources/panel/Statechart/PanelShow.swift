import CycleCore
import HardwareDrivers

/// What a panel shows: the frame filters of its drivers.
struct PanelShow: Sendable {
  let panel: PanelDefinition

  /// What an output shows in a frame: what a state says, else the top level, else off.
  func appearance(of output: Int, in frame: PanelFrame) -> PanelDefinition.Appearance {
    for region in panel.regions.indices {
      let state = panel.regions[region].states[frame.states[region]]
      if let show = state.show.first(where: { $0.output == output }) { return show.appearance }
    }
    return panel.show.first { $0.output == output }?.appearance ?? .off
  }

  /// The deadlines of the current states.
  func deadlines(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] {
    panel.regions.indices.flatMap { region in
      let state = panel.regions[region].states[frame.states[region]]
      return state.after.indices.map { index in
        Timer.Deadline.after(
          state.after[index].delay, PanelDeadline(region: region, index: index, entry: frame.entries[region]))
      }
    }
  }

  /// The sounds that the current states play, each once, in the order of their beginnings in the file.
  func playing(in frame: PanelFrame) -> [Int] {
    var playing: [Int] = []
    for region in panel.regions.indices {
      for sound in panel.regions[region].states[frame.states[region]].play where !playing.contains(sound) {
        playing.append(sound)
      }
    }
    return playing
  }

  /// The sounds that are heard: those that play and have not come to their end.
  func audible(in frame: PanelFrame) -> [Int] {
    playing(in: frame).filter { !frame.ended[$0] }
  }

  /// The volume of everything, 0...1.
  func volume(in frame: PanelFrame) -> Double {
    switch panel.audio.volume {
    case nil: 1
    case .fixed(let volume): volume
    case .value(let value): share(of: value, in: frame)
    }
  }

  /// Where a value stands between its least and its greatest, 0...1.
  private func share(of value: Int, in frame: PanelFrame) -> Double {
    let range = panel.values[value]
    guard range.max > range.min else { return 1 }
    return (Double(frame.values[value]) - Double(range.min)) / (Double(range.max) - Double(range.min))
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
