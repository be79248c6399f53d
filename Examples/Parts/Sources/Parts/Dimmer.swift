import CycleCore
import HardwareDrivers

/// A dimmer on an I²C bus: one lamp, 0 (dark) to 255.
///
/// **Wiring.** SDA, SCL, 3.3 V, ground. The address is 0x30.
///
/// **Timing.** A change takes 0.4 ms at 100 kHz. While changes come faster, only the newest is written.
public struct Dimmer: OutputWorkerDriver {
  public var worker: OutputWorker<UInt8>
  public var safeModel: UInt8 { 0 }

  public init(_ bus: any I2CBus, address: I2CAddress) {
    worker = OutputWorker(for: "the dimmer", onThread: bus.needsThread, watch: bus.watchForReturn) {
      DimmerWork(I2CDevice(bus, at: address))
    }
  }
}

struct DimmerWork: OutputWork {
  private let dimmer: I2CDevice
  private var wanted: UInt8 = 0
  private var written: UInt8?

  private static let levelRegister: UInt8 = 0x01

  init(_ dimmer: I2CDevice) { self.dimmer = dimmer }

  mutating func show(_ model: UInt8) { wanted = model }

  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
    if written != wanted { try dimmer.write([Self.levelRegister, wanted], on: clock) }
    written = wanted
    return .shown(check: nil)
  }

  mutating func forget() { written = nil }

  mutating func close() { dimmer.close() }
}
