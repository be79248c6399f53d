import CycleCore

/// A light of a row of pixels that has begun, as a function of time: the colours at each moment, and their next change.
///
///     var state = PixelLightState(count: 60)
///     state.begin(PixelLight(.rainbow(round: .seconds(5))), at: .zero)
///     let next = state.show(at: .zero + .seconds(1), in: &colours)
///
/// It reads no clock.
struct PixelLightState {
  let count: Int
  private(set) var light: PixelLight
  private var start = Moment.zero
  /// The state of a fill; what the pixels had in common before is the start of its fade.
  private var fill = LightState<Colour>(.off, at: .zero)
  /// The pixels when the light began, if it blends.
  private var origin: [Colour]

  /// - Parameter count: the number of pixels, at least 1.
  init(count: Int) {
    self.count = count
    light = .off
    origin = Array(repeating: .dark, count: count)
  }

  /// Replaces the light from this moment on. Does nothing if it is the same one: it continues.
  mutating func begin(_ light: PixelLight, at moment: Moment) {
    guard light != self.light else { return }
    if isMoving, light.pattern == self.light.pattern, light.isReversed == self.light.isReversed {
      self.light = light
      return
    }
    if light.over > .zero || Self.fades(light) { _ = show(at: moment, in: &origin) }
    if case .fill(let colour) = light.pattern {
      // A fade of all pixels begins with the colour of each of them, see `show`.
      fill = LightState(.off, at: moment)
      fill.begin(colour, at: moment)
    }
    self.light = light
    start = moment
  }

  private var isMoving: Bool {
    switch light.pattern {
    case .chase, .rainbow: true
    case .fill, .pixels, .bar, .dot: false
    }
  }

  private static func fades(_ light: PixelLight) -> Bool {
    if case .fill(let colour) = light.pattern, case .fade = colour.pattern { true } else { false }
  }

  /// Sets the colours of the pixels at a moment that is not before the beginning.
  ///
  /// - Parameters:
  ///   - moment: the moment.
  ///   - pixels: as many colours as there are pixels.
  /// - Returns: the next moment at which a colour changes: this moment while they change continuously; nil for never.
  func show(at moment: Moment, in pixels: inout [Colour]) -> Moment? {
    let elapsed = max(0, moment.nanoseconds &- start.nanoseconds)
    var next = paint(elapsed, at: moment, &pixels)
    // A fade of a fill is a blend, too, because the pixels can have different colours before.
    var (span, scale) = (light.over.wholeNanoseconds, BrightnessScale.perceived)
    if case .fill(let colour) = light.pattern, case .fade(let look, let over) = colour.pattern {
      (span, scale) = (over.wholeNanoseconds, colour.scale)
      for place in pixels.indices { pixels[place] = look }
      next = nil
    }
    if light.isReversed { pixels.reverse() }
    if light.brightness < 1 {
      let brightness = Self.clamped(light.brightness)
      for place in pixels.indices { pixels[place] = pixels[place].dimmed(to: brightness) }
    }
    guard elapsed < span else { return next }
    let share = Double(elapsed) / Double(span)
    var isChanging = false
    for place in pixels.indices where origin[place] != pixels[place] {
      pixels[place] = origin[place].blended(with: pixels[place], share: share, on: scale)
      isChanging = true
    }
    return isChanging ? moment : next
  }

  private func paint(_ elapsed: Int64, at moment: Moment, _ pixels: inout [Colour]) -> Moment? {
    switch light.pattern {
    case .fill:
      let shown = fill.shown(at: moment)
      for place in pixels.indices { pixels[place] = shown.look }
      return shown.isChanging ? moment : shown.until
    case .pixels(let list):
      for place in pixels.indices { pixels[place] = place < list.count ? list[place] : .dark }
      return nil
    case .bar(let share, let colour, let rest):
      let lit = Self.clamped(share) * Double(count)
      for place in pixels.indices {
        pixels[place] = rest.blended(with: colour, share: min(1, max(0, lit - Double(place))), on: .perceived)
      }
      return nil
    case .dot(let share, let colour, let rest, let tail):
      let middle = Int((Self.clamped(share) * Double(count - 1)).rounded())
      for place in pixels.indices {
        let part = 1 - Double(abs(place - middle)) / (Double(max(0, tail)) + 1)
        pixels[place] = rest.blended(with: colour, share: max(0, part), on: .perceived)
      }
      return nil
    case .chase(let colour, let every):
      let step = max(1, every.wholeNanoseconds)
      let done = elapsed / step
      for place in pixels.indices { pixels[place] = (Int64(place) + 2 * (done % 3)) % 3 == 0 ? colour : .dark }
      let (end, isBeyond) = (done + 1).multipliedReportingOverflow(by: step)
      return isBeyond ? nil : start + .nanoseconds(end)
    case .rainbow(let round):
      let length = max(1, round.wholeNanoseconds)
      let turn = Double(elapsed % length) / Double(length)
      for place in pixels.indices {
        pixels[place] = Colour(
          hue: 360 * (Double(place) / Double(count) - turn), saturation: 1, value: 1)
      }
      return moment
    }
  }

  private static func clamped(_ share: Double) -> Double { share > 0 ? min(share, 1) : 0 }
}
