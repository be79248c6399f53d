import HardwareDrivers
import PanelLanguage
import PanelWiring

/// The place of a device on an SPI bus in a panel file: `0.1` is chip select 1 of bus 0.
struct SPIPlace: Equatable, Sendable {
  let bus: Int
  let chipSelect: Int

  /// Reads and reserves the place. Adds a problem and returns nil if it is wrong or used by another device.
  ///
  /// - Parameters:
  ///   - fields: the settings with the place.
  ///   - key: the key of the place. Without it the place is `0.0`.
  ///   - hasSelect: whether the device listens only while its chip select is active.
  init?(reading fields: DeviceFields, at key: String = "spi", hasSelect: Bool = true) {
    guard let (bus, chipSelect) = fields.spiDevice(key, hasSelect: hasSelect) else { return nil }
    (self.bus, self.chipSelect) = (bus, chipSelect)
  }

  var port: SPIBusPort { SPIBusPort(number: bus) }

  // MARK: - Wiring

  /// Whether its lines are on the header of a Raspberry Pi. The lines of other buses differ between boards.
  var isOnHeader: Bool { bus == 0 && chipSelect < 2 }

  /// The line with the data for the device.
  func data(to name: String) -> WiringTerminal { terminal("GPIO10", "MOSI", to: name) }
  /// The line with the data of the device.
  func answer(to name: String) -> WiringTerminal { terminal("GPIO9", "MISO", to: name) }
  func clock(to name: String) -> WiringTerminal { terminal("GPIO11", "SCLK", to: name) }

  /// The chip select.
  func select(to name: String) -> WiringTerminal {
    let line = isOnHeader ? ["GPIO8", "GPIO7"][chipSelect] : "CS\(chipSelect) of SPI bus \(bus)"
    return WiringTerminal(line, name, for: .spi)
  }

  private func terminal(_ line: String, _ signal: String, to name: String) -> WiringTerminal {
    WiringTerminal(bus == 0 ? line : "\(signal) of SPI bus \(bus)", name, for: .spi)
  }
}
