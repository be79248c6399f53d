import HardwareDrivers

extension NumberSourcePort: RealPort {
  public func makeReal() -> any NumberSource { place.makeSource() }
}
