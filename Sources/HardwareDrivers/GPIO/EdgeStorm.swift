import CycleCore

/// Notices that a storm of edges on the lines of a request has ended in silence.
///
/// The kernel switches an interrupt off that has come 100 000 times with hardly anybody to handle it (`kernel/irq/spurious.c`, "nobody cared"),
/// and tells no program. Whatever the line does from then on makes no edge, and where the kernel debounces, the value that it gives stays
/// the old one as well. To request the line anew switches its interrupt on again. A storm of which the kernel has handled nothing from its
/// beginning leaves no trace here, and can't be noticed.
struct EdgeStorm {
  /// So many missing edges are a storm: a tenth of a percent of what it takes the kernel.
  private static let limit = 100
  /// How long no edge has come when a storm is over, or the interrupt is off.
  private static let silence = Duration.seconds(1)
  /// Edges that went missing longer apart belong to no storm.
  private static let pause = Duration.seconds(10)

  private var missing = 0
  private var last = Moment.zero

  /// When the lines are to be requested anew, if no edge comes before; nil where there is no storm.
  var deadline: Moment? { missing >= Self.limit ? last + Self.silence : nil }

  /// Edges are missing: so many, nil for an unknown number.
  mutating func lose(_ count: Int?, at moment: Moment) {
    if moment - last > Self.pause { missing = 0 }
    missing = min(missing + (count ?? 1), Self.limit)
    last = moment
  }

  /// An edge has come.
  mutating func receive(at moment: Moment) {
    if missing >= Self.limit { last = max(last, moment) }
  }

  mutating func end() { missing = 0 }
}
