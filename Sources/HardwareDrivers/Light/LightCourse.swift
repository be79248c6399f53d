import CycleCore

/// The look that a lamp has now, and the moment of its next change, for a lamp whose hardware makes the levels.
struct LightCourse<Look: Blendable> {
  /// The shortest time between two looks of a light that changes continuously.
  private static var frame: Int64 { 20_000_000 }
  /// The number of frames after which a light that changes too slowly for a step of the hardware is examined again.
  private static var mostFrames: Int64 { 50 }

  private(set) var look = Look.dark
  /// The moment at which the look changes next; nil for never.
  private(set) var alarm: Moment?
  private var state = LightState<Look>(.off, at: .zero)
  /// The moment at which the first light began, in an application that replaces another one; nil if it begins when it
  /// is rendered.
  private var since: Moment?

  init(since: Moment?) {
    self.since = since
  }

  /// Begins a light. The one that is shown already continues.
  ///
  /// - Parameter isSameStep: whether the hardware shows two looks in the same way.
  mutating func begin(_ light: Light<Look>, at moment: Moment, isSameStep: (Look, Look) -> Bool) {
    state.begin(light, at: since ?? moment)
    since = nil
    follow(moment, isSameStep: isSameStep)
  }

  /// Moves on to a moment.
  mutating func follow(_ moment: Moment, isSameStep: (Look, Look) -> Bool) {
    let shown = state.shown(at: moment)
    look = shown.look
    alarm = shown.until
    guard shown.isChanging, let end = shown.until else { return }
    let round = max(0, moment.nanoseconds &- state.start.nanoseconds) / Self.frame
    for number in 1...Self.mostFrames {
      let next = state.start + .nanoseconds((round + number) * Self.frame)
      if next >= end { return }
      alarm = next
      if !isSameStep(state.shown(at: next).look, look) { return }
    }
  }
}
