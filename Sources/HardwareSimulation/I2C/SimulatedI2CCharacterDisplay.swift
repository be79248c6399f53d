import CycleCore
import HardwareDrivers

/// A character display with a PCF8574 on a simulated bus: the adapter board that most I²C displays have.
///
/// A backlight that is switched on by a high pin is driven through an NPN transistor, whose base keeps that pin below 1
/// V: the roughly 100 µA of a high PCF8574 pin can't raise it. The pin reads low, whether the light is on or off.
///
///     let board = SimulatedI2CCharacterDisplay(on: bus, at: 0x27)
///     …
///     #expect(board.display.rows[0] == "Station Jazz    ")
///     #expect(board.display.faults == [])
public final class SimulatedI2CCharacterDisplay {
  public let display: SimulatedCharacterDisplay
  public let expander = SimulatedPCF8574()
  /// The board's connection to the bus, for faults of only the board.
  public let socket: I2CSocket
  private let bus: SimulatedI2CBus
  private let pins: I2CCharacterDisplay.Pins

  /// - Parameter pins: the wires from the pins of the PCF8574 to those of the display.
  /// - Parameter rom: the character set in the controller's ROM.
  /// - Parameter address: the address on the bus.
  /// - Parameter size: the columns and rows of the display.
  /// - Parameter bus: the bus.
  public init(
    on bus: SimulatedI2CBus, at address: I2CAddress, size: CharacterDisplayLayout = .columns16rows2,
    rom: CharacterROM = .japanese, pins: I2CCharacterDisplay.Pins = .init()
  ) {
    self.bus = bus
    self.pins = pins
    let display = SimulatedCharacterDisplay(size: size, rom: rom, at: bus.bench.now)
    self.display = display
    socket = bus.connect(expander, at: address)
    if !pins.isBacklightActiveLow { expander.pullLow(1 << UInt8(pins.backlight)) }
    expander.onWrite { byte, moment in display.follow(Self.wires(byte, pins), at: moment) }
    display.follow(Self.wires(expander.latch, pins), at: bus.bench.now, isDriven: false)
  }

  private static func wires(_ byte: UInt8, _ pins: I2CCharacterDisplay.Pins) -> SimulatedCharacterDisplay.Wires {
    func isHigh(_ pin: Int) -> Bool { byte & (1 << UInt8(pin)) != 0 }
    var nibble: UInt8 = 0
    for (bit, pin) in pins.data.enumerated() where isHigh(pin) { nibble |= 1 << UInt8(bit) }
    return SimulatedCharacterDisplay.Wires(
      isData: isHigh(pins.registerSelect), isReading: isHigh(pins.readWrite), isEnabled: isHigh(pins.enable),
      nibble: nibble, isBacklit: isHigh(pins.backlight) != pins.isBacklightActiveLow)
  }

  /// Cuts the board's power: it acknowledges nothing.
  public func unplug() {
    socket.isPlugged = false
    display.cutPower()
  }

  /// Restores the board's power.
  public func plug() {
    guard !socket.isPlugged else { return }
    socket.isPlugged = true
    expander.powerUp()
    display.restorePower(at: bus.bench.now)
    display.follow(Self.wires(expander.latch, pins), at: bus.bench.now, isDriven: false)
  }
}
