import CycleCore
import HardwareDrivers

extension KeysPort: RealPort {
  public func makeReal() -> any KeyDevice { LinuxKeys(choice) }

  /// Checks that the device is there. Opens nothing, so a running panel is not disturbed.
  public func inspect() throws(DriverError) {
    guard LinuxKeys(choice).isPresent else { throw KeyErrorFactory(choice).absent() }
  }
}
