import CycleCore
import Glibc
import TestSupport

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// The kernel's buses: `i2c-stub` with 256 registers, `i2c-gpio` on lines of the simulator with nothing but pull-ups,
/// and the lab's own with a PCF8574 (`Tests/Lab/lab-wires.c`).
final class KernelI2CStand: I2CStand {
  static let isThere = access(writes, F_OK) == 0 && KernelWires.isThere

  let bench: Bench
  let memoryBus: any I2CBus
  let displayBus: any I2CBus = LinuxI2C(.named("lab"))
  let emptyBus: any I2CBus = LinuxI2C(.number(7))
  let absentBus: any I2CBus = LinuxI2C(.number(99))
  let memoryBusName: String
  let displayBusName = "i2c-8"
  let emptyBusName = "i2c-7"
  private let wires: KernelWires
  private let board: SimulatedI2CCharacterDisplay
  /// How many bytes the board has been given.
  private var replayed = 0

  private static let writes = "/sys/kernel/debug/lab-i2c/writes"
  private static let answers = "/sys/kernel/debug/lab-i2c/answers"
  private static let adapters = "/sys/bus/platform/drivers/i2c-gpio"

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    wires = try KernelWires()
    let folder = "/sys/class/i2c-dev"
    guard
      let node = names(in: folder).first(where: {
        bytes(of: "\(folder)/\($0)/name")?.starts(with: Array("SMBus stub driver".utf8)) == true
      })
    else { throw StandFailure("i2c-stub isn't in \(folder)") }
    memoryBusName = node
    memoryBus = LinuxI2C(.number(Int(node.dropFirst(4)) ?? -1))
    // A bus of its own to hang at: what the kernel's board is told is told to this one as well.
    board = SimulatedI2CCharacterDisplay(on: SimulatedI2CBus(bench), at: 0x27)
    try KernelFiles.write("1", to: Self.writes)
  }

  var tolerance: Duration { .milliseconds(60) }

  var display: SimulatedCharacterDisplay {
    get throws {
      let text = String(decoding: bytes(of: Self.writes) ?? [], as: UTF8.self)
      let lines = text.split(separator: "\n")
      for line in lines.dropFirst(replayed) {
        let numbers = line.split(separator: " ")
        guard numbers.count == 2, let moment = Int64(numbers[0]), let byte = UInt8(numbers[1]) else {
          throw StandFailure("the board has written: \(line)")
        }
        _ = board.expander.receive(byte, at: Moment(nanoseconds: moment))
      }
      replayed = lines.count
      return board.display
    }
  }

  var openCount: Int {
    var count = 0
    for name in names(in: "/proc/self/fd") {
      guard let target = realpath("/proc/self/fd/\(name)", nil) else { continue }
      if String(cString: target).hasPrefix("/dev/i2c-") { count += 1 }
      free(target)
    }
    return count
  }

  func permit(_ isPermitted: Bool) throws { try KernelFiles.permit(isPermitted) }

  func bind(_ isBound: Bool) throws {
    try KernelFiles.write(
      isBound ? "dummy 0x51" : "0x51",
      to: "/sys/bus/i2c/devices/\(memoryBusName)/\(isBound ? "new_device" : "delete_device")")
  }

  /// A second device with 256 registers on the memory bus, for the kernel's driver of a sensor.
  static let sensorAddress: I2CAddress = 0x76

  /// The numbers that a driver of the kernel reads from the device at ``sensorAddress``: `in_temp_input` and others.
  func numbers(of driver: String, from channels: [String]) throws -> [Double] {
    let bus = "/sys/bus/i2c/devices/\(memoryBusName)"
    try KernelFiles.write("\(driver) \(Self.sensorAddress)", to: "\(bus)/new_device")
    defer { try? KernelFiles.write("\(Self.sensorAddress)", to: "\(bus)/delete_device") }
    let folder = "/sys/bus/iio/devices"
    for _ in 0..<500 where names(in: folder).isEmpty { usleep(10_000) }
    guard let device = names(in: folder).first(where: { $0.hasPrefix("iio:device") }) else {
      throw StandFailure("\(driver) makes no device in \(folder)")
    }
    return try channels.map { channel in
      let text = try KernelFiles.read("\(folder)/\(device)/in_\(channel)_input")
      guard let number = Double(text) else { throw StandFailure("in_\(channel)_input is \(text)") }
      return number
    }
  }

  /// The kernel waits until everybody has closed the bus, so somebody else waits for it; its node goes at once.
  func unplug() throws {
    let unbind = "(echo i2c-gpio.7 >\(Self.adapters)/unbind) >/dev/null 2>&1 &"
    guard let pipe = popen(unbind, "r"), pclose(pipe) == 0 else { throw StandFailure("unbind can't be started") }
    for _ in 0..<500 where access("/dev/i2c-7", F_OK) == 0 { usleep(10_000) }
    guard access("/dev/i2c-7", F_OK) != 0 else { throw StandFailure("/dev/i2c-7 doesn't go") }
  }

  func plug() throws {
    for _ in 0..<500 where access("\(Self.adapters)/i2c-gpio.7", F_OK) == 0 { usleep(10_000) }
    try KernelFiles.write("i2c-gpio.7", to: "\(Self.adapters)/bind")
  }

  func power(_ isOn: Bool) throws {
    _ = try display
    if isOn { board.plug() } else { board.unplug() }
    try KernelFiles.write("1", to: Self.writes)
    replayed = 0
    try KernelFiles.write(isOn ? "Y" : "N", to: Self.answers)
  }

  func end() throws {
    bench.stop()
    try permit(true)
    try KernelFiles.write("Y", to: Self.answers)
    if access("/dev/i2c-7", F_OK) != 0 { try plug() }
  }
}

/// What hangs at the chip `lab-wires` (`Tests/Lab/lab-wires.c`): an I2C bus and a 1-wire bus, each line with a pull-up.
/// Stays from the first use on.
final class KernelWires {
  static let isThere = SimulatorChip.isThere && access("/sys/bus/platform/devices/w1-gpio.0", F_OK) == 0

  private static let oneWireLine = 2
  private let chip: SimulatorChip

  init() throws {
    chip = try SimulatorChip(label: "lab-wires", names: ["SDA", "SCL", "W1"])
    for line in 0...2 { try chip.drive(line, .high) }
    for path in ["/dev/i2c-7", "/sys/bus/w1/devices/w1_bus_master1"] {
      for _ in 0..<500 where access(path, F_OK) != 0 { usleep(10_000) }
      guard access(path, F_OK) == 0 else { throw StandFailure("\(path) doesn't come") }
    }
  }

  /// Whether the 1-wire bus reads zeros, or is left alone.
  func hold(_ isHeld: Bool) throws { try chip.drive(Self.oneWireLine, isHeld ? .low : .high) }
}
