import CycleCore

/// A light that has begun, as a function of time: the look at each moment, and its next change.
///
///     var state = LightState<Brightness>(.off, at: .zero)
///     state.begin(.fade(to: 1, over: .seconds(2)), at: .zero)
///     state.shown(at: .zero + .seconds(1))                   // a quarter of the light, and changing until 2 s
///
/// It reads no clock. A light that begins while another one is shown continues from that look if it is a fade.
public struct LightState<Look: Blendable>: Equatable, Sendable {
  /// The look at a moment, and its next change.
  public struct Shown: Equatable, Sendable {
    public var look: Look
    /// Whether the look changes continuously until ``until``.
    public var isChanging: Bool
    /// The next moment at which the look jumps, or begins or ends to change; nil for never.
    public var until: Moment?
  }

  public private(set) var light: Light<Look>
  /// The moment at which the light began.
  public private(set) var start: Moment
  /// The look when a fade began, or the one that is shown until ``resumption``.
  private var origin = Look.dark
  /// The end of the on-time or off-time of an earlier blink, which is completed first; zero if there is none.
  private var resumption = Moment.zero

  /// - Parameters:
  ///   - light: the light that begins. A fade begins in the dark.
  ///   - moment: the moment at which it begins.
  public init(_ light: Light<Look>, at moment: Moment) {
    self.light = light
    start = moment
  }

  /// Replaces the light from this moment on. Does nothing if it is the same one: it continues.
  public mutating func begin(_ light: Light<Look>, at moment: Moment) {
    guard light != self.light else { return }
    if let (look, end, start) = phase(before: light, at: moment) {
      (self.light, self.start, origin, resumption) = (light, start, look, end)
      return
    }
    resumption = .zero
    if case .fade = light.pattern { origin = shown(at: moment).look }
    self.light = light
    start = moment
  }

  /// The current phase of a blink that another blink completes: its look, its end, and the beginning of the other blink,
  /// in which a phase ends at that moment, too. Nil for any other light.
  private func phase(before light: Light<Look>, at moment: Moment) -> (look: Look, end: Moment, start: Moment)? {
    guard light.completesPhase, self.light.completesPhase,
      case .blink(let first, let second, let on, let off, nil) = light.pattern,
      case .blink(first, second, _, _, nil) = self.light.pattern, first != second
    else { return nil }
    let shown = shown(at: moment)
    guard let end = shown.until else { return nil }
    let done = shown.look == first ? on.clampedNanoseconds : sum(on, off)
    return (shown.look, end, end + .nanoseconds(-done))
  }

  /// The moment at which a light that ends has ended; nil for one that never ends, and for a steady one.
  public var end: Moment? {
    let (round, times): (Int64, Int32?)
    switch light.pattern {
    case .steady: return nil
    case .fade(_, let span): (round, times) = (span.clampedNanoseconds, 1)
    case .blink(_, _, let on, let off, let count): (round, times) = (sum(on, off), count)
    case .pulse(_, let rise, let fall, let count): (round, times) = (sum(rise, fall), count)
    case .keys(let keys, let count): (round, times) = (keys.last.nanoseconds, count)
    }
    return times.flatMap { moment(after: round, $0) }
  }

  /// Returns the look at a moment, and its next change. Before the beginning it is the look at the beginning.
  public func shown(at moment: Moment) -> Shown {
    if moment < resumption { return Shown(look: origin, isChanging: false, until: resumption) }
    let elapsed = max(0, moment.nanoseconds &- start.nanoseconds)
    switch light.pattern {
    case .steady(let look): return Shown(look: look, isChanging: false, until: nil)
    case .fade(let look, let span): return fading(to: look, span.clampedNanoseconds, elapsed)
    case .blink(let first, let second, let on, let off, let times):
      return blinking(first, second, on.clampedNanoseconds, off.clampedNanoseconds, times, elapsed)
    case .pulse(let look, let rise, let fall, let times):
      return pulsing(look, rise.clampedNanoseconds, sum(rise, fall), times, elapsed)
    case .keys(let keys, let times): return following(keys, times, elapsed)
    }
  }

