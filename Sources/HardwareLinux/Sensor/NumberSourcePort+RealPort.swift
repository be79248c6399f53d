import CycleCore
import HardwareDrivers

extension NumberSourcePort: RealPort {
  public func makeReal() -> any NumberSource { place.makeSource() }

  public func inspect() throws(DriverError) { try place.inspect() }
}
