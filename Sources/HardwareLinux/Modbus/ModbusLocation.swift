import CycleCore
import HardwareDrivers
import Synchronization

/// A register of a Modbus RTU device at a serial line of this machine.
///
///     ModbusLocation("/dev/ttyUSB0", ModbusRegister(unit: 1, 0x0000, in: .input))
///
/// All registers of one line share its connection.
public struct ModbusLocation: NumberLocation {
  private let path: String
  private let settings: SerialSettings
  private let register: ModbusRegister
  private let conversion: NumberConversion

  /// Opens nothing.
  ///
  /// - Parameters:
  ///   - path: the path of the serial line.
  ///   - register: the register.
  ///   - settings: the settings of the line.
  ///   - conversion: applied to the number of the register.
  public init(
    _ path: String, _ register: ModbusRegister, settings: SerialSettings = SerialSettings(),
    conversion: NumberConversion = NumberConversion()
  ) {
    (self.path, self.register, self.settings, self.conversion) = (path, register, settings, conversion)
  }

  public var name: String { "\(register.text) on \(path)" }
  public var unit: String { conversion.unit ?? "" }

  public func makeSource() -> any NumberSource {
    conversion.source(Self.line(path, settings).source(of: register))
  }

  /// Looks for the line's device node. Sends no request, which would disturb those of a running panel.
  public func inspect() throws(DriverError) { try SerialPort(path).inspect() }

  // MARK: - Lines

  /// The lines that are used now, by their paths.
  private static let lines = Mutex<[String: WeakLine]>([:])

  private struct WeakLine: @unchecked Sendable {
    let settings: SerialSettings
    weak var line: ModbusLine?
  }

  private static func line(_ path: String, _ settings: SerialSettings) -> ModbusLine {
    lines.withLock { lines in
      if let known = lines[path], known.settings == settings, let line = known.line { return line }
      let line = ModbusLine(LinuxSerial(path), settings)
      lines[path] = WeakLine(settings: settings, line: line)
      return line
    }
  }
}
