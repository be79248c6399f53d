/// A driver with its filters: the only place that sees both the frame and the driver's types.
///
///     Lens(Button(chip, line: "GPIO17"), name: "bell", on: { frame, event in
///       if event == .pressed { frame.count += 1 }
///     }, trouble: { frame, trouble in
///       if case .lost = trouble { frame.isBlind = true }
///       if case .restored = trouble { frame.isBlind = false }
///     })
///
/// An event filter that looks back has a third parameter, the ``Past``.
public struct Lens<Frame: Equatable, D: Driver & ~Copyable>: LensGroup, ~Copyable {
  /// Makes the driver's model out of the frame; pure. Equal models are not rendered twice.
  public typealias FrameFilter = (Frame) -> D.Model
  /// Changes the current frame for an event, which makes the next frame; pure.
  public typealias EventFilter = (inout Frame, D.Event) -> Void
  /// As ``EventFilter``, with the frames before and the moment of the event.
  public typealias PastEventFilter = (inout Frame, D.Event, borrowing Past<Frame>) -> Void
  /// Changes the current frame for a trouble of the driver; pure.
  public typealias TroubleFilter = (inout Frame, Trouble) -> Void
  /// As ``TroubleFilter``, with the frames before and the moment at which the trouble was found.
  public typealias PastTroubleFilter = (inout Frame, Trouble, borrowing Past<Frame>) -> Void

  /// The number of events of one driver that may wait, if the lens doesn't set it.
  @inlinable
  public static var defaultLaneCapacity: Int { 1024 }

  /// The filters, as the cycle calls them.
  ///
  /// The closures are formed where the application is compiled: the compiler knows the filters there, and makes one
  /// function of the filter, the comparison and the rendering. They take and return pointers and booleans only, so that
  /// no frame and no model is copied.
  @usableFromInline
  struct Filters {
    @usableFromInline let render: (UnsafePointer<Frame>, inout LensState<D>) -> Void
    @usableFromInline let reduce: (inout FrameRing<Frame>, Lane<D.Event>) -> Bool
    @usableFromInline let seedModel: (Frame) -> D.Model
    @usableFromInline var trouble: PastTroubleFilter?
    /// Why an event from outside is refused that the driver can have emitted; nil where the lens refuses none.
    @usableFromInline var refusal: ((D.Event) -> String?)?
    @usableFromInline var found: PastEventFilter?

    @inlinable
    init(
      show: @escaping FrameFilter, reduce: @escaping (inout FrameRing<Frame>, Lane<D.Event>) -> Bool,
      trouble: TroubleFilter?
    ) {
      seedModel = show
      self.reduce = reduce
      self.trouble = trouble.map { filter in { frame, trouble, _ in filter(&frame, trouble) } }
      if FrameRing<Frame>.isRefilled {
        render = { frame, state in
          state.show(FrameRing.borrow(UnsafeMutablePointer(mutating: frame)) { show($0) })
        }
      } else {
        render = { frame, state in state.show(show(frame.pointee)) }
      }
    }

    @inlinable
    init(show: @escaping FrameFilter, on: @escaping EventFilter, trouble: TroubleFilter?) {
      // Each kind of filter has closures of its own: one that were made into the other would be a call more for each
      // event.
      if FrameRing<Frame>.isRefilled {
        let reduce: (inout FrameRing<Frame>, Lane<D.Event>) -> Bool = { frames, lane in
          let event = lane.take()
          return frames.advanceInStorage { on(&$0, event) }
        }
        self.init(show: show, reduce: reduce, trouble: trouble)
      } else {
        let reduce: (inout FrameRing<Frame>, Lane<D.Event>) -> Bool = { frames, lane in
          let event = lane.take()
          return frames.advance { on(&$0, event) }
        }
        self.init(show: show, reduce: reduce, trouble: trouble)
      }
    }

    @inlinable
    init(show: @escaping FrameFilter, on: @escaping PastEventFilter, trouble: TroubleFilter?) {
      if FrameRing<Frame>.isRefilled {
        let reduce: (inout FrameRing<Frame>, Lane<D.Event>) -> Bool = { frames, lane in
          let event = lane.take()
          let past = frames.past(at: lane.now)
          return frames.advanceInStorage { on(&$0, event, past) }
        }
        self.init(show: show, reduce: reduce, trouble: trouble)
      } else {
        let reduce: (inout FrameRing<Frame>, Lane<D.Event>) -> Bool = { frames, lane in
          let event = lane.take()
          let past = frames.past(at: lane.now)
          return frames.advance { on(&$0, event, past) }
        }
        self.init(show: show, reduce: reduce, trouble: trouble)
      }
    }
  }

  @usableFromInline var state: LensState<D>
  @usableFromInline var filters: Filters
  @usableFromInline let name: String

