import CycleCore

/// A strip of LEDs with a chip in each of them: WS2812 ("NeoPixel"), SK6812, APA102 ("DotStar") or SK9822.
///
/// **Wiring.** MOSI of the bus to the strip's data input; with an APA102 or SK9822 also SCLK to its clock input. A strip
/// at 5 V needs a level shifter, such as a 74AHCT125: a high level is 0.7 × 5 V at least. The strip needs a supply of
/// its own, 60 mA per pixel, and a common ground. A WS2812 or SK6812 takes the whole bus, because it has no chip select.
///
/// **Timing.** A thread sends the frames: 30 µs per pixel with a WS2812, 32 µs with an APA102. A new model is sent
/// immediately. While the colours change, a frame is sent at most every 20 ms, and only if a byte differs. Otherwise
/// the thread sleeps.
///
/// **Power.** ``Settings/power`` limits the current: if a frame needs more, all its pixels are dimmed alike. A channel
/// counts as 20 mA at full light.
///
/// **Source.** Worldsemi WS2812B and WS2812B-V5; Opsco SK6812; APA Electronic APA102; Opsco SK9822.
///
///     Lens(LEDStrip(bus, .ws2812, count: 60), show: { PixelLight(.bar(share: $0.level, of: .init("green")!)) })
public struct LEDStrip: OutputWorkerDriver {
  public struct Settings: Equatable, Sendable {
    /// The order in which a pixel takes its colours, of the letters r, g, b, and w for pixels with a white LED; nil for
    /// that of most strips with the chip.
    public var order: String?
    /// The maximum current in amperes; nil for no limit.
    public var power: Double?

    public init(order: String? = nil, power: Double? = nil) {
      self.order = order
      self.power = power
    }
  }

  public var worker: OutputWorker<Begun<PixelLight>>

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - bus: the bus.
  ///   - chipSelect: the number of the chip select. A strip has no such line, so it is mostly 0.
  ///   - chip: the chip in each pixel.
  ///   - count: the number of pixels, at least 1. The frame of a WS2812 or SK6812 has to fit in one transfer: see
  ///     ``LEDStripChip/pixelLimit(byteLimit:channels:)``.
  ///   - settings: everything that has a default.
  ///   - since: the moment at which the strip began to show the first model, in an application that replaces another.
  public init(
    _ bus: any SPIBus, chipSelect: Int = 0, _ chip: LEDStripChip, count: Int, settings: Settings = .init(),
    since: Moment? = nil
  ) {
    precondition(count > 0, "a strip has a pixel at least")
    let order = Self.order(of: chip, settings)
    worker = OutputWorker(for: "the strip", onThread: bus.needsThread, watch: bus.watchForReturn) {
      LEDStripWork(
        SPIDevice(bus, chipSelect: chipSelect, SPISettings(hertz: chip.hertz)), chip, count: count, order: order,
        power: settings.power, since: since)
    }
  }

  /// The places of the channels in a ``Colour``, in the order in which a pixel takes them.
  private static func order(of chip: LEDStripChip, _ settings: Settings) -> [Int] {
    (settings.order ?? chip.usualOrder).map { letter in
      guard let channel = "rgbw".firstIndex(of: letter) else { preconditionFailure("\(letter) is not a colour") }
      return "rgbw".distance(from: "rgbw".startIndex, to: channel)
    }
  }

  /// The colours that the pixels get at the limit of the current.
  package static func limited(_ pixels: [Colour], on chip: LEDStripChip, _ settings: Settings) -> [Colour] {
    LEDStripWork.limited(pixels, to: settings.power, order: order(of: chip, settings))
  }

  public var safeModel: PixelLight { .off }

  public func workModel(of model: PixelLight, at moment: Moment) -> Begun<PixelLight> { Begun(model, at: moment) }
}
