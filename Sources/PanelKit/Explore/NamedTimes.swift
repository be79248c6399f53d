import CycleCore

/// The times that a panel's file names, at which and just beside which something changes.
struct NamedTimes {
  /// Each time once, in ascending order, of at most ``longest``.
  let times: [Duration]

  /// Longer times are left out: a panel with a lamp that blinks takes seconds to simulate a day.
  static let longest = Duration.seconds(3600)

  init(of panel: PanelDefinition) {
    var times: Set<Duration> = []
    for input in panel.inputs {
      times.formUnion([input.device.debounce, input.device.longestDebounce, input.device.readingDelay])
      if let gesture = input.device.gesture { times.formUnion(ButtonModel(gesture).spans) }
      if let chord = input.device as? ChordKind {
        times.formUnion([chord.within, chord.hold ?? .zero, chord.doubleClick ?? .zero])
      }
    }
    for deadline in panel.states.flatMap(\.after) {
      switch deadline.delay {
      case .fixed(let span): times.insert(span)
      case .drawn(let range, _):
        times.formUnion([.milliseconds(range.lowerBound), .milliseconds(range.upperBound)])
      case .value: break
      }
    }
    // How long `after` waits, or what is counted down by `every`.
    for value in panel.values where value.isDuration {
      times.formUnion([value.initial, value.min, value.max].map { .milliseconds($0) })
    }
    times.formUnion(panel.sounds.compactMap(\.length))
    times.formUnion(panel.interlocks.map(\.pause))
    self.times = times.filter { $0 > .zero && $0 <= Self.longest }.sorted()
  }

  /// A time to wait: most often one that the file names, or a millisecond less or more; otherwise a short one.
  ///
  /// - Parameter most: longer times are left out.
  func wait(atMost most: Duration = longest, _ random: inout some RandomNumberGenerator) -> Duration {
    guard let time = times.prefix(while: { $0 <= most }).randomElement(using: &random),
      Int.random(in: 0..<4, using: &random) > 0
    else { return .milliseconds(Int.random(in: 1...50, using: &random)) }
    let span = time + .milliseconds(Int.random(in: -1...1, using: &random))
    return span > .zero ? span : .milliseconds(1)
  }
}