  /// - Parameters:
  ///   - name: the lens's name in messages; the driver's type unless given.
  ///   - show: makes the driver's model out of a frame.
  ///   - on: changes the frame for an event of the driver.
  ///   - trouble: changes the frame for a trouble of the driver.
  ///   - safe: the model that is rendered when the application ends; the driver's own safe model if nil.
  ///   - isRequired: whether the application needs this hardware: then a failed start of the driver ends it with the
  ///     error. Otherwise the application runs, receives the trouble, and the driver's start is retried.
  ///   - laneCapacity: how many of its events may wait, at least 1.
  ///   - driver: the driver.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, show: @escaping FrameFilter, on: @escaping EventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, isRequired: Bool = false,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensState(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: show, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  /// As above, with an event filter that reads the history.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, show: @escaping FrameFilter, on: @escaping PastEventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, isRequired: Bool = false,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensState(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: show, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  @inlinable
  public static var showsNothing: Bool { LensState<D>.showsNothing }

  @inlinable
  public var lensCount: Int { 1 }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    filters.reduce(&frames, state.lane)
  }

  @inlinable
  public mutating func reduceOnSlowPath(
    _ index: Int, as entry: QueuedEntry, in frames: inout FrameRing<Frame>
  ) -> Bool {
    switch entry {
    case .event: break
    case .trouble: return reduceTrouble(in: &frames)
    case .found: return reduceFound(in: &frames)
    }
    guard state.lane.needsSlowPath else { return filters.reduce(&frames, state.lane) }
    state.lane.tapNext()
    state.lane.recordNext()
    let isNew = filters.reduce(&frames, state.lane)
    state.lane.tellLoss()
    return isNew
  }

  /// Hardware was found in a state, which is no event.
  @usableFromInline
  mutating func reduceFound(in frames: inout FrameRing<Frame>) -> Bool {
    state.lane.tapFinding()
    state.lane.recordNext(as: .found)
    let event = state.lane.takeFinding()
    state.lane.tellLoss()
    guard let filter = filters.found else { return false }
    let past = frames.past(at: state.lane.now)
    return frames.advance { filter(&$0, event, past) }
  }

  @usableFromInline
  mutating func reduceTrouble(in frames: inout FrameRing<Frame>) -> Bool {
    let trouble = state.lane.takeTrouble()
    // A lens may have no events behind which to report the loss; now there is room for the report.
    state.lane.tellLoss()
    state.lane.tap(trouble)
    state.lane.record(trouble)
    guard let filter = filters.trouble else {
      state.lane.cycleContext.unheard += 1
      return false
    }
    let past = frames.past(at: state.lane.now)
    return frames.advance { filter(&$0, trouble, past) }
  }

  @inlinable
  public mutating func checkNewest(_ index: Int) throws(FilmFault) {
    guard let newest = state.lane.newest,
      let reason = state.driver.refusal(of: newest) ?? filters.refusal?(newest)
    else { return }
    state.lane.dropNewest()
    throw FilmFault("\(name): \(reason)")
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    if Self.showsNothing { return }
    filters.render(frame, &state)
  }

  public mutating func wire(_ cycleContext: CycleContext, first: Int, showing seed: UnsafePointer<Frame>) {
    state.wire(cycleContext, as: first, name: name)
  }

  public mutating func start(_ phase: StartPhase, showing frame: UnsafePointer<Frame>) throws(DriverError) {
    guard D.isInput == (phase == .inputs) else { return }
    try state.start(showing: filters.seedModel(frame.pointee))
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    if !state.wake(wake) { noteWake(frame) }
  }

  @usableFromInline
  mutating func noteWake(_ frame: UnsafePointer<Frame>) {
    let seedModel = filters.seedModel
    state.noteWake(showing: seedModel(frame.pointee))
  }

  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    let seedModel = filters.seedModel
    state.retry(showing: seedModel(frame.pointee))
  }

  public mutating func beginTiming() { state.beginTiming() }

  public mutating func tellLoss(_ index: Int, of count: Int) {
    state.lane.loseMessages(count)
    if state.lane.room > 0 { state.lane.tellLoss() }
  }

  public mutating func renderSafe() { state.renderSafe() }

  public var isAtRest: Bool { state.isAtRest }

  public mutating func stop() { state.stop() }

  public func account(of index: Int) -> LaneAccount { state.lane.account }

  public func model(of index: Int) -> Any { state.rendered }
}

