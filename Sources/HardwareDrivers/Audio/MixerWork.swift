import CycleCore

/// What is asked of a mixer.
enum MixerCommand: Sendable {
  /// The model, and what of it differs from the one before.
  case show(Mixer.Model, changes: Mixer.Model)
  /// The card may be back.
  case retry
}

/// How a card's mixer is: what the driver must know.
struct MixerState: Equatable, Sendable {
  /// Nil while the card is away, and until it has been opened.
  var level: MixerLevel?
  /// How often somebody else has turned it, or the model has left open how it was when it was opened.
  var changes = 0
  /// How often the card could not be opened, or went away.
  var losses = 0
  /// Why, the last time.
  var error: DriverError?
  /// What the hardware could not do of the last write.
  var refusal: DriverError?

  var isAway: Bool { level == nil && losses > 0 }
}

/// Opens a mixer's element, makes it as the model says, and looks who else turns it.
struct MixerWork: Work {
  typealias Command = MixerCommand

  let control: any MixerControl
  private(set) var state = MixerState()
  /// What is to be shown.
  private var model: Mixer.Model
  /// What of it the hardware has refused, and may take later.
  private var unwritten = Mixer.Model()
  private var retry = Retry()

  init(_ control: any MixerControl, showing model: Mixer.Model) {
    self.control = control
    self.model = model
  }

  var descriptors: [PolledDescriptor] { control.descriptors }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    let changes = receive(context)
    let isDue = (retry.moment ?? .zero) <= context.now
    if let level = state.level {
      // What could not be written is tried again when it is due, and with whatever comes before that.
      let isTriedAgain = changes != Mixer.Model() || (retry.moment != nil && isDue)
      let wanted = isTriedAgain ? changes.over(unwritten) : changes
      if wanted != Mixer.Model() { write(wanted, over: level, context) } else { look(context) }
    } else if isDue {
      open(context)
    }
    return WorkWait(until: retry.moment, pollsDescriptors: state.level != nil)
  }

  /// Calls are slow: what came during the last one is written at once, and only what it came to.
  private mutating func receive(_ context: WorkContext<Self>) -> Mixer.Model {
    var changes = Mixer.Model()
    while let command = context.receive() {
      switch command {
      case .show(let model, let newer):
        self.model = model
        changes = newer.over(changes)
      case .retry:
        retry.end()
      }
    }
    return changes
  }

  /// The safe model may be still to be written.
  mutating func finish(in context: WorkContext<Self>) -> Moment? {
    let changes = receive(context).over(unwritten)
    if let level = state.level, changes != Mixer.Model() { write(changes, over: level, context) }
    return nil
  }

  private mutating func open(_ context: WorkContext<Self>) {
    do throws(DriverError) {
      try control.open(on: context.clock)
      let level = try control.read()
      state.level = level
      retry.end()
      write(model, over: level, context)
      if state.level != nil, !model.isComplete { state.changes += 1 }
    } catch {
      lose(error, context)
    }
  }

  private mutating func look(_ context: WorkContext<Self>) {
    do throws(DriverError) {
      let level = try control.read()
      if level != state.level { state.changes += 1 }
      state.level = level
    } catch {
      lose(error, context)
    }
  }

  /// Writes what is different, and reads how it is afterwards, which may be a step beside what was asked.
  private mutating func write(_ changes: Mixer.Model, over level: MixerLevel, _ context: WorkContext<Self>) {
    unwritten = Mixer.Model()
    let wanted = changes.level(over: level)
    guard wanted != level else { return end(with: nil) }
    do throws(DriverError) {
      var refusal: DriverError?
      do throws(DriverError) {
        try control.write(wanted)
      } catch {
        guard error.kind != .absent, error.kind != .lost else { throw error }
        refusal = error
      }
      state.level = try control.read()
      end(with: refusal)
      guard let refusal else { return }
      if refusal.kind == .unsupported {
        // What the hardware can't do at all counts as refused for as long as the model wants it, and needs no try of its own.
        unwritten.isMuted = changes.isMuted
      } else {
        unwritten = changes
        retry.fail(at: context.now)
      }
    } catch {
      lose(error, context)
    }
  }

  /// A write is over.
  private mutating func end(with refusal: DriverError?) {
    state.refusal = refusal
    if refusal == nil || refusal?.kind == .unsupported { retry.end() }
  }

  private mutating func lose(_ error: DriverError, _ context: WorkContext<Self>) {
    control.close()
    if !state.isAway {
      state.losses += 1
      state.error = error
    }
    state.level = nil
    unwritten = Mixer.Model()
    // A card's nodes come one after the other: what is watched is tried from time to time as well.
    retry.fail(at: context.now)
  }

  mutating func close(in context: WorkContext<Self>) { control.close() }
}
