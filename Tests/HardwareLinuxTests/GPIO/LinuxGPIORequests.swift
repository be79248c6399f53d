import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

extension LineConfiguration {
  static func input(_ name: LineName) -> LineConfiguration { LineConfiguration(name, .input(.pullUp)) }

  static func output(_ name: LineName) -> LineConfiguration {
    LineConfiguration(name, .output(.inactive, .pushPull))
  }
}

extension FakeGPIOSystem {
  /// The line names of a Pi's header.
  static let header = (0..<28).map { "GPIO\($0)" }

  func gpio(_ choice: GPIOChipPort.ChipChoice = .auto) -> LinuxGPIO {
    LinuxGPIO(choice, deviceFolder: "/dev", system: self)
  }

  /// The error that the request throws, nil if none, after checking that nothing is open any more.
  func error(_ choice: GPIOChipPort.ChipChoice, _ lines: [LineConfiguration]) -> DriverError? {
    do {
      try gpio(choice).request(lines, consumer: "test").release()
      return nil
    } catch {
      #expect(openChips == 0)
      #expect(heldRequests == 0)
      return error
    }
  }

  func error(_ lines: [LineConfiguration]) -> DriverError? { error(.auto, lines) }

  /// The text of the error that the request throws, after checking that nothing is open any more.
  func message(_ lines: [LineConfiguration]) -> String { message(.auto, lines) }

  func message(_ choice: GPIOChipPort.ChipChoice, _ lines: [LineConfiguration]) -> String {
    error(choice, lines)?.description ?? "no error"
  }
}
