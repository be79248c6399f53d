import CycleCore

/// A command of the driver to a mixer's work.
enum MixerCommand: Sendable {
  /// Apply this model; `changes` has only the values that differ from the model before.
  case show(CardVolume.Model, changes: CardVolume.Model)
  /// Retry immediately: the card may be back.
  case retry
}

/// The state of a card's mixer, for the driver.
struct MixerState: Equatable, Sendable {
  /// Nil while the card is away, and until it has been opened.
  var level: MixerLevel?
  /// The number of changes of the level from outside, and of openings of the card with a model that leaves a setting
  /// open.
  var changes = 0
  /// The number of times that the card could not be opened or went away.
  var losses = 0
  /// Why the card was lost the last time.
  var error: DriverError?
  /// Why the hardware refused the last write, or a part of it; nil if it accepted it.
  var refusal: DriverError?

  var isAway: Bool { level == nil && losses > 0 }
}

/// Opens a mixer's element, applies the model, and detects changes from outside.
struct MixerWork: Work {
  typealias Command = MixerCommand

  let control: any MixerControl
  private(set) var state = MixerState()
  /// The model to apply.
  private var model: CardVolume.Model
  /// The part of the model that the hardware has refused, to be written again later.
  private var unwritten = CardVolume.Model()
  private var recovery = Recovery(in: .opening)

  init(_ control: any MixerControl, showing model: CardVolume.Model) {
    self.control = control
    self.model = model
  }

  var descriptors: [PolledDescriptor] { control.descriptors }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    let changes = receive(context)
    if let level = state.level {
      // A refused change is written again when the retry is due, and together with any newer change.
      let isTriedAgain = changes != CardVolume.Model() || recovery.isDue(at: context.now)
      let wanted = isTriedAgain ? changes.over(unwritten) : changes
      if wanted != CardVolume.Model() { write(wanted, over: level, context) } else { look(context) }
    } else if recovery.isDue(at: context.now) {
      open(context)
    }
    return WorkWait(until: recovery.due, pollsDescriptors: state.level != nil)
  }

  /// Merges all changes that have arrived, so that they are written in one call: calls are slow.
  private mutating func receive(_ context: WorkContext<Self>) -> CardVolume.Model {
    var changes = CardVolume.Model()
    while let command = context.receive() {
      switch command {
      case .show(let model, let newer):
        self.model = model
        changes = newer.over(changes)
      case .retry:
        recovery.note(.announce, at: context.now)
      }
    }
    return changes
  }

  /// Writes the safe model, which may not have been written yet.
  mutating func finish(in context: WorkContext<Self>) -> Moment? {
    let changes = receive(context).over(unwritten)
    if let level = state.level, changes != CardVolume.Model() { write(changes, over: level, context) }
    return nil
  }

  private mutating func open(_ context: WorkContext<Self>) {
    do throws(DriverError) {
      try control.open(on: context.clock)
      let level = try control.read()
      state.level = level
      recovery.note(.succeed, at: context.now)
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

  /// Writes the differences, then reads the actual level, which may be one hardware step off.
  private mutating func write(_ changes: CardVolume.Model, over level: MixerLevel, _ context: WorkContext<Self>) {
    unwritten = CardVolume.Model()
    let wanted = changes.level(over: level)
    guard wanted != level else { return end(with: nil, at: context.now) }
    do throws(DriverError) {
      var refusal: DriverError?
      do throws(DriverError) {
        try control.write(wanted)
      } catch {
        guard error.kind != .absent, error.kind != .lost else { throw error }
        refusal = error
      }
      state.level = try control.read()
      end(with: refusal, at: context.now)
      guard let refusal else { return }
      // A setting that the hardware doesn't have stays refused while the model has it; it is not retried on its own.
      if refusal.kind == .unsupported { unwritten.isMuted = changes.isMuted } else { unwritten = changes }
    } catch {
      lose(error, context)
    }
  }

  /// Records the result of a write.
  private mutating func end(with refusal: DriverError?, at now: Moment) {
    state.refusal = refusal
    recovery.note(refusal == nil || refusal?.kind == .unsupported ? .succeed : .fail, at: now)
  }

  private mutating func lose(_ error: DriverError, _ context: WorkContext<Self>) {
    control.close()
    if !state.isAway {
      state.losses += 1
      state.error = error
    }
    state.level = nil
    unwritten = CardVolume.Model()
    recovery.note(.lose, at: context.now)
  }

  mutating func close(in context: WorkContext<Self>) { control.close() }
}
