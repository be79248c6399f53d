import CycleCore

/// Detects that a storm of edges on the lines of a request has ended in silence, possibly because the kernel has
/// disabled their interrupt.
///
/// The kernel disables an interrupt that has come 100 000 times and was hardly ever handled (`kernel/irq/spurious.c`,
/// "nobody cared"), and notifies no program. From then on the line reports no edges, and if the kernel debounces it,
/// reading it returns the old value. Requesting the line again enables the interrupt again. A storm of which the kernel
/// has handled no edge at all leaves no trace here and can't be detected.
struct EdgeStorm {
  /// How many missing edges make a storm: 0.1 % of the number at which the kernel disables the interrupt.
  private static let limit = 100
  /// After this time without an edge, the storm is over or the interrupt is disabled.
  private static let silence = Duration.seconds(1)
  /// Edges that went missing further apart than this don't belong to one storm.
  private static let pause = Duration.seconds(10)

  private var missing = 0
  private var last = Moment.zero

  /// When the lines must be requested again if no edge comes before; nil if there is no storm.
  var deadline: Moment? { missing >= Self.limit ? last + Self.silence : nil }

  /// Counts missing edges.
  ///
  /// - Parameter count: how many; nil for an unknown number, counted as one.
  mutating func lose(_ count: Int?, at moment: Moment) {
    if moment - last > Self.pause { missing = 0 }
    missing = min(missing + (count ?? 1), Self.limit)
    last = moment
  }

  /// Records an edge: it postpones the deadline of a storm.
  mutating func receive(at moment: Moment) {
    if missing >= Self.limit { last = max(last, moment) }
  }

  mutating func end() { missing = 0 }
}
