import CycleCore
import HardwareDrivers
import Synchronization

/// A reading of a chip with a ``HardwareDrivers/Sheet``, on a bus of this machine.
///
///     SheetLocation(sheet, .i2c(bus: 1, 0x76), "temperature")
///
/// All readings of one chip share its measurements.
public struct SheetLocation: NumberLocation {
  /// The chip's place.
  public enum Place: Hashable, Sendable {
    case i2c(bus: Int, I2CAddress)
    case spi(bus: Int, chipSelect: Int)
    /// The path of a serial line.
    case serial(String)
  }

  private let sheet: Sheet
  private let place: Place
  private let number: String
  private let settings: SheetSettings

  /// Opens nothing.
  ///
  /// - Parameters:
  ///   - sheet: the sheet.
  ///   - place: the chip's place, on a bus that the sheet is for.
  ///   - number: the name of a reading of the sheet.
  ///   - settings: the chosen settings; the others have their defaults.
  public init(_ sheet: Sheet, _ place: Place, _ number: String, settings: SheetSettings = SheetSettings()) {
    (self.sheet, self.place, self.number, self.settings) = (sheet, place, number, settings)
  }

  public var name: String {
    switch place {
    case .i2c(let bus, let address): "\(sheet.name) at \(address) of I²C bus \(bus), \(number)"
    case .spi(let bus, let chipSelect): "\(sheet.name) at spidev\(bus).\(chipSelect), \(number)"
    case .serial(let path): "\(sheet.name) on \(path), \(number)"
    }
  }

  public var unit: String { sheet.readings.first { $0.name == number }?.reading.unit ?? "" }

  public func makeSource() -> any NumberSource {
    Self.sharedChip(sheet, place).source(of: number, settings: settings)
  }

  /// Opens the bus, and makes no transfer: a measurement would disturb that of a running panel.
  public func inspect() throws(DriverError) {
    switch place {
    case .i2c(let bus, let address): try LinuxI2C(.number(bus)).open(address).close()
    case .serial(let path): try SerialPort(path).inspect()
    case .spi(let bus, let chipSelect):
      guard case .spi(let settings) = sheet.bus else { return }
      do throws(DriverError) {
        try LinuxSPI(number: bus).open(chipSelect, settings).close()
      } catch {
        // The panel itself can have it.
        if error.kind != .busy { throw error }
      }
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(sheet.name)
    hasher.combine(place)
    hasher.combine(number)
  }

  // MARK: - Chips

  /// The chips that are used now: those of equal sheets at one place are one chip.
  private static let chips = Mutex<[Place: WeakChip]>([:])

  private struct WeakChip: @unchecked Sendable { weak var chip: SheetChip? }

  /// The chip at a place on this machine, for all that use it: its measurements and its writes are one after the other.
  public static func sharedChip(_ sheet: Sheet, _ place: Place) -> SheetChip {
    chips.withLock { chips in
      if let chip = chips[place]?.chip, chip.sheet == sheet { return chip }
      let chip =
        switch place {
        case .i2c(let bus, let address): SheetChip(sheet, I2CDevice(LinuxI2C(.number(bus)), at: address))
        case .spi(let bus, let chipSelect): SheetChip(sheet, LinuxSPI(number: bus), chipSelect: chipSelect)
        case .serial(let path): SheetChip(sheet, LinuxSerial(path))
        }
      chips[place] = WeakChip(chip: chip)
      return chip
    }
  }
}
