import CycleCore
import HardwareDrivers
import PanelWiring

/// A line of a device and the PWM channel that drives it: that of a chip under `chips`, or the one of a GPIO line.
public struct PWMLine: Equatable, Sendable {
  /// The line as the file names it: `GPIO18`, `drive.0`.
  public let line: String
  public let port: PWMPort
  /// The name of the chip under `chips`; nil for a line of the panel's own chip, or of a chip without PWM.
  public let chip: String?
  /// The frequency of all channels of the chip, in hertz; nil if the channel has its own.
  public let chipHertz: Int?
}

extension [PWMLine] {
  /// Whether an error is about a channel of one of these lines that belongs to no chip under `chips`.
  package func describe(_ error: DriverError) -> Bool {
    contains { $0.chip == nil && PWMErrorFactory($0.port).describes(error) }
  }
}

extension DeviceFields {
  /// The PWM channel of a line that ``line(_:)`` or ``lines(_:)`` has returned.
  public func pwmLine(_ line: String) -> PWMLine {
    guard let (name, kind) = chip(of: line), let port = kind.pwmChannel(of: String(line.dropFirst(name.count + 1)))
    else { return PWMLine(line: line, port: PWMPort(line: LineName(line)), chip: nil, chipHertz: nil) }
    return PWMLine(line: line, port: port, chip: name, chipHertz: kind.pwmHertz)
  }
}

extension PanelDefinition {
  /// The channel of a chip under `chips` by which an output drives one of its lines; nil for a line that it only switches.
  package func pwmChannel(of line: String, in output: Output) -> PWMPort? {
    guard let chip = chip(of: output.device),
      let channel = chips[chip].kind.pwmChannel(of: String(line.dropFirst(chips[chip].name.count + 1)))
    else { return nil }
    return output.device.hardware.contains { ($0.port as? PWMPort)?.choice == channel.choice } ? channel : nil
  }
}

extension PanelDefinition {
  /// The note about the overlays for the PWM of lines of a Raspberry Pi's header; none without such lines. It belongs to
  /// the panel, because one overlay can be for the lines of two devices.
  var pwmOverlayNote: WiringPlan.SharedNote? {
    var lines: [LineName] = []
    var devices: [String] = []
    for output in outputs {
      for hardware in output.device.hardware where hardware.isRequired {
        guard let port = hardware.port as? PWMPort, case .line(let line) = port.choice, !lines.contains(line),
          !PWMOverlay.all(for: [line]).isEmpty
        else { continue }
        lines.append(line)
        if devices.last != output.name { devices.append(output.name) }
      }
    }
    let overlays = PWMOverlay.all(for: lines).map(\.text)
    return overlays.isEmpty ? nil : WiringPlan.SharedNote(note: .pwmOverlay(overlays), devices: devices)
  }
}
