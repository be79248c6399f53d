import CycleCore

/// Detects that edges have stopped after a storm of them on the lines of a request, possibly because the kernel has
/// disabled the lines' interrupt.
///
/// The kernel disables an interrupt after 100 000 occurrences of which almost none were handled
/// (`kernel/irq/spurious.c`), and notifies no program. From then on the line reports no edges, and if the kernel
/// debounces it, reading it returns the old value. Requesting the line again enables the interrupt again. If the kernel
/// has not handled a single edge of a storm, this type can't detect it.
///
/// Pulses that are counted are no storm: a fast counter loses edges whenever the cycle is late, and may rest at any
/// moment. So only lines with contacts are watched.
struct DisabledInterruptDetector {
  /// The number of missing edges that make a storm: 0.1 % of the number at which the kernel disables the interrupt.
  private static let limit = 100
  /// After this time without an edge, the storm is over or the interrupt is disabled.
  private static let silence = Duration.seconds(1)
  /// Missing edges that are further apart than this belong to different storms.
  private static let pause = Duration.seconds(10)

  /// The lines that are watched.
  var lines: LineValues = []
  private var missing = 0
  private var last = Moment.zero

  init(lines: LineValues = []) {
    self.lines = lines
  }

  /// The moment at which the lines must be requested again unless an edge arrives first; nil without a storm.
  var deadline: Moment? { missing >= Self.limit ? last + Self.silence : nil }

  /// Counts missing edges of a line.
  ///
  /// - Parameter count: the number of missing edges; nil for an unknown number, counted as one.
  mutating func lose(_ count: Int?, of line: Int, at moment: Moment) {
    guard lines[line].isActive else { return }
    if moment - last > Self.pause { missing = 0 }
    missing = min(missing + (count ?? 1), Self.limit)
    last = moment
  }

  /// Records an edge of a line: it postpones the deadline of a storm.
  mutating func receive(_ line: Int, at moment: Moment) {
    if missing >= Self.limit, lines[line].isActive { last = max(last, moment) }
  }

  mutating func end() { missing = 0 }
}
