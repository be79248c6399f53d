/// A driver with its filters: the only place that uses both the frame and the driver's types.
///
///     Lens(Button(chip, line: "GPIO17"), name: "bell", on: { frame, event in
///       if event == .pressed { frame.count += 1 }
///     }, trouble: { frame, trouble in
///       if case .lost = trouble { frame.isBlind = true }
///       if case .restored = trouble { frame.isBlind = false }
///     })
///
/// An event filter that reads the history has a third parameter, the ``Past``.
public struct Lens<Frame: Equatable, D: Driver & ~Copyable>: LensGroup, ~Copyable {
  /// Makes the driver's model from the frame; pure. Equal models are not rendered twice.
  public typealias FrameFilter = (Frame) -> D.Model
  /// Changes the current frame for an event, which makes the next frame; pure.
  public typealias EventFilter = (inout Frame, D.Event) -> Void
  /// An ``EventFilter`` that also gets the earlier frames and the moment of the event.
  public typealias PastEventFilter = (inout Frame, D.Event, borrowing Past<Frame>) -> Void
  /// Changes the current frame for a trouble of the driver; pure.
  public typealias TroubleFilter = (inout Frame, Trouble) -> Void
  /// A ``TroubleFilter`` that also gets the earlier frames and the moment at which the trouble was found.
  public typealias PastTroubleFilter = (inout Frame, Trouble, borrowing Past<Frame>) -> Void

  /// The number of events of one driver that can wait, unless the lens sets it.
  @inlinable
  public static var defaultLaneCapacity: Int { 1024 }

  /// The filters, as the cycle calls them.
  ///
  /// The closures are formed where the application is compiled. There the compiler knows the filters, and makes one
  /// function of the filter, the comparison and the rendering. The closures take and return pointers and booleans only,
  /// so that no frame and no model is copied.
  @usableFromInline
  struct Filters {
    @usableFromInline let render: (UnsafePointer<Frame>, inout LensRunner<D>) -> Void
    @usableFromInline let reduce: (inout FrameRing<Frame>, Lane<D.Event>) -> Bool
    @usableFromInline let seedModel: (Frame) -> D.Model
    @usableFromInline var trouble: PastTroubleFilter?
    /// Returns why the lens rejects an event from outside that the driver accepts, or nil to accept it. Nil if the lens
    /// accepts all events.
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
      // Each kind of filter has its own closures: converting one kind into the other would add a call to each event.
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

  @usableFromInline var state: LensRunner<D>
  @usableFromInline var filters: Filters
  @usableFromInline let name: String

  /// - Parameters:
  ///   - name: the lens's name in messages; default: the driver's type.
  ///   - show: makes the driver's model out of a frame.
  ///   - on: changes the frame for an event of the driver.
  ///   - trouble: changes the frame for a trouble of the driver.
  ///   - safe: the model that is rendered when the application ends; the driver's own safe model if nil.
  ///   - isRequired: whether the application needs this hardware. If true, a failed start of the driver ends the
  ///     application with the error. If false, the application runs, receives the trouble, and the driver's start is
  ///     retried.
  ///   - laneCapacity: the number of its events that can wait, at least 1.
  ///   - driver: the driver.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, show: @escaping FrameFilter, on: @escaping EventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, isRequired: Bool = false,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensRunner(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: show, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  /// Makes a lens as above, with an event filter that reads the history.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, show: @escaping FrameFilter, on: @escaping PastEventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, isRequired: Bool = false,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensRunner(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: show, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  @inlinable
  public static var showsNothing: Bool { LensRunner<D>.showsNothing }

  @inlinable
  public var lensCount: Int { 1 }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    filters.reduce(&frames, state.lane)
  }

