import CycleCore

/// Sends the frames of a strip, one transfer per step.
struct LEDStripWork: OutputWork {
  private let device: SPIDevice
  private let chip: LEDStripChip
  private let order: [Int]
  private let power: Double?
  private var since: Moment?
  private var state: PixelLightState
  private var pixels: [Colour]
  /// The frame that was sent last; empty if unknown.
  private var sent: [UInt8] = []

  /// The time between two frames while the colours change. A new model is sent immediately.
  private static let frameTime = Duration.milliseconds(20)
  /// The current of one LED at full light, in amperes.
  private static let channelCurrent = 0.02

  init(
    _ device: SPIDevice, _ chip: LEDStripChip, count: Int, order: [Int], power: Double?, since: Moment?
  ) {
    (self.device, self.chip, self.order, self.power, self.since) = (device, chip, order, power, since)
    state = PixelLightState(count: count)
    pixels = Array(repeating: .dark, count: count)
  }

  mutating func show(_ model: Begun<PixelLight>) {
    state.begin(model.model, at: since ?? model.start)
    since = nil
  }

  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
    let now = clock.now
    let change = state.show(at: now, in: &pixels)
    let frame = chip.frame(Self.limited(pixels, to: power, order: order), order: order)
    if frame != sent {
      try device.write(frame, on: clock)
      sent = frame
    }
    return .shown(check: change.map { max($0, now + Self.frameTime) })
  }

  mutating func forget() { sent = [] }

  mutating func close() { device.close() }

  /// The pixels, dimmed to a limit of the current.
  static func limited(_ pixels: [Colour], to power: Double?, order: [Int]) -> [Colour] {
    guard let power else { return pixels }
    let shares = pixels.reduce(0) { sum, pixel in order.reduce(sum) { $0 + pixel[$1] } }
    let current = shares * channelCurrent
    return current > power ? pixels.map { $0.dimmed(to: power / current) } : pixels
  }
}
