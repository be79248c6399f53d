import BenchDrivers
import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux

/// A row of 64 bits through a shift register, on lines whose writes cost a system call each: against the same calls in
/// a loop.
let rowBenchmarks = [
  Benchmark(
    "a row of 64 bits through a shift register", against: "its \(callsOfARow) system calls", timed: 2_000, counted: 100
  ) {
    let device = open("/dev/null", O_WRONLY | O_CLOEXEC)
    return (
      { try shiftRows($0, device) },
      { rows in
        for number in 0..<UInt64(rows * callsOfARow) { writeWord(number, to: device) }
      }
    )
  }
]

private let callsOfARow = 129

/// Runs a cycle in which each event changes all 64 outputs: one row.
@inline(never)
private func shiftRows(_ rows: Int, _ device: Int32) throws {
  let chip = DeviceChip(device)
  let cycle = Cycle(seed: 0, selfEmissionLimit: .max) {
    Lens(Presses(last: rows), show: { $0 }, on: { count, event in if case .pressed = event { count += 1 } })
    Lens(
      ShiftRegister(chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13", settings: .init(chipCount: 8)),
      show: { LineValues(rawValue: $0.isMultiple(of: 2) ? 0xAAAA_AAAA_AAAA_AAAA : 0x5555_5555_5555_5555) })
  }
  try cycle.start(on: LinuxLoop())
  precondition(cycle.frame == rows)
  precondition(chip.writeCount == callsOfARow * (rows + 1), "each row takes \(callsOfARow) calls")
}

@inline(__always)
private func writeWord(_ word: UInt64, to device: Int32) {
  var word = word
  precondition(write(device, &word, 8) == 8)
}

/// A chip on which each write of lines is one `write(2)` to the device.
private final class DeviceChip: GPIOChip {
  let device: Int32
  var writeCount = 0

  init(_ device: Int32) {
    self.device = device
  }

  func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    DeviceRequest(self)
  }

  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { preconditionFailure("it stays") }
}

private final class DeviceRequest: LineRequest {
  private let chip: DeviceChip

  init(_ chip: DeviceChip) {
    self.chip = chip
  }

  var abilities: EdgeCapabilities { EdgeCapabilities(debounces: true, numbersEdges: true, queueDepth: 1024) }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    chip.writeCount += 1
    writeWord(values.rawValue, to: chip.device)
  }

  func watch(_ watcher: Watcher) throws(DriverError) {}
  func readValues() throws(DriverError) -> LineValues { [] }
  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {}
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int { 0 }
  func release() {}
}
