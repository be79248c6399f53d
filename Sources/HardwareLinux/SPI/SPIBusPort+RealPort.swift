import CycleCore
import HardwareDrivers

extension SPIBusPort: RealPort {
  public func makeReal() -> any SPIBus { LinuxSPI(number: number) }

  /// Checks that the bus has a device node. Opens nothing, so a running panel is not disturbed.
  public func inspect() throws(DriverError) {
    let nodes = (try? Folder.entries(of: "/dev")) ?? []
    guard nodes.contains(where: { $0.hasPrefix("spidev\(number).") }) else {
      throw SPIErrorFactory(bus: number, chipSelect: 0).absent()
    }
  }
}
