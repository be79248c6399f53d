/// A driver with its two filters: the only place that sees both the frame and the driver's types.
///
///     Lens(Button(chip, line: "GPIO17"), on: { frame, event, history, moment in
///       if event == .pressed { frame.count += 1 }
///     })
public struct Lens<Frame: Equatable, D: Driver & ~Copyable>: LensGroup, ~Copyable {
  /// Makes what the driver shows out of the frame: pure. Equal models are not rendered twice.
  public typealias FrameFilter = (Frame) -> D.Model
  /// Makes the next frame out of the event, the frame that it meets and those before: pure.
  public typealias EventFilter = (inout Frame, D.Event, borrowing History<Frame>, Moment) -> Void

  /// How many events of one driver may wait, unless a lens says otherwise.
  @inlinable
  public static var defaultLaneCapacity: Int { 1024 }

  @usableFromInline var state: LensState<D>
  // Both filters are wrapped where the application is compiled: there the compiler sees what they do, and makes one function
  // of the filter, the comparison and the rendering. What is called through here takes and returns pointers and booleans
  // only, so no frame and no model is copied on the way.
  @usableFromInline let renderChange: (UnsafePointer<Frame>, inout LensState<D>) -> Void
  @usableFromInline let reduceNext: (inout FrameRing<Frame>, Lane<D.Event>, Moment) -> Bool
  @usableFromInline let seedModel: (Frame) -> D.Model
  /// Whether all frames show the same: then one rendering is enough.
  @usableFromInline let isConstant: Bool

  /// - Parameters:
  ///   - show: what the driver shows of a frame.
  ///   - on: what an event of the driver makes of the frame.
  ///   - safe: what the driver shows when the application ends; its own safe model if nil.
  ///   - laneCapacity: how many of its events may wait, at least 1.
  @inlinable
  public init(
    _ driver: consuming D, show: @escaping FrameFilter, on: @escaping EventFilter, safe: D.Model? = nil,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensState(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity))
    seedModel = show
    isConstant = false
    renderChange = Self.rendering(show)
    reduceNext = Self.reducing(on)
  }

  @inlinable
  static func rendering(_ show: @escaping FrameFilter) -> (UnsafePointer<Frame>, inout LensState<D>) -> Void {
    if FrameRing<Frame>.isRefilled {
      return { frame, state in
        state.show(FrameRing.borrow(UnsafeMutablePointer(mutating: frame)) { show($0) })
      }
    }
    return { frame, state in state.show(show(frame.pointee)) }
  }

  @inlinable
  static func reducing(_ on: @escaping EventFilter) -> (inout FrameRing<Frame>, Lane<D.Event>, Moment) -> Bool {
    if FrameRing<Frame>.isRefilled {
      return { frames, lane, moment in
        let event = lane.take()
        return frames.advanceInStorage { frame, history in on(&frame, event, history, moment) }
      }
    }
    return { frames, lane, moment in
      let event = lane.take()
      return frames.advance { frame, history in on(&frame, event, history, moment) }
    }
  }

  public var lensCount: Int { 1 }

  public var eventCapacity: Int { state.lane.capacity }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>, at moment: Moment) -> Bool {
    if state.lane.isObserved { state.lane.showNext(at: moment) }
    let isNew = reduceNext(&frames, state.lane, moment)
    if state.lane.untold > 0 { state.tellLoss() }
    return isNew
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    if isConstant, state.rendered != nil { return }
    renderChange(frame, &state)
  }

  public mutating func wire(_ wiring: Wiring, first: Int) {
    state.lane.lens = first
    state.lane.mailbox = wiring.mailbox
    state.lane.wiring = wiring
    state.lane.isObserved = wiring.eventObserver != nil
    if let identity = state.driver.identity { wiring.claim(identity, name: name(of: first)) }
  }

  public mutating func start(showing frame: UnsafePointer<Frame>) throws(DriverError) {
    try state.driver.start(showing: seedModel(frame.pointee), in: DriverContext(lane: state.lane))
    state.isStarted = true
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake) {
    if state.isStarted { state.driver.wake(wake) }
  }

  public mutating func tellLoss(_ index: Int, of count: Int) {
    state.lane.untold += count
    if state.lane.hasRoom { state.tellLoss() }
  }

  public mutating func renderSafe() {
    guard state.isStarted, state.rendered != state.safeModel else { return }
    state.render(state.safeModel)
  }

  public mutating func stop() {
    guard state.isStarted else { return }
    state.isStarted = false
    state.lane.mailbox.pointee.setAlarm(of: state.lane.lens, to: .distantFuture)
    state.driver.stop()
  }

  public func name(of index: Int) -> String { String(describing: D.self) }

  public func account(of index: Int) -> LaneAccount { state.lane.account }
}

/// A driver at work: the driver, its lane, and the model that it shows.
public struct LensState<D: Driver & ~Copyable>: ~Copyable {
  @usableFromInline var driver: D
  @usableFromInline let safeModel: D.Model
  @usableFromInline let lane: Lane<D.Event>
  /// The last model that was rendered without an error.
  @usableFromInline var rendered: D.Model?
  @usableFromInline var isStarted = false

  @inlinable
  init(_ driver: consuming D, safe: D.Model?, lane: Lane<D.Event>) {
    safeModel = safe ?? driver.safeModel
    self.driver = driver
    self.lane = lane
  }

  /// Renders the model unless it is what is rendered already.
  @inlinable
  mutating func show(_ model: D.Model) {
    if let rendered, rendered == model { return }
    render(model)
  }

  @inlinable
  mutating func render(_ model: D.Model) {
    do throws(DriverError) {
      try driver.render(model, replacing: rendered)
      rendered = model
    } catch {
      tell(.failed(error))
    }
  }

  @usableFromInline
  func tellLoss() {
    let count = lane.untold
    lane.untold = 0
    tell(.eventsLost(count))
  }

  @usableFromInline
  func tell(_ trouble: Trouble) {
    guard let event = D.event(for: trouble) else {
      lane.wiring.unheard += 1
      return
    }
    lane.emit(event, at: lane.mailbox.pointee.now)
  }
}

// Written out: an initializer that hands a driver on to another one is refused by the compilers up to 6.0.

extension Lens where D: ~Copyable, D.Model == NoModel {
  /// A lens of a driver that only listens.
  @inlinable
  public init(_ driver: consuming D, on: @escaping EventFilter, laneCapacity: Int = Self.defaultLaneCapacity) {
    state = LensState(driver, safe: nil, lane: Lane(minimumCapacity: laneCapacity))
    seedModel = { _ in NoModel() }
    isConstant = true
    renderChange = Self.rendering { _ in NoModel() }
    reduceNext = Self.reducing(on)
  }
}

extension Lens where D: ~Copyable {
  /// A lens of a driver that shows the same in all frames, if it shows anything.
  @inlinable
  public init(
    _ driver: consuming D, showing model: D.Model, on: @escaping EventFilter, safe: D.Model? = nil,
    laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    state = LensState(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity))
    seedModel = { _ in model }
    isConstant = true
    renderChange = Self.rendering { _ in model }
    reduceNext = Self.reducing(on)
  }

  /// A lens of a driver that only shows, or whose events don't matter to the application.
  @inlinable
  public init(_ driver: consuming D, show: @escaping FrameFilter, safe: D.Model? = nil) {
    state = LensState(driver, safe: safe, lane: Lane(minimumCapacity: Self.defaultLaneCapacity))
    seedModel = show
    isConstant = false
    renderChange = Self.rendering(show)
    reduceNext = Self.reducing { _, _, _, _ in }
  }
}