  private func steady(_ look: Look) -> Shown { Shown(look: look, isChanging: false, until: nil) }

  private func sum(_ one: Duration, _ other: Duration) -> Int64 {
    sum(one.clampedNanoseconds, other.clampedNanoseconds)
  }

  /// The sum of two numbers that are not negative, and the greatest number if it is beyond that.
  private func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// The moment after this many rounds; nil if it is beyond all moments.
  private func moment(after round: Int64, _ times: Int32) -> Moment? {
    let (total, overflow) = round.multipliedReportingOverflow(by: Int64(max(0, times)))
    let (end, isBeyond) = start.nanoseconds.addingReportingOverflow(total)
    return overflow || isBeyond ? nil : Moment(nanoseconds: end)
  }

  private func moment(_ elapsed: Int64) -> Moment { start + .nanoseconds(elapsed) }

  private func fading(to look: Look, _ span: Int64, _ elapsed: Int64) -> Shown {
    guard elapsed < span, origin != look else { return steady(look) }
    let share = Double(elapsed) / Double(span)
    return Shown(look: origin.blended(with: look, share: share, on: light.scale), isChanging: true, until: moment(span))
  }

  private func blinking(
    _ first: Look, _ second: Look, _ on: Int64, _ off: Int64, _ times: Int32?, _ elapsed: Int64
  ) -> Shown {
    guard on > 0, first != second else { return steady(second) }
    let length = sum(on, off)
    let round = elapsed / length
    if let times, round >= Int64(max(0, times)) { return steady(second) }
    guard off > 0 else {
      return Shown(look: first, isChanging: false, until: times.map { moment(after: on, $0) ?? .distantFuture })
    }
    let isFirst = elapsed % length < on
    return Shown(
      look: isFirst ? first : second, isChanging: false, until: moment(sum(round * length, isFirst ? on : length)))
  }

  private func pulsing(_ look: Look, _ rise: Int64, _ length: Int64, _ times: Int32?, _ elapsed: Int64) -> Shown {
    guard length > 0 else { return steady(times == nil ? look : .dark) }
    let round = elapsed / length
    if let times, round >= Int64(max(0, times)) { return steady(.dark) }
    let phase = elapsed - round * length
    return phase < rise
      ? between(.dark, look, phase, of: rise, until: sum(round * length, rise))
      : between(look, .dark, phase - rise, of: length - rise, until: sum(round * length, length))
  }

  /// The look between keys that are repeated in every round.
  private func following(_ keys: Keyframes<Look>, _ times: Int32?, _ elapsed: Int64) -> Shown {
    let length = keys.last.nanoseconds
    guard length > 0 else { return steady(keys.last.value) }
    let round = elapsed / length
    if let times, round >= Int64(max(0, times)) { return steady(keys.last.value) }
    let phase = elapsed - round * length
    var next = 0
    while next < Int(keys.count) - 1, keys[next].nanoseconds <= phase { next += 1 }
    let end = sum(round * length, keys[next].nanoseconds)
    guard next > 0 else { return Shown(look: keys[0].value, isChanging: false, until: moment(end)) }
    let before = keys[next - 1]
    return between(
      before.value, keys[next].value, phase - before.nanoseconds, of: keys[next].nanoseconds - before.nanoseconds,
      until: end)
  }

  /// The look after a part of the way from one look to another one.
  private func between(_ one: Look, _ other: Look, _ done: Int64, of length: Int64, until end: Int64) -> Shown {
    guard one != other else { return Shown(look: one, isChanging: false, until: moment(end)) }
    let share = Double(done) / Double(length)
    return Shown(look: one.blended(with: other, share: share, on: light.scale), isChanging: true, until: moment(end))
  }
}

extension LightState: BitwiseCopyable where Look: BitwiseCopyable {}

extension Duration {
  /// The nanoseconds of a span, at least 0.
  fileprivate var clampedNanoseconds: Int64 { max(0, wholeNanoseconds) }
}