  @inlinable
  public mutating func reduceOnSlowPath(
    _ index: Int, as entry: QueueEntryKind, in frames: inout FrameRing<Frame>
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

  /// Reduces the state in which hardware was found, which is not an event.
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
    // A lens may have no events after which it could report the loss. Now there is room for the report.
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
  public mutating func checkNewest(_ index: Int) throws(RecordingTextFault) {
    guard let newest = state.lane.newest,
      let reason = state.driver.refusal(of: newest) ?? filters.refusal?(newest)
    else { return }
    state.lane.dropNewest()
    throw RecordingTextFault("\(name): \(reason)")
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

  public func account(of index: Int) -> LaneEventCounts { state.lane.account }

  public func model(of index: Int) -> Any { state.rendered }
}

extension Lens where D: ~Copyable {
  /// Adds a filter for the state in which the lens's hardware is found.
  ///
  /// A button that is held when the application starts was not pressed: no event occurred. The filter gets, once, the
  /// event that leads to the state. It runs before the first frame is shown. It runs later for a contact that bounces
  /// for more than 100 ms at the start, or whose chip was missing.
  ///
  /// Without this filter, the application doesn't receive the state.
  public consuming func onFound(_ filter: @escaping EventFilter) -> Lens {
    filters.found = { frame, event, _ in filter(&frame, event) }
    return self
  }

  /// Adds such a filter that also gets the history and the moment.
  public consuming func onFound(_ filter: @escaping PastEventFilter) -> Lens {
    filters.found = filter
    return self
  }

  /// Replaces the trouble filter by one that reads the history and the moment.
  ///
  ///     Lens(Button(chip, line: "GPIO17"), on: { ... })
  ///       .onTrouble { frame, trouble, past in if case .lost = trouble { frame.lostAt = past.moment } }
  public consuming func onTrouble(_ filter: @escaping PastTroubleFilter) -> Lens {
    filters.trouble = filter
    return self
  }

  /// Adds a check of events from outside (a recording, an edited recording, the monitor), which follows the check of
  /// the driver (``Driver/refusal(of:)``). Use it for limits that only the application knows, such as the lengths of
  /// its lists.
  ///
  ///     Lens(CardReader(port), on: { frame, event in frame.visits[event.card] += 1 })
  ///       .refusingEvents { $0.card < 100 ? nil : "there are cards 0 to 99" }
  ///
  /// - Parameter reason: returns why the event is rejected; nil for an event that the filter can apply.
  public consuming func refusingEvents(_ reason: @escaping (D.Event) -> String?) -> Lens {
    filters.refusal = reason
    return self
  }
}

extension LensList where Element: ~Copyable {
  /// Adds to each lens a filter for the state in which its hardware is found: `Lens.onFound`.
  public consuming func onFound<Frame, D: Driver & ~Copyable>(
    _ filter: @escaping Lens<Frame, D>.EventFilter
  ) -> LensList where Element == Lens<Frame, D> {
    for place in 0..<count { lenses[place].filters.found = { frame, event, _ in filter(&frame, event) } }
    return self
  }

  /// Adds such filters that also get the history and the moment.
  public consuming func onFound<Frame, D: Driver & ~Copyable>(
    _ filter: @escaping Lens<Frame, D>.PastEventFilter
  ) -> LensList where Element == Lens<Frame, D> {
    for place in 0..<count { lenses[place].filters.found = filter }
    return self
  }

  /// Replaces each trouble filter by one that reads the history and the moment.
  public consuming func onTrouble<Frame, D: Driver & ~Copyable>(
    _ filter: @escaping Lens<Frame, D>.PastTroubleFilter
  ) -> LensList where Element == Lens<Frame, D> {
    for place in 0..<count { lenses[place].filters.trouble = filter }
    return self
  }

  /// Adds to each lens a check of events from outside.
  public consuming func refusingEvents<Frame, D: Driver & ~Copyable>(
    _ reason: @escaping (D.Event) -> String?
  ) -> LensList where Element == Lens<Frame, D> {
    for place in 0..<count { lenses[place].filters.refusal = reason }
    return self
  }
}

// The bodies are repeated: compilers up to 6.0 reject an initializer that passes a noncopyable driver to another
// initializer.

extension Lens where D: ~Copyable, D.Model == NoModel {
  /// Makes a lens of a driver without outputs.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, on: @escaping EventFilter, trouble: TroubleFilter? = nil,
    isRequired: Bool = false, laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensRunner(driver, safe: nil, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: { _ in NoModel() }, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  /// Makes such a lens with an event filter that reads the history.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, on: @escaping PastEventFilter, trouble: TroubleFilter? = nil,
    isRequired: Bool = false, laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensRunner(driver, safe: nil, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: { _ in NoModel() }, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }
}

extension Lens where D: ~Copyable, D.Model == NoModel, D.Event == Never {
  /// Makes a lens of a driver that only serves other drivers, such as that of a port expander.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, trouble: TroubleFilter? = nil, isRequired: Bool = false
  ) {
    state = LensRunner(
      driver, safe: nil,
      lane: Lane(minimumCapacity: Self.defaultLaneCapacity, isRequired: isRequired, isHeard: false))
    filters = Filters(
      show: { _ in NoModel() }, on: { (_: inout Frame, _: D.Event) in }, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }
}

extension Lens where D: ~Copyable {
  /// Makes a lens whose driver has the same model in all frames.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, showing model: D.Model, on: @escaping EventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, isRequired: Bool = false,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensRunner(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: { _ in model }, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  /// Makes such a lens with an event filter that reads the history.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, showing model: D.Model, on: @escaping PastEventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, isRequired: Bool = false,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensRunner(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: isRequired))
    filters = Filters(show: { _ in model }, on: on, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }

  /// Makes a lens of a driver without events, or whose events the application ignores.
  @inlinable
  public init(
    _ driver: consuming D, name: String? = nil, show: @escaping FrameFilter, trouble: TroubleFilter? = nil,
    safe: D.Model? = nil, isRequired: Bool = false
  ) {
    state = LensRunner(
      driver, safe: safe,
      lane: Lane(minimumCapacity: Self.defaultLaneCapacity, isRequired: isRequired, isHeard: false))
    filters = Filters(show: show, on: { (_: inout Frame, _: D.Event) in }, trouble: trouble)
    self.name = name ?? String(describing: D.self)
  }
}
