import CycleCore
import HardwareDrivers

extension ClockPort: RealPort {
  public func makeReal() -> any WallClock { LinuxClock(self) }

  /// Checks that the zone can be read, and that the time is known.
  public func inspect() throws(DriverError) {
    let clock = LinuxClock(self)
    _ = try clock.zoneRules()
    guard trust == .machine || clock.isKnown else { throw ClockErrorFactory().unknownTime() }
  }
}
