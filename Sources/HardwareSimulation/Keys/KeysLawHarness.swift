import CycleCore
import HardwareDrivers

/// The ``LawHarness`` of a driver on a simulated input device.
///
///     setup: { bench in
///       KeysLawHarness(SimulatedKeys(bench, KeysPort(.named("USB Keypad")))) { keys throws(DriverError) in
///         keys.press(KeyCode("a")!)
///         try keys.bench.advance(by: .milliseconds(50))
///         keys.release(KeyCode("a")!)
///       }
///     }
public final class KeysLawHarness: LawHarness {
  public let keys: SimulatedKeys
  private let act: (SimulatedKeys) throws(DriverError) -> Void

  /// - Parameters:
  ///   - keys: the driver's device.
  ///   - stimulate: makes the driver emit events.
  public init(_ keys: SimulatedKeys, stimulate: @escaping (SimulatedKeys) throws(DriverError) -> Void) {
    self.keys = keys
    act = stimulate
  }

  public var bench: Bench { keys.bench }
  public var names: [String] { [keys.name] }
  public var writeCount: Int { 0 }
  public var heldCount: Int { keys.isOpen ? 1 : 0 }
  public var hasPicture: Bool { false }
  public var picture: String { "" }

  public func failNextRequest() -> Bool {
    keys.nextOpenError = DriverError(
      .failed, of: keys.name, cannot: "open the input device \"\(keys.name)\"", reason: "input/output error",
      remedy: "This failure was asked for.")
    return true
  }

  public func loseEvents(_ loses: Bool) -> Bool {
    keys.queueDepth = loses ? 2 : 64
    return true
  }

  public func unplug() -> Bool {
    keys.unplug()
    return true
  }

  public func plug() { keys.plug() }

  public func stimulate() throws(DriverError) { try act(keys) }
}
