import CycleCore

/// The chip of a row of seven-segment digits: how its registers are written. A ``SegmentDisplay`` does everything else.
/// ``MAX7219`` and ``HT16K33`` are two; write another for a chip of your own.
///
/// The functions are called on the worker's thread; they may block for some milliseconds.
public protocol SegmentChip {
  /// The number of digits, at least 1.
  var digitCount: Int { get }
  /// Whether there is a colon in the middle.
  var hasColon: Bool { get }
  /// Whether transfers block the thread: that of the bus.
  var needsThread: Bool { get }
  /// The name in messages: `the display at 0x70`.
  var label: String { get }

  /// Writes the registers that differ.
  ///
  /// - Parameters:
  ///   - frame: the segments to show.
  ///   - shown: the segments that the chip shows; nil if its registers are unknown. It may have just got its power, and is
  ///     off then, or it may show the frame already: nothing else may be visible on the way.
  ///   - clock: the worker's clock.
  mutating func show(_ frame: SegmentFrame, replacing shown: SegmentFrame?, on clock: WorkClock) throws(DriverError)

  /// Wakes the watcher when the bus may be back: that of the bus.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?

  /// Closes the bus.
  mutating func close()
}

/// A row of seven-segment digits at a chip: a clock, a counter, a thermometer.
///
///     Lens(SegmentDisplay(HT16K33(bus)), show: { SegmentText("\($0.count)", isRightAligned: true) })
///
/// **Timing.** A thread makes the transfers, each in less than 3 ms. Only what has changed is written. Each 10 minutes
/// everything is written again, because such chips can't be asked whether their power was cut. A text that changes is
/// written completely once a minute.
///
/// **Faults.** A chip on I²C that does not acknowledge is reported as trouble, and retried after 1 s, 2 s, … 60 s. SPI has
/// no acknowledgement, so only the loss of the bus is noticed there.
public struct SegmentDisplay: OutputWorkerDriver {
  public var worker: OutputWorker<SegmentText>

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - chip: the chip with its bus.
  ///   - check: everything is written again at each multiple of this time on the loop's clock; nil for never.
  public init(_ chip: some SegmentChip, check: Duration? = OutputProgress.checkInterval) {
    worker = OutputWorker(for: chip.label, onThread: chip.needsThread, watch: chip.watchForReturn) {
      SegmentWork(chip, check: check)
    }
  }

  public var safeModel: SegmentText { .blank }
}

/// Writes the registers of a chip, once per step.
private struct SegmentWork<Chip: SegmentChip>: OutputWork {
  private var chip: Chip
  private var rewrites: OutputRewrites
  private var wanted: SegmentFrame
  private var shown: SegmentFrame?

  init(_ chip: Chip, check: Duration?) {
    self.chip = chip
    rewrites = OutputRewrites(each: check)
    wanted = SegmentText.blank.frame(count: chip.digitCount, hasColon: chip.hasColon)
  }

  mutating func show(_ model: SegmentText) {
    wanted = model.frame(count: chip.digitCount, hasColon: chip.hasColon)
  }

  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
    if rewrites.isDue(at: clock.now, isChanging: shown != wanted) { shown = nil }
    if shown != wanted {
      let isNew = shown == nil
      try chip.show(wanted, replacing: shown, on: clock)
      shown = wanted
      if isNew { rewrites.note(at: clock.now) }
    }
    return .shown(check: rewrites.check)
  }

  mutating func forget() { shown = nil }

  mutating func close() { chip.close() }
}
