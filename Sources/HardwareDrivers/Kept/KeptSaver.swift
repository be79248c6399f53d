import CycleCore

/// Saves sets of values; of several waiting sets only the newest. A failed save is retried.
struct KeptSaver<Folder: KeptFolder>: Work {
  struct Save: Sendable {
    var serial: Int
    var numbers: [String: Int]
    /// Opened when the set has been saved or its save has failed; nil if the sender doesn't wait.
    var outcome: Latch?
  }

  struct State: Equatable, Sendable {
    /// The serial of the last set that was received and tried, or waits for the next try.
    var received = 0
    /// The serial of the last set that is safe on the disk.
    var saved = 0
    /// The length of its file in bytes.
    var byteCount = 0
    /// Why the last try failed.
    var error: DriverError?
  }

  typealias Command = Save

  private(set) var state = State()
  private let folder: Folder
  /// Whether `values` is complete: a damaged file must not replace a complete `values.old`.
  private var isCurrentWhole: Bool
  private var waiting: Save?
  private var recovery = Recovery(in: .open)

  init(_ folder: Folder, isCurrentWhole: Bool) {
    self.folder = folder
    self.isCurrentWhole = isCurrentWhole
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    while let save = context.receive() { waiting = save }
    if recovery.isWaiting(at: context.now) {
      waiting?.outcome?.open()
      state.received = waiting?.serial ?? state.received
    } else {
      save(on: context.clock)
    }
    return WorkWait(until: recovery.due)
  }

  mutating func finish(in context: WorkContext<Self>) -> Moment? {
    while let save = context.receive() { waiting = save }
    save(on: context.clock)
    return nil
  }

  private mutating func save(on clock: WorkClock) {
    guard let save = waiting else { return }
    defer { save.outcome?.open() }
    state.received = save.serial
    do throws(DriverError) {
      let bytes = KeptText.bytes(of: save.numbers)
      try folder.perform(.write(bytes), on: clock)
      try folder.perform(.synchronize, on: clock)
      if isCurrentWhole { try folder.perform(.link, on: clock) }
      try folder.perform(.rename, on: clock)
      try folder.perform(.synchronizeFolder, on: clock)
      isCurrentWhole = true
      waiting = nil
      recovery.note(.succeed, at: clock.now)
      state.saved = save.serial
      state.byteCount = bytes.count
      state.error = nil
    } catch {
      state.error = error
      recovery.note(.fail, at: clock.now)
    }
  }
}
