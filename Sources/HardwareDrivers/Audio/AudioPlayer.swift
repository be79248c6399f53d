import CycleCore

/// Plays clips and tones: what is in the model sounds, what leaves it fades out.
///
/// **Wiring.** Any PCM of ALSA: a sound card, the headphone jack, an I2S amplifier, a sound server.
///
/// **Timing.** Sound begins at most a buffer (30 ms) and a period (10 ms) after the frame. Every change of gain takes 5 ms, so that
/// nothing clicks. After 5 s of silence the device is closed, and opened again with the next sound. A clip of another rate than the
/// device's begins when it has been converted, on a thread of its own: 10 s of stereo take 50 ms on a desktop's processor.
///
/// **Loss.** While the device is away, at the start or later, nothing sounds, and what the model says is kept. What was sounding is
/// ``Reason/lost``. When the device is back, every sound that is in the model and has not come to its end is ``Event/started(_:)``,
/// from its beginning. A sound that had ended before stays over.
///
/// **Source.** libasound, PCM interface.
///
///     Lens(AudioPlayer(card), show: { $0.isRinging ? [.clip(chime, key: "chime")] : [] },
///       on: { frame, event in if event == .finished("chime", .ended) { frame.isRinging = false } })
public struct AudioPlayer: Driver {
  /// One sound, told from the others by its key.
  public struct Sound: Equatable, Sendable {
    public enum Source: Equatable, Sendable {
      /// Equal only to itself.
      case clip(Clip)
      /// A sine, above 0 Hz, until it leaves the model.
      case tone(hertz: Double)
    }

    public var source: Source
    public var key: String
    /// 0 to 1, linear; beyond, the nearer of the two.
    public var gain: Double
    /// A clip begins again when it has come to its end.
    public var isLooping: Bool
    /// Another number starts the sound anew; the old one fades out under it.
    public var restart: Int
    /// How long the sound takes to come up; zero begins with the first sample as it is, unless that would click.
    public var fadeIn: Duration
    /// How long it takes to go when it leaves the model.
    public var fadeOut: Duration

    public init(
      _ source: Source, key: String, gain: Double = 1, isLooping: Bool = false, restart: Int = 0,
      fadeIn: Duration = .zero, fadeOut: Duration = .milliseconds(5)
    ) {
      self.source = source
      self.key = key
      self.gain = gain
      self.isLooping = isLooping
      self.restart = restart
      self.fadeIn = fadeIn
      self.fadeOut = fadeOut
    }

    public static func clip(_ clip: Clip, key: String, gain: Double = 1) -> Sound {
      Sound(.clip(clip), key: key, gain: gain)
    }

    /// The key is the frequency unless it is given.
    public static func tone(hertz: Double, key: String? = nil, gain: Double = 1) -> Sound {
      Sound(.tone(hertz: hertz), key: key ?? "\(hertz) Hz", gain: gain)
    }
  }

  public struct Model: Equatable, Sendable, ExpressibleByArrayLiteral {
    /// What sounds. Of two with one key the first counts.
    public var sounds: [Sound]
    /// Of everything: 0 to 1, linear; beyond, the nearer of the two.
    public var volume: Double
    public var isMuted: Bool

    public init(_ sounds: [Sound] = [], volume: Double = 1, isMuted: Bool = false) {
      self.sounds = sounds
      self.volume = volume
      self.isMuted = isMuted
    }

    public init(arrayLiteral sounds: Sound...) {
      self.init(sounds)
    }
  }

  /// Why a sound is over.
  public enum Reason: Equatable, Sendable {
    /// It came to its end and has been heard.
    case ended
    /// It left the model and has faded out.
    case removed
    /// Another number of ``Sound/restart`` started it anew.
    case restarted
    /// The device went away. The sound starts again, from its beginning, when the device is back and the model still has it.
    case lost
    /// 64 sounds are as many as there can be: the oldest made room for a newer one.
    case stolen
  }

  public enum Event: Equatable, Sendable {
    case started(String)
    /// Told once for each ``started(_:)``.
    case finished(String, Reason)
    /// The device ran out of samples: there was a gap.
    case underrun
  }

  private let card: any SoundCard
  private let wish: PCMWish
  private let clips: [Clip]
  private var playback: Playback?

  /// Opens nothing yet.
  ///
  /// - Parameters:
  ///   - wish: what is asked of the device.
  ///   - clips: what will be played: these are converted as soon as the device's rate is known, others when they are first shown.
  public init(
    _ card: any SoundCard, wish: PCMWish = PCMWish(), preparing clips: [Clip] = []
  ) {
    self.card = card
    self.wish = wish
    self.clips = clips
  }

  public var safeModel: Model { [] }

  /// Opens the device without waiting for it: one that isn't there, is busy or not permitted is ``Trouble/lost(_:)``, and is tried again.
  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    let playback = try Playback(on: card, wish: wish, preparing: clips, context: context)
    try playback.checkStart()
    self.playback = playback
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    playback?.show(model)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    playback?.wake(wake)
  }

  public mutating func stop() {
    playback?.stop()
    playback = nil
  }
}
