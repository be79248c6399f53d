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

  @usableFromInline var driver: D
  @usableFromInline let frameFilter: FrameFilter
  @usableFromInline let eventFilter: EventFilter
  @usableFromInline let safeModel: D.Model
  @usableFromInline let lane: Lane<D.Event>
  /// The last model that was rendered without an error.
  @usableFromInline var rendered: D.Model?
  @usableFromInline var index = 0
  @usableFromInline var isStarted = false

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
    safeModel = safe ?? driver.safeModel
    self.driver = driver
    frameFilter = show
    eventFilter = on
    lane = Lane(minimumCapacity: laneCapacity)
  }

  public static var lensCount: Int { 1 }

  public var eventCapacity: Int { lane.capacity }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>, at moment: Moment) -> Bool {
    let event = lane.take()
    if lane.untold > 0 { tellLoss() }
    let filter = eventFilter
    return frames.advance { frame, history in filter(&frame, event, history, moment) }
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    let model = frameFilter(frame.pointee)
    if let rendered, rendered == model { return }
    show(model)
  }

  @usableFromInline
  mutating func show(_ model: D.Model) {
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

  public mutating func wire(_ wiring: Wiring, first: Int) {
    index = first
    lane.lens = first
    lane.mailbox = wiring.mailbox
    lane.wiring = wiring
  }

  public mutating func start(showing frame: UnsafePointer<Frame>) throws(DriverError) {
    try driver.start(showing: frameFilter(frame.pointee), in: DriverContext(lane: lane))
    isStarted = true
  }

  public mutating func wake(_ index: Int, _ wake: Wake) {
    if isStarted { driver.wake(wake) }
  }

  public mutating func tell(_ index: Int, _ trouble: Trouble) { tell(trouble) }

  public mutating func stop() {
    guard isStarted else { return }
    isStarted = false
    lane.mailbox.pointee.setAlarm(of: index, to: .distantFuture)
    driver.stop()
  }

  /// A safe model that can't be rendered leaves nothing to be done: the hardware isn't there.
  public mutating func renderSafe() {
    guard isStarted, rendered != safeModel else { return }
    show(safeModel)
  }

  public func name(of index: Int) -> String { String(describing: D.self) }

  public func account(of index: Int) -> LaneAccount { lane.account }
}

extension Lens where D: ~Copyable, D.Model == NoModel {
  /// A lens of a driver that only listens.
  @inlinable
  public init(_ driver: consuming D, on: @escaping EventFilter, laneCapacity: Int = Self.defaultLaneCapacity) {
    self.init(driver, show: { _ in NoModel() }, on: on, laneCapacity: laneCapacity)
  }
}

extension Lens where D: ~Copyable {
  /// A lens of a driver that only shows, or whose events don't matter to the application.
  @inlinable
  public init(_ driver: consuming D, show: @escaping FrameFilter, safe: D.Model? = nil) {
    self.init(driver, show: show, on: { _, _, _, _ in }, safe: safe)
  }
}
