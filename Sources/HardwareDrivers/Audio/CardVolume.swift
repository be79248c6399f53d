import CycleCore

/// The hardware volume of a sound card, which other programs and keys on the device can change, too.
///
/// **Wiring.** Any ALSA card that has a hardware volume. Most I2S DACs have none: use the volume of `AudioPlayer` with
/// them.
///
/// **Timing.** A change from outside is emitted as soon as the kernel reports it. A thread makes the calls, because
/// those of a sound server can take long. A card that is missing, at the start or later, is reported as trouble. It is
/// retried after 1 s, 2 s, … 60 s, and when the system announces that it may be back.
///
/// **Source.** libasound, simple mixer interface.
///
///     Lens(CardVolume(ALSAMixer(card: "hw:CARD=Headphones")), show: { .init(volume: $0.volume) },
///       on: { frame, event in if case .changed(let level) = event { frame.volume = level.volume } })
public struct CardVolume: Driver {
  /// The settings of the mixer; nil leaves a setting unchanged.
  public struct Model: Equatable, Sendable, Codable {
    /// 0 to 1, as perceived loudness; clamped to that range.
    public var volume: Double?
    public var isMuted: Bool?

    public init(volume: Double? = nil, isMuted: Bool? = nil) {
      self.volume = volume
      self.isMuted = isMuted
    }

    func level(over level: MixerLevel) -> MixerLevel {
      MixerLevel(volume: volume ?? level.volume, isMuted: isMuted ?? level.isMuted)
    }

    /// This model, with the values of `other` where this one has nil.
    func over(_ other: Model) -> Model {
      Model(volume: volume ?? other.volume, isMuted: isMuted ?? other.isMuted)
    }

    var isComplete: Bool { volume != nil && isMuted != nil }
  }

  public enum Event: Equatable, Sendable, Codable {
    /// The mixer was changed from outside. Also emitted at the start, with the current level, if the model leaves a
    /// setting nil.
    case changed(MixerLevel)
  }

  private let control: any MixerControl
  private var context: DriverContext<Event>!
  private var worker: Worker<MixerWork>!
  /// The worker's state that was handled last.
  private var state = MixerState()
  private var reporter = TroubleReporter()

  /// Doesn't open the card.
  /// - Parameter control: used only by the mixer from its start on.
  public init(_ control: any MixerControl) {
    self.control = control
  }

  /// Leaves all settings unchanged.
  public var safeModel: Model { Model() }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    control.wake(with: context.watcher.makeWaker())
    worker = try Worker(
      MixerWork(control, showing: model), for: "the mixer", onThread: control.needsThread, in: context)
    try worker.waitForRequiredStart { $0.isAway ? $0.error : nil }
  }

  /// Writes only what differs from the previous model: a change from outside stays until the model changes that
  /// setting.
  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    // The worker was created with the first model.
    guard let previous else { return }
    var changes = Model()
    if model.volume != previous.volume { changes.volume = model.volume }
    if model.isMuted != previous.isMuted { changes.isMuted = model.isMuted }
    try worker.send(.show(model, changes: changes))
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    if case .ready = wake, state.isAway {
      reporter.acknowledge()
      // If the command doesn't fit, it is dropped: the worker is busy then, and will retry without it.
      try? worker.send(.retry)
    }
    worker.wake(wake) { _, _ in }
    note(worker.state)
  }

  private mutating func note(_ new: MixerState) {
    let old = state
    guard new != old else { return }
    state = new
    // The card may have been away and be back.
    if new.losses != old.losses, let error = new.error { note(.lost(error)) }
    if !new.isAway {
      if old.isAway || new.losses != old.losses { note(nil) }
      if new.changes != old.changes, let level = new.level { context.emit(.changed(level)) }
      note(new.refusal.map(Trouble.failed))
    }
  }

  private mutating func note(_ trouble: Trouble?) {
    reporter.note(trouble, in: context) { [control] in control.watchForReturn($0) }
  }

  public mutating func stop() {
    worker.stop()
    reporter.end()
  }

  public func refusal(of event: Event) -> String? {
    switch event {
    case .changed(let level): (0...1).contains(level.volume) ? nil : "\(level.volume) is no volume; volumes are 0 to 1"
    }
  }
}
