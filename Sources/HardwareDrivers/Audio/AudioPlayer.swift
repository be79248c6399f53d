import CycleCore

/// Plays clips and tones: a sound plays while it is in the model, and fades out when it leaves the model.
///
/// **Wiring.** Any PCM of ALSA: a sound card, the headphone jack, an I2S amplifier, a sound server.
///
/// **Timing.** A sound starts at most a buffer (30 ms) and a period (10 ms) after the frame. Every change of gain takes
/// 5 ms, so that nothing clicks. The beginning and the end of a clip that begins or ends loud take as long, and so does
/// the seam of a loop that jumps. Fades of 50 ms and more keep the power of two sounds that fade into each other. After
/// 5 s of silence the device is closed, and opened again with the next sound. A separate thread reads and decodes files,
/// and converts what has another rate than the device. A sound that is not ready starts when it is; what is wanted now is
/// prepared first. A file that is longer than 10 s is read while it plays, and its first 500 ms are kept in memory, so
/// that it starts like a clip.
///
/// **Loudness.** A limiter lowers sounds that are too loud together. Its gain rises again with a time constant of 50 ms.
/// What exceeds full scale is reported as ``Event/clipping(_:)``. The limiter needs the next 63 sample frames, so a
/// change while something sounds is heard 1.3 ms later.
///
/// **Tracks.** A ``Track`` has a gain for all of its sounds, and can lower other tracks while it sounds: music under
/// speech. It depends on what is heard alone, however a sound has ended.
///
/// **Loss.** While the device is absent, at the start or later, nothing plays, and the model is kept. Sounds that were
/// playing are finished as ``Reason/lost``. When the device is back, every sound in the model that has not ended is
/// started again from its beginning, with ``Event/started(_:)``. Sounds that had ended before are not started again.
///
/// **Source.** libasound, PCM interface.
///
///     Lens(AudioPlayer(card), show: { $0.isRinging ? [.clip(chime, key: "chime")] : [] },
///       on: { frame, event in if event == .finished("chime", .ended) { frame.isRinging = false } })
public struct AudioPlayer: Driver {
  /// One sound, identified by its key.
  public struct Sound: Equatable, Sendable, Encodable {
    public enum Source: Equatable, Sendable, Encodable {
      /// A clip; equal only to the same object.
      case clip(Clip)
      /// A file, which the player reads beside the cycle.
      case file(SoundFile)
      /// A sine, above 0 Hz, until it leaves the model.
      case tone(hertz: Double)

      /// Frequencies that are not numbers are equal, so that such a tone is not restarted repeatedly.
      public static func == (one: Source, other: Source) -> Bool {
        switch (one, other) {
        case (.clip(let one), .clip(let other)): one == other
        case (.file(let one), .file(let other)): one == other
        case (.tone(let one), .tone(let other)): one == other || one.isNaN && other.isNaN
        case (.clip, _), (.file, _), (.tone, _): false
        }
      }
    }

    public var source: Source
    public var key: String
    /// 0 to 1, linear; clamped to that range.
    public var gain: Double
    /// -1 plays on the left side, 1 on the right side, and 0 on both at the full level; clamped to that range. A device
    /// with one channel plays both sides.
    public var pan: Double
    /// The length of a change of the gain or the pan.
    public var ramp: Duration
    /// The name of the track of the model that the sound belongs to; nil for none. Another name counts from the next
    /// start on.
    public var track: String?
    /// Whether a clip begins again when it has reached its end.
    public var isLooping: Bool
    /// A different number starts the sound again; the old one fades out at the same time.
    public var restart: Int
    /// The length of the fade at the start. Fades of 50 ms and more follow a sine, shorter ones a straight line. Zero
    /// starts the sound at its full gain, unless that would click.
    public var fadeIn: Duration
    /// The length of the fade when the sound leaves the model.
    public var fadeOut: Duration

    public init(
      _ source: Source, key: String, gain: Double = 1, pan: Double = 0, ramp: Duration = .milliseconds(5),
      track: String? = nil, isLooping: Bool = false, restart: Int = 0, fadeIn: Duration = .zero,
      fadeOut: Duration = .milliseconds(5)
    ) {
      self.source = source
      self.key = key
      self.gain = gain
      self.pan = pan
      self.ramp = ramp
      self.track = track
      self.isLooping = isLooping
      self.restart = restart
      self.fadeIn = fadeIn
      self.fadeOut = fadeOut
    }

    public static func clip(_ clip: Clip, key: String, gain: Double = 1) -> Sound {
      Sound(.clip(clip), key: key, gain: gain)
    }

    /// The key is made from the frequency if none is given.
    public static func tone(hertz: Double, key: String? = nil, gain: Double = 1) -> Sound {
      Sound(.tone(hertz: hertz), key: key ?? "\(hertz) Hz", gain: gain)
    }
  }

  /// Sounds that have a gain together, and that lower the sounds of other tracks.
  public struct Track: Equatable, Sendable, Encodable {
    public var name: String
    /// 0 to 1, linear; clamped to that range.
    public var gain: Double
    /// The length of a change of the gain.
    public var ramp: Duration
    /// The tracks that are lowered while any sound of this track is heard.
    public var ducks: [Duck]

    public init(_ name: String, gain: Double = 1, ramp: Duration = .milliseconds(5), ducks: [Duck] = []) {
      self.name = name
      self.gain = gain
      self.ramp = ramp
      self.ducks = ducks
    }
  }

