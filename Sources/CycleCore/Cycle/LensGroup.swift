/// One lens, or two groups of lenses zipped together: what a ``LensBuilder`` makes of the lenses of an application.
///
/// It is generic all the way down, so that the compiler sees the whole application as one function: an event costs no
/// allocation and no look-up. ``Lens``, ``Zip`` and ``LensList`` are its only kinds; a driver is what you write, not a lens group.
public protocol LensGroup<Frame>: ~Copyable {
  associatedtype Frame: Equatable

  /// How many lenses there are.
  var lensCount: Int { get }

  /// Numbers the lenses from `first` and connects their lanes.
  mutating func wire(_ wiring: Wiring, first: Int)
  mutating func start(showing frame: UnsafePointer<Frame>) throws(DriverError)
  /// Reduces the next event in the lane of lens `index`. False if the frame is what it was.
  mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>, at moment: Moment) -> Bool
  /// Reduces the next trouble of lens `index`. False if the frame is what it was.
  mutating func reduceTrouble(_ index: Int, in frames: inout FrameRing<Frame>, at moment: Moment) -> Bool
  /// Renders each model that has changed, in the order of wiring.
  mutating func render(_ frame: UnsafePointer<Frame>)
  mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>)
  /// Tries again what has failed in lens `index`.
  mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>)
  /// From now on each render is timed.
  mutating func beginTiming()
  /// Tells the application of lens `index` that messages of the driver's own thread did not fit.
  mutating func tellLoss(_ index: Int, of count: Int)
  /// Renders the safe models, in reverse order.
  mutating func renderSafe()
  /// Whether all hardware has come to where its last model wants it.
  var isAtRest: Bool { get }
  /// Stops the drivers, in reverse order.
  mutating func stop()
  func account(of index: Int) -> LaneAccount
}

/// Two groups of lenses, the first one before the second in everything but stopping.
public struct Zip<First: LensGroup & ~Copyable, Second: LensGroup & ~Copyable>: LensGroup, ~Copyable
where First.Frame == Second.Frame {
  public typealias Frame = First.Frame

  @usableFromInline var first: First
  @usableFromInline var second: Second
  /// The number of the second group's first lens.
  @usableFromInline var split = 0

  @inlinable
  init(_ first: consuming First, _ second: consuming Second) {
    self.first = first
    self.second = second
  }

  public var lensCount: Int { first.lensCount + second.lensCount }

  public mutating func wire(_ wiring: Wiring, first index: Int) {
    split = index + first.lensCount
    first.wire(wiring, first: index)
    second.wire(wiring, first: split)
  }

  public mutating func start(showing frame: UnsafePointer<Frame>) throws(DriverError) {
    try first.start(showing: frame)
    try second.start(showing: frame)
  }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>, at moment: Moment) -> Bool {
    index < split
      ? first.reduce(index, in: &frames, at: moment) : second.reduce(index, in: &frames, at: moment)
  }

  public mutating func reduceTrouble(_ index: Int, in frames: inout FrameRing<Frame>, at moment: Moment) -> Bool {
    index < split
      ? first.reduceTrouble(index, in: &frames, at: moment) : second.reduceTrouble(index, in: &frames, at: moment)
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    first.render(frame)
    second.render(frame)
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    if index < split { first.wake(index, wake, showing: frame) } else { second.wake(index, wake, showing: frame) }
  }

  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    if index < split { first.retry(index, showing: frame) } else { second.retry(index, showing: frame) }
  }

  public mutating func beginTiming() {
    first.beginTiming()
    second.beginTiming()
  }

  public mutating func tellLoss(_ index: Int, of count: Int) {
    if index < split { first.tellLoss(index, of: count) } else { second.tellLoss(index, of: count) }
  }

  public mutating func renderSafe() {
    second.renderSafe()
    first.renderSafe()
  }

  public var isAtRest: Bool { first.isAtRest && second.isAtRest }

  public mutating func stop() {
    second.stop()
    first.stop()
  }

  public func account(of index: Int) -> LaneAccount {
    index < split ? first.account(of: index) : second.account(of: index)
  }
}

