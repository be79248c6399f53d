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

extension WiringNote {
  /// The overlays for the PWM of lines of a Raspberry Pi's header; none for other lines.
  package static func pwmOverlay(for lines: [PWMLine]) -> [WiringNote] {
    let overlays = PWMOverlay.all(for: lines.filter { $0.chip == nil }.map { LineName($0.line) }).map(\.text)
    return overlays.isEmpty ? [] : [.pwmOverlay(overlays)]
  }
}
