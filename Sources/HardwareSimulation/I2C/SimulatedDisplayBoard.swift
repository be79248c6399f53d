import CycleCore
import HardwareDrivers

/// A character display behind a PCF8574 on a simulated bus: the board that is soldered to most of them.
///
/// A backlight that is lit by high voltage hangs on the base of an NPN transistor. The base holds its pin below 1 V, more than the about
/// 100 µA of a PCF8574's high pin can lift: the pin reads low whether the light is on or off.
///
///     let board = SimulatedDisplayBoard(on: bus, at: 0x27)
///     …
///     #expect(board.display.rows[0] == "Station Jazz    ")
///     #expect(board.display.faults == [])
public final class SimulatedDisplayBoard {
  public let display: SimulatedCharacterDisplay
  public let expander = SimulatedPCF8574()
  /// Where the board is connected, with faults of its own.
  public let socket: I2CSocket
  private let bus: SimulatedI2CBus
  private let pins: I2CCharacterDisplay.Pins

  /// - Parameter pins: which pin of the PCF8574 leads to which of the display.
  public init(
    on bus: SimulatedI2CBus, at address: I2CAddress, size: DisplaySize = .columns16rows2,
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

  /// The board loses its power, and answers nothing.
  public func unplug() {
    socket.isPlugged = false
    display.cutPower()
  }

  /// The board has its power again.
  public func plug() {
    guard !socket.isPlugged else { return }
    socket.isPlugged = true
    expander.powerUp()
    display.restorePower(at: bus.bench.now)
    display.follow(Self.wires(expander.latch, pins), at: bus.bench.now, isDriven: false)
  }
}
