import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// How the outputs of a panel look to somebody in front of it.
///
/// On simulated devices, on and off are read from the levels of the lines, so that a lamp which the panel's frame has
/// on but whose line isn't driven looks off. Blinking and brightness are what a driver does over time; they are read
/// from the appearance in the frame.
struct OutputObserver {
  let application: PanelApplication
  let chip: SimulatedChip?

  /// When each output's appearance last changed.
  private(set) var since: [Moment]
  private var shown: [PanelDefinition.Appearance]

  init(_ application: PanelApplication, chip: SimulatedChip?, at moment: Moment) {
    self.application = application
    self.chip = chip
    let frame = application.frame
    shown = application.panel.outputs.indices.map { application.show.appearance(of: $0, in: frame) }
    since = application.panel.outputs.map { _ in moment }
  }

  /// Reads the appearances from a new frame.
  mutating func note(_ frame: PanelFrame, at moment: Moment) {
    for output in shown.indices {
      let appearance = application.show.appearance(of: output, in: frame)
      guard appearance != shown[output] else { continue }
      shown[output] = appearance
      since[output] = moment
    }
  }

  func look(of output: Int, at moment: Moment) -> ObservedOutput {
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

  private func light(_ output: Int, _ line: String, at moment: Moment) -> ObservedOutput {
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

  /// Whether a simulated lamp is lit at this moment; true for a real one, whose line isn't read.
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

extension ObservedOutput: CustomStringConvertible {
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
