import CycleCore

/// What is told of lost edges: the first at once, those that follow together every 10 s, so that a storm of edges is not one of
/// lines as well.
struct LossLog {
  static let interval = Duration.seconds(10)

  /// The inputs as lines begin with them.
  private let names: [String]
  /// How many edges of each input have been told.
  private var told: [Int]
  /// How many in all.
  private(set) var toldCount = 0
  private var lastTelling: Moment?
  /// When the edges are told that have been lost since the last time; nil if none have.
  private(set) var nextTelling: Moment?

  init(of panel: PanelDefinition) {
    names = panel.inputs.map { input in
      switch input.device {
      case .button(let line, _), .switch(let line, _): "\(input.name) (\(line))"
      case .encoder(let a, let b, _): "\(input.name) (\(a), \(b))"
      }
    }
    told = names.map { _ in 0 }
  }

  /// The lines to tell at this moment.
  ///
  /// - Parameters:
  ///   - count: how many edges have been lost in all.
  ///   - frame: how many of each input.
  ///   - isLast: whether nothing will be told later.
  mutating func lines(_ count: Int, in frame: @autoclosure () -> PanelFrame, at now: Moment, isLast: Bool) -> [String] {
    guard count != toldCount else { return [] }
    if let lastTelling, now < lastTelling + Self.interval, !isLast {
      nextTelling = lastTelling + Self.interval
      return []
    }
    let span = nextTelling != nil && !isLast ? " in the last 10 s" : ""
    toldCount = count
    lastTelling = now
    nextTelling = nil
    let frame = frame()
    return names.indices.compactMap { input in
      let lost = frame.losses(of: input) - told[input]
      guard lost > 0 else { return nil }
      told[input] += lost
      return "\(names[input]): \(Self.text(of: lost))\(span)"
    }
  }

  /// So many lost edges in words.
  static func text(of count: Int) -> String { "at least \(count) \(count == 1 ? "edge" : "edges") lost" }
}