/// Any number of lenses of one kind, which need not be known before the program runs.
///
///     LensList(count: lamps.count) { index in Lens(lamps[index], show: { $0.levels[index] }) }
///
/// Where the devices are of one kind, too, `Each` is better: one driver, which takes all lines at once.
public struct LensList<Element: LensGroup & ~Copyable>: LensGroup, ~Copyable {
  public typealias Frame = Element.Frame

  @usableFromInline let lenses: UnsafeMutablePointer<Element>
  @usableFromInline let count: Int
  /// The number of the first lens.
  private var first = 0

  /// - Parameter make: makes the lens of an index from 0.
  @inlinable
  public init(count: Int, _ make: (Int) -> Element) {
    self.init(count: count, .allocate(capacity: count))
    for index in 0..<count { (lenses + index).initialize(to: make(index)) }
  }

  @usableFromInline
  init(count: Int, _ lenses: UnsafeMutablePointer<Element>) {
    self.count = count
    self.lenses = lenses
  }

  deinit {
    lenses.deinitialize(count: count)
    lenses.deallocate()
  }

  public var lensCount: Int {
    var sum = 0
    for place in 0..<count { sum += lenses[place].lensCount }
    return sum
  }

  /// The element that has the lens of that number, as elements are alike: each has as many lenses as the first.
  @usableFromInline
  func elementIndex(ofLens index: Int) -> Int { (index - first) / lenses[0].lensCount }

  public mutating func wire(_ wiring: Wiring, first index: Int) {
    first = index
    for place in 0..<count {
      precondition(
        lenses[place].lensCount == lenses[0].lensCount, "the elements of a list have as many lenses as each other")
    }
    for place in 0..<count { lenses[place].wire(wiring, first: index + place * lenses[0].lensCount) }
  }

  public mutating func start(showing frame: UnsafePointer<Frame>) throws(DriverError) {
    for place in 0..<count { try lenses[place].start(showing: frame) }
  }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>, at moment: Moment) -> Bool {
    lenses[elementIndex(ofLens: index)].reduce(index, in: &frames, at: moment)
  }

  public mutating func reduceTrouble(_ index: Int, in frames: inout FrameRing<Frame>, at moment: Moment) -> Bool {
    lenses[elementIndex(ofLens: index)].reduceTrouble(index, in: &frames, at: moment)
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    for place in 0..<count { lenses[place].render(frame) }
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    lenses[elementIndex(ofLens: index)].wake(index, wake, showing: frame)
  }

  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    lenses[elementIndex(ofLens: index)].retry(index, showing: frame)
  }

  public mutating func beginTiming() {
    for place in 0..<count { lenses[place].beginTiming() }
  }

  public mutating func tellLoss(_ index: Int, of count: Int) {
    lenses[elementIndex(ofLens: index)].tellLoss(index, of: count)
  }

  public mutating func renderSafe() {
    for place in (0..<count).reversed() { lenses[place].renderSafe() }
  }

  public var isAtRest: Bool {
    for place in 0..<count where !lenses[place].isAtRest { return false }
    return true
  }

  public mutating func stop() {
    for place in (0..<count).reversed() { lenses[place].stop() }
  }

  public func account(of index: Int) -> LaneAccount { lenses[elementIndex(ofLens: index)].account(of: index) }
}

/// Zips the lenses of an application, in the order in which they are written.
@resultBuilder
public struct LensBuilder<Frame: Equatable> {
  @inlinable
  public static func buildExpression<D: Driver & ~Copyable>(_ lens: consuming Lens<Frame, D>) -> Lens<Frame, D> {
    lens
  }

  @inlinable
  public static func buildExpression<D: Driver & ~Copyable>(
    _ list: consuming LensList<Lens<Frame, D>>
  ) -> LensList<Lens<Frame, D>> {
    list
  }

  @inlinable
  public static func buildPartialBlock<L: LensGroup & ~Copyable>(first: consuming L) -> L where L.Frame == Frame {
    first
  }

  @inlinable
  public static func buildPartialBlock<First: LensGroup & ~Copyable, Second: LensGroup & ~Copyable>(
    accumulated: consuming First, next: consuming Second
  ) -> Zip<First, Second> where First.Frame == Frame, Second.Frame == Frame {
    Zip(accumulated, next)
  }
}
