import CycleCore

/// The volume of a sound card in hardware, which other programs and keys on the device can turn as well.
///
/// **Wiring.** Any card of ALSA that has a volume; most DACs on I2S have none: then the volume of `AudioPlayer` is the one to use.
///
/// **Timing.** A change from outside is told as soon as the kernel tells it. A thread makes the calls: behind a sound server they can
/// take long. A card that isn't there, at the start or later, is trouble, and is tried again after 1 s, 2 s, … 60 s, and when the system
/// says that it may be back.
///
/// **Source.** libasound, simple mixer interface.
///
///     Lens(Mixer(ALSAMixer(card: "hw:CARD=Headphones")), show: { .init(volume: $0.volume) },
///       on: { frame, event in if case .changed(let level) = event { frame.volume = level.volume } })
public struct Mixer: Driver {
  /// What the mixer is set to. What is nil is left as it is.
  public struct Model: Equatable, Sendable {
    /// 0 to 1, as it is heard; beyond, the nearer of the two.
    public var volume: Double?
    public var isMuted: Bool?

    public init(volume: Double? = nil, isMuted: Bool? = nil) {
      self.volume = volume
      self.isMuted = isMuted
    }

    func level(over level: MixerLevel) -> MixerLevel {
      MixerLevel(volume: volume ?? level.volume, isMuted: isMuted ?? level.isMuted)
    }

    /// What this asks for, and where it asks for nothing, the other.
    func over(_ other: Model) -> Model {
      Model(volume: volume ?? other.volume, isMuted: isMuted ?? other.isMuted)
    }

    var isComplete: Bool { volume != nil && isMuted != nil }
  }

  public enum Event: Equatable, Sendable {
    /// Somebody else turned it; at the start, how it is if the model leaves that open.
    case changed(MixerLevel)
  }

  private let control: any MixerControl
  private var context: DriverContext<Event>!
  private var worker: Worker<MixerWork>!
  /// What has been taken note of.
  private var state = MixerState()
  private var returnWatch: (any ReturnWatch)?

  /// Opens nothing yet.
  /// - Parameter control: belongs to the mixer from the start on.
  public init(_ control: any MixerControl) {
    self.control = control
  }

  /// Leaves everything as it is.
  public var safeModel: Model { Model() }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    control.wake(with: context.watcher.makeWaker())
    worker = try Worker(
      MixerWork(control, showing: model), for: "the mixer", onThread: control.needsThread, in: context)
    try worker.checkStart { $0.isAway ? $0.error : nil }
  }

  /// Writes what differs from the model before, so that what somebody else turned stays until the model changes it.
  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    // The worker began with the first one.
    guard let previous else { return }
    var changes = Model()
    if model.volume != previous.volume { changes.volume = model.volume }
    if model.isMuted != previous.isMuted { changes.isMuted = model.isMuted }
    try worker.send(.show(model, changes: changes))
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    if case .ready = wake, state.isAway {
      returnWatch?.acknowledge()
      // A command that doesn't fit can be left out: then the worker is busy, and looks for the card by itself afterwards.
      try? worker.send(.retry)
    }
    worker.wake(wake) { _, _ in }
    note(worker.state)
  }

  private mutating func note(_ new: MixerState) {
    let old = state
    guard new != old else { return }
    state = new
    if new.losses != old.losses, !old.isAway, let error = new.error {
      context.report(.lost(error))
      returnWatch = control.watchForReturn(context.watcher)
    }
    if !new.isAway, old.isAway || new.losses != old.losses {
      returnWatch?.release()
      returnWatch = nil
      context.report(.restored)
    }
    if new.changes != old.changes, let level = new.level { context.emit(.changed(level)) }
    if let refusal = new.refusal {
      context.report(.failed(refusal))
    } else if old.refusal != nil, !new.isAway {
      context.report(.restored)
    }
  }

  public mutating func stop() {
    worker.stop()
    returnWatch?.release()
    returnWatch = nil
  }
}