extension Lens where D: ~Copyable {
  /// The lens with a filter for the state in which its hardware is found.
  ///
  /// A button that is held when the application starts was not pressed: that is not an event. The filter gets the event
  /// that leads to the state, once: before the first frame is shown, or later, for a contact that bounces for more
  /// than 100 ms at the start, or is on a chip that wasn't there.
  ///
  ///     Lens(Button(chip, line: "GPIO17"), on: { frame, event in ... })
  ///       .onFound { frame, state in frame.isHeld = state == .pressed }
  ///
  /// Without this filter the application doesn't learn the state.
  public consuming func onFound(_ filter: @escaping EventFilter) -> Lens {
    filters.found = { frame, event, _ in filter(&frame, event) }
    return self
  }

  /// As above, with a filter that also gets the history and the moment.
  public consuming func onFound(_ filter: @escaping PastEventFilter) -> Lens {
    filters.found = filter
    return self
  }

  /// The lens with a trouble filter that reads the history and the moment, in place of its own.
  ///
  ///     Lens(Button(chip, line: "GPIO17"), on: { ... })
  ///       .onTrouble { frame, trouble, past in if case .lost = trouble { frame.lostAt = past.moment } }
  public consuming func onTrouble(_ filter: @escaping PastTroubleFilter) -> Lens {
    filters.trouble = filter
    return self
  }

  /// The lens with a check of events from outside (a film, an edit, the monitor), made after the check of its driver
  /// (``Driver/refusal(of:)``). Use it for limits that only the application knows, such as the lengths of its lists.
  ///
  ///     Lens(CardReader(port), on: { frame, event in frame.visits[event.card] += 1 })
  ///       .refusingEvents { $0.card < 100 ? nil : "there are cards 0 to 99" }
  ///
  /// - Parameter reason: why the event is refused; nil for one that the event filter can apply.
  public consuming func refusingEvents(_ reason: @escaping (D.Event) -> String?) -> Lens {
    filters.refusal = reason
    return self
  }
}

extension LensList where Element: ~Copyable {
  /// The lenses, each with a filter for the state in which its hardware is found: `Lens.onFound`.
  public consuming func onFound<Frame, D: Driver & ~Copyable>(
    _ filter: @escaping Lens<Frame, D>.EventFilter
  ) -> LensList where Element == Lens<Frame, D> {
    for place in 0..<count { lenses[place].filters.found = { frame, event, _ in filter(&frame, event) } }
    return self
  }

  /// As above, with a filter that also gets the history and the moment.
  public consuming func onFound<Frame, D: Driver & ~Copyable>(
    _ filter: @escaping Lens<Frame, D>.PastEventFilter
  ) -> LensList where Element == Lens<Frame, D> {
    for place in 0..<count { lenses[place].filters.found = filter }
    return self
  }

  /// The lenses, each with a trouble filter that reads the history and the moment, in place of its own.
  public consuming func onTrouble<Frame, D: Driver & ~Copyable>(
    _ filter: @escaping Lens<Frame, D>.PastTroubleFilter
  ) -> LensList where Element == Lens<Frame, D> {
    for place in 0..<count { lenses[place].filters.trouble = filter }
    return self
  }

  /// The lenses, each with a check of events from outside.
  public consuming func refusingEvents<Frame, D: Driver & ~Copyable>(
    _ reason: @escaping (D.Event) -> String?
  ) -> LensList where Element == Lens<Frame, D> {
    for place in 0..<count { lenses[place].filters.refusal = reason }
    return self
  }
}

// The bodies are repeated: compilers up to 6.0 refuse an initializer that hands a driver which can't be copied on to
// another one.

extension Lens where D: ~Copyable, D.Model == NoModel {
  /// A lens of a driver without outputs.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, on: @escaping EventFilter, trouble: TroubleFilter? = nil,
    isRequired: Bool = false, laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensState(driver, safe: nil, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: { _ in NoModel() }, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  /// As above, with an event filter that reads the history.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, on: @escaping PastEventFilter, trouble: TroubleFilter? = nil,
    isRequired: Bool = false, laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensState(driver, safe: nil, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: { _ in NoModel() }, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }
}

extension Lens where D: ~Copyable {
  /// A lens whose driver has the same model in all frames.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, showing model: D.Model, on: @escaping EventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, isRequired: Bool = false,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensState(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: { _ in model }, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  /// As above, with an event filter that reads the history.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, showing model: D.Model, on: @escaping PastEventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, isRequired: Bool = false,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensState(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: { _ in model }, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  /// A lens of a driver without events, or whose events the application ignores.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, show: @escaping FrameFilter, trouble: TroubleFilter? = nil,
    safe: D.Model? = nil, isRequired: Bool = false
  ) {
    state = LensState(
      driver, safe: safe,
      lane: Lane(minimumCapacity: Self.defaultLaneCapacity, isRequired: isRequired, isHeard: false))
    filters = Filters(show: show, on: { (_: inout Frame, _: D.Event) in }, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }
}
