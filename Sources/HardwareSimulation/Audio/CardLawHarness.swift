import CycleCore
import HardwareDrivers

/// The ``LawHarness`` of a simulated sound card: its picture is the pitch of the sound, rounded to 100 Hz.
///
/// The card has one channel and 8 000 samples a second, so that hours of sound are mixed quickly. Its buffer lasts
/// longer than the longest delay of the laws (30 ms).
///
///     let violations = DriverLaws.violations(
///       models: [[.tone(hertz: 400)], [.tone(hertz: 800)]], setup: { CardLawHarness($0) }, driver: { AudioPlayer($0.card) })
public final class CardLawHarness: LawHarness {
  public let bench: Bench
  public let card = SimulatedCard()

  public init(_ bench: Bench) {
    self.bench = bench
    card.onlyRateHertz = Self.rateHertz
    card.onlyChannelCount = 1
  }

  private static let rateHertz = 8000
  /// The number of the newest samples for the picture: 50 ms.
  private static let window = 400

  public let names = ["simulated"]
  public var writeCount: Int { card.writeCount }
  public var heldCount: Int { card.configuration == nil ? 0 : 1 }
  public let showsFromStart = false
  public let stampsEvents = false
  /// A card that plays is written to at intervals.
  public let wakesAtRest = true
  public let settlingTime = Duration.milliseconds(500)

  public var picture: String {
    guard card.configuration != nil else { return "silence" }
    let samples = card.samples.suffix(Self.window)
    guard samples.contains(where: { $0 != 0 }) else { return "silence" }
    let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    // Rounded, because the number of rises in the window differs by one, depending on the position of the wave.
    let hertz = rises * Self.rateHertz / Self.window
    return "\((hertz + 50) / 100 * 100) Hz"
  }

  public func failNextRequest() -> Bool {
    card.nextOpeningError = DriverError(
      .failed, of: "simulated", cannot: "open the sound device \"simulated\"", reason: "input/output error",
      remedy: "This failure was asked for.")
    return true
  }

  public func unplug() -> Bool {
    card.unplug()
    return true
  }

  public func plug() { card.plug() }

  /// Makes the device run out of samples, for which the driver emits an event.
  public func stimulate() throws(DriverError) {
    card.underrun()
    try bench.advance(by: settlingTime)
  }
}

/// The ``LawHarness`` of a simulated mixer: its picture is the volume.
///
/// The safe model of the ``HardwareDrivers/CardVolume`` driver changes nothing, so the laws can't check it: pass a
/// different one.
public final class MixerLawHarness: LawHarness {
  public let bench: Bench
  public let mixer = SimulatedMixer(steps: 100)

  public init(_ bench: Bench) {
    self.bench = bench
  }

  public let names = ["simulated"]
  public var writeCount: Int { mixer.writes }
  public var heldCount: Int { mixer.isOpen ? 1 : 0 }
  public let showsFromStart = false
  public let stampsEvents = false

  public var picture: String {
    "\(Int((mixer.level.volume * 100).rounded())) %\(mixer.level.isMuted ? ", muted" : "")"
  }

  public func failNextRequest() -> Bool {
    mixer.nextOpeningError = failure("open")
    return true
  }

  public func failWrite(after count: Int?) -> Bool { failWrite(after: count, takesEffect: false) }

  public func failWriteWithEffect(after count: Int?) -> Bool { failWrite(after: count, takesEffect: true) }

  private func failWrite(after count: Int?, takesEffect: Bool) -> Bool {
    mixer.failedWritesTakeEffect = takesEffect
    mixer.nextWriteError = count.map { _ in failure("write") }
    mixer.writesBeforeError = count ?? 0
    return true
  }

  public func failWrites(_ fail: Bool) -> Bool {
    mixer.failedWritesTakeEffect = false
    mixer.lastingWriteError = fail ? failure("write") : nil
    return true
  }

  private func failure(_ operation: String) -> DriverError {
    DriverError(
      .failed, of: "simulated", cannot: "\(operation) the mixer of the sound card \"simulated\"",
      reason: "input/output error",
      remedy: "This failure was asked for.")
  }

  public func unplug() -> Bool {
    mixer.unplug()
    return true
  }

  public func plug() { mixer.plug() }

  /// Changes the volume like another program, and changes it back.
  public func stimulate() throws(DriverError) {
    let level = mixer.level
    for volume in [level.volume > 0.5 ? 0.2 : 0.9, level.volume] {
      mixer.turn(to: MixerLevel(volume: volume, isMuted: level.isMuted))
      try bench.advance(by: .milliseconds(100))
    }
  }
}
