import CycleCore

/// A passive buzzer or a small loudspeaker on a PWM channel, which makes a tone of any frequency.
///
/// **Wiring.** A piezo disc from the line to ground. A magnetic buzzer or a loudspeaker needs a transistor.
///
/// **Timing.** The hardware makes the tone. A melody wakes the cycle at each note.
///
///     Lens(
///       PWMDriver(ToneBuzzer(platform.hardware(at: PWMPort(line: "GPIO18")))),
///       show: { $0.isRinging ? .melody(ring, times: nil) : .silent })
public struct ToneBuzzer: PWMDevice {
  public enum Model: Equatable, Sendable, Codable {
    case silent
    /// A frequency in hertz, clamped to ``ToneBuzzer/frequencies``.
    case tone(Double)
    /// The melody, repeated `times` times; for ever if nil.
    case melody(Melody, times: Int?)
  }

  public enum Event: Equatable, Sendable, Codable {
    /// A melody has ended.
    case finished
  }

  /// The frequencies that a buzzer plays.
  public static let frequencies: ClosedRange<Double> = 20...20_000

  private let channel: any PWMChannel
  private var model = Model.silent
  /// The note that is played, and the moment at which it ends.
  private var place = 0
  private var round = 0
  private var noteEnd: Moment?
  private var hertz: Double?
  /// The moment since which the first melody has been played, in an application that replaces another one.
  private var since: Moment?

  /// - Parameters:
  ///   - channel: the channel of the line.
  ///   - since: the moment at which the first model began, in an application that replaces another.
  public init(_ channel: any PWMChannel, since: Moment? = nil) {
    self.channel = channel
    self.since = since
  }

  public var channels: [any PWMChannel] { [channel] }
  public var safeModel: Model { .silent }
  public var alarm: Moment? { noteEnd }

  public mutating func render(_ model: Model, at moment: Moment) {
    guard model != self.model else { return }
    self.model = model
    (place, round, noteEnd, hertz) = (0, 0, nil, nil)
    switch model {
    case .silent: break
    case .tone(let tone): hertz = Self.clamped(tone)
    case .melody(let melody, _): play(melody, from: since ?? moment)
    }
    since = nil
    advance(to: moment) { _, _ in }
  }

  public mutating func ring(at moment: Moment, emit: Emit) { advance(to: moment, emit: emit) }

  private mutating func play(_ melody: Melody, from moment: Moment) {
    let note = melody.notes[place]
    hertz = note.hertz.map(Self.clamped)
    noteEnd = moment + max(.milliseconds(1), note.length)
  }

  /// Begins the notes whose time has come.
  private mutating func advance(to moment: Moment, emit: Emit) {
    guard case .melody(let melody, let times) = model else { return }
    // A cycle that was late, or a melody that began long ago, plays no note that has ended.
    let length = max(Int64(melody.notes.count) * 1_000_000, melody.length.wholeNanoseconds)
    if times == nil, let end = noteEnd, moment.nanoseconds - end.nanoseconds > length {
      noteEnd = end + .nanoseconds((moment.nanoseconds - end.nanoseconds) / length * length)
    }
    while let end = noteEnd, end <= moment {
      place += 1
      if place == melody.notes.count {
        (place, round) = (0, round + 1)
        if let times, round >= times {
          (hertz, noteEnd) = (nil, nil)
          return emit(.finished, end)
        }
      }
      play(melody, from: end)
    }
  }

  public func wave(of channel: Int) -> PWMWave { PWMWave(hertz == nil ? 0 : 0.5, hertz: hertz ?? 1_000) }

  private static func clamped(_ hertz: Double) -> Double {
    hertz.isNaN ? frequencies.lowerBound : min(frequencies.upperBound, max(frequencies.lowerBound, hertz))
  }
}
