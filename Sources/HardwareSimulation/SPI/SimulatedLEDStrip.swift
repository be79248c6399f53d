import CycleCore
import HardwareDrivers

/// A strip of LEDs on a simulated SPI bus. It decodes the bits on the data line as the chips do, and keeps its light
/// when the program ends.
///
///     let strip = SimulatedLEDStrip(.ws2812, count: 60)
///     bus.connect(strip, at: 0)
///     …
///     #expect(strip.pixels[0] == Colour("red")!)
public final class SimulatedLEDStrip: SimulatedSPIDevice, SimulatedOutput {
  public let chip: LEDStripChip
  /// The colours that the pixels show. A part has 256 steps.
  public private(set) var pixels: [Colour]
  /// The number of times that the pixels took new colours.
  public private(set) var frameCount = 0
  /// The violations of the data sheet.
  public private(set) var faults: [String] = []

  /// The channels in the order of the strip.
  private let order: [Int]
  private var bitTime = 0.0
  private var decoder: Decoder
  private var ended: Moment?
  private var listeners: [() -> Void] = []

  /// The bits that the pixels have received since they showed new colours the last time.
  private struct Decoder {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    var bitCount = 0
    /// The number of bits on the bus for which the data line has been high, and low.
    var high = 0
    var low = 0
  }

  /// - Parameters:
  ///   - chip: the chip in each pixel.
  ///   - count: the number of pixels.
  ///   - order: the order in which a pixel takes its colours; nil for that of most strips with the chip.
  public init(_ chip: LEDStripChip, count: Int, order: String? = nil) {
    self.chip = chip
    self.order = (order ?? chip.usualOrder).compactMap { Array("rgbw").firstIndex(of: $0) }
    pixels = Array(repeating: .dark, count: count)
    decoder = Decoder()
  }

  public var maximumHertz: Int { chip.isTimed ? 50_000_000 : 15_000_000 }

  /// Calls `listener` each time that the pixels have taken new colours.
  public func onFrame(_ listener: @escaping () -> Void) { listeners.append(listener) }

  public func select(at moment: Moment, hertz: Int) {
    bitTime = 1e9 / Double(hertz)
    if let ended, chip.isTimed {
      decoder.low += Int(Double((moment - ended).wholeNanoseconds) / bitTime)
      latchIfReset()
    }
  }

  public func exchange(_ byte: UInt8, at moment: Moment) -> UInt8 {
    if chip.isTimed {
      for place in stride(from: UInt8(7), through: 0, by: -1) { receive(byte >> place & 1 != 0) }
      latchIfReset()
    } else {
      decoder.bytes.append(byte)
    }
    // Nothing is connected to the line from the device.
    return 0
  }

  public func deselect(at moment: Moment) {
    ended = moment
    if !chip.isTimed { takeClocked() }
  }

  // MARK: - One line

  /// A part of the data line, as long as a bit on the bus.
  private func receive(_ isHigh: Bool) {
    guard !isHigh else {
      if decoder.low > 0, decoder.high > 0 { finishBit() }
      decoder.high += 1
      decoder.low = 0
      return
    }
    decoder.low += 1
  }

  /// Ends a bit at the next rising edge, or at the reset.
  private func finishBit() {
    let span = Double(decoder.high) * bitTime
    decoder.high = 0
    // The limits that were measured with all of these chips: Zephyr's binding of the WS2812.
    switch span {
    case 200...500: append(false)
    case 550...1_300: append(true)
    default: fault("a pulse of \(Int(span)) ns is neither a 0 nor a 1")
    }
  }

  private func append(_ bit: Bool) {
    decoder.byte = decoder.byte << 1 | (bit ? 1 : 0)
    decoder.bitCount += 1
    guard decoder.bitCount == 8 else { return }
    decoder.bytes.append(decoder.byte)
    (decoder.byte, decoder.bitCount) = (0, 0)
  }

  private func latchIfReset() {
    guard Double(decoder.low) * bitTime >= Self.reset else { return }
    if decoder.high > 0 { finishBit() }
    guard !decoder.bytes.isEmpty else { return }
    if decoder.bitCount > 0 { fault("\(decoder.bitCount) bits are no byte") }
    show(decoder.bytes)
    decoder = Decoder()
  }

  /// The reset of a WS2812B-V5 in nanoseconds, the longest of all.
  private static let reset = 280_000.0

  // MARK: - Two lines

  private func takeClocked() {
    let bytes = decoder.bytes
    decoder = Decoder()
    guard bytes.count >= 4, bytes[..<4].allSatisfy({ $0 == 0 }) else {
      return fault("a frame doesn't begin with 32 zeros")
    }
    var colours: [UInt8] = []
    var place = 4
    while place + 4 <= bytes.count, bytes[place] & 0xE0 == 0xE0, colours.count < pixels.count * 3 {
      let brightness = Double(bytes[place] & 0x1F) / 31
      colours += bytes[place + 1..<place + 4].map { UInt8((Double($0) * brightness).rounded()) }
      place += 4
    }
    // Each pixel delays the data by half a clock cycle, and an SK9822 shows a frame only after 32 more zeros.
    let clocks = (bytes.count - place) * 8 - (chip == .sk9822 ? 32 : 0)
    let reached = min(colours.count / 3, max(0, clocks * 2))
    if reached < colours.count / 3 { fault("the clock ends before pixel \(reached + 1) has its colour") }
    show(Array(colours.prefix(reached * 3)))
  }

  // MARK: - Both

  private func show(_ bytes: [UInt8]) {
    let size = order.count
    for place in 0..<min(pixels.count, bytes.count / size) {
      var parts = [0.0, 0, 0, 0]
      for (index, channel) in order.enumerated() { parts[channel] = Double(bytes[place * size + index]) / 255 }
      pixels[place] = Colour(red: parts[0], green: parts[1], blue: parts[2], white: parts[3])
    }
    frameCount += 1
    for listener in listeners { listener() }
  }

  private func fault(_ text: String) {
    if faults.count < 100 { faults.append(text) }
  }
}
