import CycleCore
import HardwareDrivers

/// A device that sends lines of text with numbers, as ``HardwareDrivers/TextSensor``s read them, on a simulated line.
///
///     let gps = line.textSensors
///     gps.set(48.1, "latitude", of: pattern, checksum: .nmea)
///
/// It sends a line when one of its numbers is set, when the line is opened, and each ``repeatInterval``.
public final class SimulatedTextSensors {
  /// The time after which the device sends its lines again.
  public static let repeatInterval = Duration.seconds(1)

  private struct Row {
    let pattern: TextPattern
    let checksum: TextChecksum?
    var numbers: [String: Double] = [:]

    /// The line with its end, after the end of an empty line: a program that has just opened the line could not know
    /// that it begins here. No bytes while no number is set.
    var bytes: [UInt8] {
      guard !numbers.isEmpty else { return [] }
      let line = pattern.line(numbers)
      return [0x0A] + (checksum?.added(to: line) ?? line) + [0x0D, 0x0A]
    }
  }

  private weak var line: SimulatedSerial?
  private var rows: [Row] = []

  init(_ line: SimulatedSerial) {
    self.line = line
    line.isInstant = true
    line.repeatEvery(Self.repeatInterval) { [weak self] in self?.rows.flatMap(\.bytes) ?? [] }
  }

  /// Sets a number, and sends its line. The line has no other number until that is set, too.
  public func set(_ number: Double, _ name: String, of pattern: TextPattern, checksum: TextChecksum? = nil) {
    let place =
      rows.firstIndex { $0.pattern == pattern && $0.checksum == checksum }
      ?? {
        rows.append(Row(pattern: pattern, checksum: checksum))
        return rows.count - 1
      }()
    rows[place].numbers[name] = number
    line?.send(rows[place].bytes)
  }

  /// Removes a number from its line until it is set again.
  public func clear(_ name: String, of pattern: TextPattern) {
    for place in rows.indices where rows[place].pattern == pattern { rows[place].numbers[name] = nil }
  }
}

extension SimulatedSerial {
  /// The text sensors at the other end of the line. From the first call on, its bytes take no time on the wire.
  public var textSensors: SimulatedTextSensors {
    if let known = textDevice { return known }
    let made = SimulatedTextSensors(self)
    textDevice = made
    return made
  }
}
