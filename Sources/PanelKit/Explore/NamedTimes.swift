import CycleCore
import PanelLanguage
import PanelProof

/// The times in a panel's file. The panel may change its state at these times, or just before or after.
struct NamedTimes {
  /// The times in ascending order, without duplicates, up to ``longest``.
  let times: [Duration]

  /// The limit for the times: to simulate a day of a panel with a blinking lamp takes seconds.
  static let longest = Duration.seconds(3600)

  init(of panel: PanelDefinition) {
    var times: Set<Duration> = []
    for input in panel.inputs {
      times.formUnion([input.device.debounce, input.device.longestDebounce, input.device.readingDelay])
      if let gesture = input.device.gesture { times.formUnion(ButtonModel(gesture).spans) }
      if let chord = input.device.derivation?.ofChord {
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
    // The delays of `after`, and the values that `every` counts down.
    for value in panel.values where value.isDuration {
      times.formUnion([value.initial, value.min, value.max].map { .milliseconds($0) })
    }
    times.formUnion(panel.sounds.compactMap(\.length))
    times.formUnion(panel.interlocks.map(\.pause))
    self.times = times.filter { $0 > .zero && $0 <= Self.longest }.sorted()
  }

  /// Returns a time to wait: three in four from the file, with up to one millisecond less or more; otherwise 1 to 50
  /// ms.
  ///
  /// - Parameter most: the limit; longer times of the file are not used.
  func wait(atMost most: Duration = longest, _ random: inout some RandomNumberGenerator) -> Duration {
    guard let time = times.prefix(while: { $0 <= most }).randomElement(using: &random),
      Int.random(in: 0..<4, using: &random) > 0
    else { return .milliseconds(Int.random(in: 1...50, using: &random)) }
    let span = time + .milliseconds(Int.random(in: -1...1, using: &random))
    return span > .zero ? span : .milliseconds(1)
  }
}