  /// How a track lowers another one. A track that several others lower has the product of their factors.
  public struct Duck: Equatable, Sendable, Encodable {
    /// The name of the track that is lowered.
    public var track: String
    /// The factor of the lowered track: 0 to 1, linear; clamped to that range.
    public var gain: Double
    /// The time in which the gain falls when a sound begins.
    public var attack: Duration
    /// The time for which the gain stays low after the last sound has ended.
    public var hold: Duration
    /// The time in which it rises again after that.
    public var release: Duration

    public init(
      _ track: String, gain: Double, attack: Duration = .milliseconds(100), hold: Duration = .milliseconds(200),
      release: Duration = .milliseconds(500)
    ) {
      self.track = track
      self.gain = gain
      self.attack = attack
      self.hold = hold
      self.release = release
    }
  }

  public struct Model: Equatable, Sendable, Encodable, ExpressibleByArrayLiteral {
    /// The sounds to play. Of two sounds with the same key only the first is played.
    public var sounds: [Sound]
    /// The tracks of the sounds: at most 16, which lower each other in at most 32 pairs. A sound whose track is not here
    /// has no track.
    public var tracks: [Track]
    /// The volume of all sounds together: 0 to 1, linear; clamped to that range.
    public var volume: Double
    public var isMuted: Bool

    public init(_ sounds: [Sound] = [], tracks: [Track] = [], volume: Double = 1, isMuted: Bool = false) {
      self.sounds = sounds
      self.tracks = tracks
      self.volume = volume
      self.isMuted = isMuted
    }

    public init(arrayLiteral sounds: Sound...) {
      self.init(sounds)
    }
  }

  /// The reason why a sound is over.
  public enum Reason: Equatable, Sendable, Codable {
    /// The whole sound was played.
    case ended
    /// It left the model and has faded out.
    case removed
    /// It was started again: its ``Sound/restart`` or source changed, or the device's rate.
    case restarted
    /// The device went away. The sound starts again, from its beginning, when the device is back and the model still
    /// has it.
    case lost
    /// More than 64 sounds were wanted, or more than 8 that are read while they play: the oldest was stopped for a newer
    /// one.
    case stolen
    /// Its file can't be read, or not to its end. The error is reported as ``CycleCore/Trouble/failed(_:)``. A sound that could
    /// not be started has no ``Event/started(_:)``. It is read again when the sound starts the next time.
    case failed
  }

  public enum Event: Equatable, Sendable, Codable {
    case started(String)
    /// Emitted once for each ``started(_:)``, and for each sound that could not be started.
    case finished(String, Reason)
    /// The device ran out of samples: there was a gap.
    case underrun
    /// The file of a sound was read more slowly than it plays: the sound has a gap, and continues when 100 ms of it have
    /// been read. Emitted once a second at most.
    case stalled(String)
    /// The sounds together were louder than the device can play, so the player has lowered them for a moment; with the
    /// number of sample frames that were too loud. Emitted once a second at most.
    case clipping(Int)
  }

  private let card: any SoundCard
  private let wish: PCMPreferences
  private let sounds: [Sound.Source]
  /// The handover that passes its sounds on to another player; nil for a player without one.
  private let handover: PlaybackReloadHandover?
  private var playback: PlaybackController?

  /// Doesn't open the device.
  ///
  /// - Parameters:
  ///   - wish: the configuration to request from the device.
  ///   - sounds: the sounds to read and convert as soon as the device's rate is known, in this order; others are prepared
  ///     when a model first has them.
  ///   - card: the card to play on.
  public init(
    _ card: any SoundCard, wish: PCMPreferences = PCMPreferences(), preparing sounds: [Sound.Source] = []
  ) {
    self.init(card, wish: wish, preparing: sounds, handover: nil)
  }

  /// Creates a player whose sounds continue in the player of the application that replaces this one.
  ///
  /// - Parameters:
  ///   - card: the card to play on.
  ///   - wish: the configuration to request from the device.
  ///   - sounds: the sounds to read and convert as soon as the device's rate is known.
  ///   - handover: has the sounds of the previous player, and keeps those of this one; nil for neither.
  package init(
    _ card: any SoundCard, wish: PCMPreferences = PCMPreferences(), preparing sounds: [Sound.Source] = [],
    handover: PlaybackReloadHandover?
  ) {
    self.card = card
    self.wish = wish
    self.sounds = sounds
    self.handover = handover
  }

  public var safeModel: Model { [] }

  /// Opens the device without waiting for it, unless the application requires it. A device that is missing, busy or not
  /// permitted is reported as ``Trouble/lost(_:)`` and retried.
  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    if let kept = handover?.take() {
      kept.move(to: context)
      playback = kept
      return
    }
    let playback = try PlaybackController(on: card, wish: wish, preparing: sounds, context: context)
    try playback.waitForRequiredStart()
    self.playback = playback
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    if !isHandingOver { playback?.show(model) }
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    // The next player handles everything that is due during a handover.
    if !isHandingOver { playback?.wake(wake) }
  }

  private var isHandingOver: Bool { handover?.isHandingOver ?? false }

  public mutating func stop() {
    if let playback, isHandingOver { handover?.keep(playback) } else { playback?.stop() }
    playback = nil
  }
}
