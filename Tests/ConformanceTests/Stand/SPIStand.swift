import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import TestSupport

/// An SPI bus for the program, and what is connected to it: at the chip select 0 a device that sends
/// ``SPIAnswer/bytes``, at the chip select 1 a strip of ``SPIAnswer/pixelCount`` WS2812.
protocol SPIStand: AnyObject {
  var bench: Bench { get }
  /// The longest delay of an effect.
  var tolerance: Duration { get }
  var bus: any SPIBus { get }
  /// The bus in messages: `spidev8`.
  var busName: String { get }
  /// No bus has this number.
  var absentBus: any SPIBus { get }
  /// The number of devices that the program has open.
  var openCount: Int { get }
  /// The strip, as it shows what was sent until now.
  var strip: SimulatedLEDStrip { get throws }

  /// The transfers to the device at the chip select 0 since the start or the last call, each as the hertz of its clock and
  /// the bytes.
  func takeTransfers() throws -> [String]
  /// The mode of the last of them; nil if the bus does not show it.
  var lastMode: Int? { get throws }
  func permit(_ isPermitted: Bool) throws
  func fail(_ fails: Bool) throws
  func unplug() throws
  func plug() throws
  /// Called at the end of every case.
  func end() throws
}

extension SPIStand {
  func pass(_ milliseconds: Int = 0) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }
}

/// The device at the chip select 0: it sends the same bytes in each transfer.
final class SPIAnswer: SimulatedSPIDevice {
  static let bytes: [UInt8] = [0xB0, 0x1C, 0x00]
  static let pixelCount = 8

  private(set) var sent: [UInt8] = []
  private(set) var transfers: [String] = []
  private var hertz = 0
  private var count = 0

  func select(at moment: Moment, hertz: Int) { (self.hertz, count) = (hertz, 0) }

  func exchange(_ byte: UInt8, at moment: Moment) -> UInt8 {
    sent.append(byte)
    count += 1
    return Self.bytes[(count - 1) % Self.bytes.count]
  }

  func deselect(at moment: Moment) {
    transfers.append("\(hertz) \(sent.hexadecimal)")
    sent = []
  }

  func take() -> [String] {
    defer { transfers = [] }
    return transfers
  }
}

extension [UInt8] {
  /// Two digits for each byte, without spaces.
  fileprivate var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// A bus in memory, in virtual time.
final class SimulatedSPIStand: SPIStand {
  let bench = Bench()
  let strip = SimulatedLEDStrip(.ws2812, count: SPIAnswer.pixelCount)
  private let simulated: SimulatedSPIBus
  private let absent: SimulatedSPIBus
  private let answer = SPIAnswer()

  static let place = SimulatedLineStand.place

  init() {
    simulated = SimulatedSPIBus(bench, number: 8)
    absent = SimulatedSPIBus(bench, number: 99, isPlugged: false)
    simulated.connect(answer, at: 0)
    simulated.connect(strip, at: 1)
  }

  var tolerance: Duration { .zero }
  var bus: any SPIBus { simulated }
  var busName: String { "spidev8" }
  var absentBus: any SPIBus { absent }
  var openCount: Int { simulated.openCount }

  func takeTransfers() -> [String] { answer.take() }
  var lastMode: Int? { nil }
  func permit(_ isPermitted: Bool) { simulated.isPermitted = isPermitted }
  func fail(_ fails: Bool) {
    simulated.lastingTransferError =
      fails
      ? DriverError(
        .failed, of: "spidev8.1", cannot: "transfer bytes on spidev8.1", reason: "input/output error", remedy: "") : nil
  }
  func unplug() { simulated.unplug() }
  func plug() { simulated.plug() }
  func end() { bench.stop() }
}

/// The SPI bus of the lab's kernel (`Tests/Lab/lab-ports.c`).
final class KernelSPIStand: SPIStand {
  static let isThere = access("\(folder)/spi-transfers", W_OK) == 0

  let bench: Bench
  let bus: any SPIBus = LinuxSPI(number: 8)
  let busName = "spidev8"
  let absentBus: any SPIBus = LinuxSPI(number: 99)
  private let board = SimulatedLEDStrip(.ws2812, count: SPIAnswer.pixelCount)
  private var replayed = 0
  private var taken = 0

  private static let folder = "/sys/kernel/debug/lab-ports"
  private static let driver = "/sys/bus/platform/drivers/lab-spi"

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    try KernelFiles.write("0", to: "\(Self.folder)/spi-error")
    try KernelFiles.write(SPIAnswer.bytes.hexadecimal, to: "\(Self.folder)/spi-answer")
    try KernelFiles.write("0", to: "\(Self.folder)/spi-transfers")
  }

  var tolerance: Duration { .milliseconds(60) }
  var openCount: Int { KernelFiles.openCount(containing: "/dev/spidev") }

  /// One transfer that the kernel has made.
  private struct Sent {
    let moment: Moment
    let select: Int
    let hertz: Int
    let mode: Int
    let bytes: [UInt8]
  }

  private func transfers() throws -> [Sent] {
    let text = String(decoding: bytes(of: "\(Self.folder)/spi-transfers") ?? [], as: UTF8.self)
    return try text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      // It failed before its first byte.
      if words.count == 4 { return nil }
      guard words.count == 5, let moment = Int64(words[0]), let select = Int(words[1]), let hertz = Int(words[2]),
        let mode = Int(words[3])
      else { throw StandFailure("in spi-transfers: \(line)") }
      let digits = Array(words[4])
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
      return Sent(moment: Moment(nanoseconds: moment), select: select, hertz: hertz, mode: mode, bytes: bytes)
    }
  }

  var strip: SimulatedLEDStrip {
    get throws {
      let all = try transfers()
      for sent in all.dropFirst(replayed) where sent.select == 1 {
        board.select(at: sent.moment, hertz: sent.hertz)
        for byte in sent.bytes { _ = board.exchange(byte, at: sent.moment) }
        let length = Duration.nanoseconds(Int64(sent.bytes.count) * 8_000_000_000 / Int64(sent.hertz))
        board.deselect(at: sent.moment + length)
      }
      replayed = all.count
      return board
    }
  }

  func takeTransfers() throws -> [String] {
    let all = try transfers()
    defer { taken = all.count }
    return all.dropFirst(taken).filter { $0.select == 0 }.map { "\($0.hertz) \($0.bytes.hexadecimal)" }
  }

  func permit(_ isPermitted: Bool) throws { try KernelFiles.permit(isPermitted) }

  var lastMode: Int? { get throws { try transfers().last { $0.select == 0 }?.mode } }

  func fail(_ fails: Bool) throws { try KernelFiles.write(fails ? "\(EIO)" : "0", to: "\(Self.folder)/spi-error") }
  func unplug() throws { try KernelFiles.write("lab-spi.8", to: "\(Self.driver)/unbind") }
  func plug() throws { try KernelFiles.write("lab-spi.8", to: "\(Self.driver)/bind") }

  func end() throws {
    bench.stop()
    try permit(true)
    try fail(false)
    if access("\(Self.driver)/lab-spi.8", F_OK) != 0 { try plug() }
  }
}
