import CycleCore

/// The volume of a sound card in hardware, which other programs and keys on the device can turn as well.
///
/// **Wiring.** Any card of ALSA that has a volume; most DACs on I2S have none: then the volume of `AudioPlayer` is the one to use.
///
/// **Timing.** A change from outside is told as soon as the kernel tells it.
///
/// **Source.** libasound, simple mixer interface.
///
///     Lens(Mixer(ALSAMixer(card: "hw:CARD=Headphones")), show: { .init(volume: $0.volume) },
///       on: { frame, event, _, _ in if case .changed(let level) = event { frame.volume = level.volume } })
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

    fileprivate func level(over level: MixerLevel) -> MixerLevel {
      MixerLevel(volume: volume ?? level.volume, isMuted: isMuted ?? level.isMuted)
    }

    fileprivate var isComplete: Bool { volume != nil && isMuted != nil }
  }

  public enum Event: Equatable, Sendable {
    /// Somebody else turned it; at the start, how it is if the model leaves that open.
    case changed(MixerLevel)
  }

  private let control: any MixerControl
  private var context: DriverContext<Event>!
  /// What is to be shown.
  private var model = Model()
  /// As it was the last time; nil while the card is gone.
  private var known: MixerLevel?

  /// Opens nothing yet.
  public init(_ control: any MixerControl) {
    self.control = control
  }

  /// Leaves everything as it is.
  public var safeModel: Model { Model() }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    self.model = model
    let level = try take()
    if !model.isComplete { context.emit(.changed(level)) }
  }

  /// Opens the element and makes it as the model says.
  private mutating func take() throws(DriverError) -> MixerLevel {
    try control.open(context.watcher)
    do throws(DriverError) {
      let level = try write(over: try control.read())
      known = level
      return level
    } catch {
      control.close()
      throw error
    }
  }

  /// Writes what is different: how it is afterwards, which may be a step beside what was asked.
  private func write(over level: MixerLevel) throws(DriverError) -> MixerLevel {
    let wanted = model.level(over: level)
    guard wanted != level else { return level }
    try control.write(wanted)
    return try control.read()
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    self.model = model
    // The start has written the first one.
    guard let previous, let known else { return }
    var changes = Model()
    if model.volume != previous.volume { changes.volume = model.volume }
    if model.isMuted != previous.isMuted { changes.isMuted = model.isMuted }
    let wanted = changes.level(over: known)
    guard wanted != known else { return }
    try control.write(wanted)
    self.known = try control.read()
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    let level = try control.read()
    guard level != known else { return }
    known = level
    context.emit(.changed(level))
  }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    control.watchForReturn(watcher)
  }

  public mutating func stop() {
    known = nil
    control.close()
  }
}
