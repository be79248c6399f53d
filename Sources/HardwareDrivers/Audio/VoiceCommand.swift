/// A command of the player to the mixer. Plain bytes: it is passed through a ring to a thread that must not allocate.
struct VoiceCommand: BitwiseCopyable, Sendable {
  enum Kind: UInt8, BitwiseCopyable, Sendable {
    case start
    case setGain
    case setPan
    case setLooping
    /// Fades out and frees the voice.
    case stop
    case setMaster
    /// Sets the gain of the track with this slot.
    case setTrack
    /// Sets how a track lowers another one. The slot is the number of the pair.
    case setDuck
    /// Removes all voices: the device is lost.
    case clear
    /// The device may be back. The mixer ignores it.
    case retry
  }

  var kind: Kind
  var slot: Int32 = 0
  /// The use of the slot that the command is for; a command for an earlier use is ignored.
  var generation: UInt32 = 0
  /// Of a start: the number of losses of the device that the player knew when it sent the command.
  var epoch: UInt32 = 0
  var gain: Float = 0
  /// The length of the fade of a start or a stop, or of a change of gain, in sample frames.
  var ramp: Int32 = 0
  /// Of a start and a pan: -1 is left, 0 the middle, and 1 right.
  var pan: Float = 0
  /// Of a start: the track of the voice; 0 for none. Of a duck: the track that is lowered.
  var track: Int32 = 0
  /// Of a duck: the track that lowers the other; 0 for none. Its ramp is the attack.
  var source: Int32 = 0
  /// Of a duck: in sample frames.
  var (hold, release) = (Int32(0), Int32(0))
  var isLooping = false
  /// A clip's samples; nil for a tone. The player keeps the clip until the voice is over.
  nonisolated(unsafe) var samples: UnsafePointer<Int16>?
  /// The length of the clip in sample frames.
  var length: Int32 = 0
  /// The samples that follow the clip, for a sound that is read while it plays. The player keeps them until the voice is over.
  nonisolated(unsafe) var stream: Unmanaged<SoundStream>?
  var channelCount: Int32 = 1
  /// Of a tone: cycles per sample frame.
  var increment: Double = 0

  init(_ kind: Kind, slot: Int32 = 0, generation: UInt32 = 0) {
    self.kind = kind
    self.slot = slot
    self.generation = generation
  }

  /// Plays the samples of a clip.
  mutating func take(_ clip: Clip) {
    samples = clip.baseAddress
    length = Int32(clamping: clip.length)
    channelCount = Int32(clip.channelCount)
  }
}
