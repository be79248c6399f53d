import CycleCore
import HardwareDrivers

/// A PCF8574 (or PCF8574A, which differs in its addresses): eight pins on a bus, as on the boards of most character
/// displays.
///
/// The pins are quasi-bidirectional. A bit written as 0 drives its pin low. A bit written as 1 leaves the pin to a weak
/// current source, which makes it high unless the world pulls it low. A read returns the pins' levels. After power-up
/// all bits are 1.
///
/// Source: NXP, PCF8574; PCF8574A, product data sheet, rev. 5, sections 8.1 to 8.3.
public final class SimulatedPCF8574: SimulatedI2CDevice {
  private let bench: Bench?
  /// The last byte that the program wrote: bit n is pin Pn.
  public private(set) var latch: UInt8 = 0xFF
  /// The pins that the world pulls low.
  public private(set) var pulledLow: UInt8 = 0
  /// Each byte that was written, with the moment of its acknowledge, when the pins change; the newest last.
  public var writes: [(moment: Moment, byte: UInt8)] { writeLog.entries }
  /// The number of the oldest writes that were dropped from ``writes``, which keeps at least the newest 4 096.
  public var forgottenWrites: Int { writeLog.forgottenCount }
  private var writeLog = RecentEntries<(moment: Moment, byte: UInt8)>()
  private let interrupt: SimulatedLine?
  /// The pins' levels at the last read or write: /INT is low while they differ from ``pins``.
  private var known: UInt8 = 0xFF
  private var listeners: [(UInt8, Moment) -> Void] = []

  /// - Parameter interrupt: the line that the chip's /INT is wired to, with a pull-up. It is low after a change of the
  ///   pins until they are read or written, or have changed back.
  public init(interrupt: SimulatedLine? = nil) {
    self.interrupt = interrupt
    bench = interrupt?.chip?.bench
  }

  /// The pins' levels: bit n is 1 if pin Pn is high.
  public var pins: UInt8 { latch & ~pulledLow }

  /// Pulls the pins whose bits are 1 low from the world's side, and no others.
  public func pullLow(_ pins: UInt8) {
    pulledLow = pins
    signal(at: nil)
  }

  /// Resets the chip as at power-up: all bits are 1.
  public func powerUp() {
    latch = 0xFF
    known = pins
    signal(at: nil)
  }

  /// Calls `listener` after each byte that the program writes, even if it equals the previous one.
  public func onWrite(_ listener: @escaping (_ byte: UInt8, _ moment: Moment) -> Void) {
    listeners.append(listener)
  }

  public func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement {
    latch = byte
    known = pins
    writeLog.append((moment, byte))
    for listener in listeners { listener(byte, moment) }
    signal(at: moment)
    return .acknowledged
  }

  public func send(at moment: Moment) -> UInt8 {
    known = pins
    signal(at: moment)
    return pins
  }

  /// Updates the level of /INT at `moment`, which may be ahead of the bench's clock; now if it is nil.
  private func signal(at moment: Moment?) {
    guard let interrupt, let bench else { return }
    guard let moment, moment > bench.now else { return interrupt.drive(pins == known ? nil : .low) }
    bench.plan(at: moment) { [weak self] in self?.signal(at: nil) }
  }
}
