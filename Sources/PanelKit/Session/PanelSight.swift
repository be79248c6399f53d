import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// What somebody in front of the panel sees of its outputs.
///
/// On simulated devices what is lit is read from the lines themselves, so that a lamp which isn't connected to what the panel
/// believes is seen to be dark. Blinking and brightness are the driver's doing over time, and are taken from what it was asked
/// to show.
struct PanelSight {
  let application: PanelApplication
  let chip: SimulatedChip?

  /// Since when each output shows what it does.
  private(set) var since: [Moment]
  private var shown: [PanelDefinition.Appearance]

  init(_ application: PanelApplication, chip: SimulatedChip?, at moment: Moment) {
    self.application = application
    self.chip = chip
    let frame = application.frame
    shown = application.panel.outputs.indices.map { application.show.appearance(of: $0, in: frame) }
    since = application.panel.outputs.map { _ in moment }
  }

  /// A new frame is there.
  mutating func note(_ frame: PanelFrame, at moment: Moment) {
    for output in shown.indices {
      let appearance = application.show.appearance(of: output, in: frame)
      guard appearance != shown[output] else { continue }
      shown[output] = appearance
      since[output] = moment
    }
  }

  func sight(of output: Int, at moment: Moment) -> Expectation.Sight {
    let definition = application.panel.outputs[output]
    switch definition.device {
    case .led(let line): return light(output, line, at: moment)
    case .relay(let line): return isActive(line, definition) ?? (shown[output] == .on) ? .on : .off
    case .bar(let lines):
      guard chip != nil else {
        return .count(application.show.lamps(shown[output], of: lines.count, in: application.frame))
      }
      return .count(lines.count { isActive($0, definition) == true })
    }
  }

  private func light(_ output: Int, _ line: String, at moment: Moment) -> Expectation.Sight {
    let isLit = isActive(line, application.panel.outputs[output])
    if let chip, !chip.isPlugged { return .off }
    switch shown[output] {
    case .blink(let on, let off, let times):
      guard let times, moment - since[output] >= (on + off) * times else { return .blinking }
      return .off
    case .pulse: return .pulsing
    case .level(let level) where level > 0 && level < 1: return .level(level)
    case .level(let level): return isLit ?? (level >= 1) ? .on : .off
    case .on: return isLit ?? true ? .on : .off
    case .off, .count, .value: return isLit ?? false ? .on : .off
    }
  }

  /// Whether a lamp is lit at this moment; a real one is taken to be.
  func isLit(_ output: Int) -> Bool {
    guard case .led(let line) = application.panel.outputs[output].device else { return true }
    return isActive(line, application.panel.outputs[output]) ?? true
  }

  /// Whether a simulated line is active; nil on a real chip.
  private func isActive(_ line: String, _ output: PanelDefinition.Output) -> Bool? {
    guard let chip else { return nil }
    return (chip.line(LineName(line)).level == .high) == (output.active == .high)
  }
}

extension Expectation.Sight: CustomStringConvertible {
  var description: String {
    switch self {
    case .off: "off"
    case .on: "on"
    case .blinking: "blinking"
    case .pulsing: "pulsing"
    case .level(let level): "\(level)"
    case .count(let count): "\(count)"
    }
  }
}
