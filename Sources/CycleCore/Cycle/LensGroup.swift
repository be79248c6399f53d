/// One lens, or two groups of lenses zipped together. A ``LensBuilder`` makes it from the lenses of an application.
///
/// It is generic at all levels, so that the compiler sees the whole application as one function: an event needs no
/// allocation and no look-up. Applications don't conform to it: write a ``Driver``, and wire it with a ``Lens``.
public protocol LensGroup<Frame>: ~Copyable {
  associatedtype Frame: Equatable

  /// Whether no lens of this type has a driver with outputs: ``render(_:)`` then does nothing. Known where the
  /// application is compiled.
  static var showsNothing: Bool { get }
  /// The number of lenses. An index of a lens counts from the first lens of the group.
  var lensCount: Int { get }

  /// Numbers the lenses from `first`, connects their lanes, and begins the history of parts of the seed.
  mutating func wire(_ cycleContext: CycleContext, first: Int, showing seed: UnsafePointer<Frame>)
  /// Starts the drivers of a phase, in the order of wiring.
  mutating func start(_ phase: StartPhase, showing frame: UnsafePointer<Frame>) throws(DriverError)
  /// Reduces the next event in the lane of lens `index`. Returns false if the frame is unchanged.
  mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool
  /// Reduces the next event like ``reduce(_:in:)``, for the rare cases: calls the taps, reports a loss, or reduces
  /// another kind of entry.
  mutating func reduceOnSlowPath(
    _ index: Int, as entry: QueueEntryKind, in frames: inout FrameRing<Frame>
  ) -> Bool
  /// Checks the event from outside that was last put into the lane of lens `index`, with the driver and the lens. If
  /// one of them rejects it, removes it from the lane and throws.
  mutating func checkNewest(_ index: Int) throws(RecordingTextFault)
  /// Clears the history: the frame is the first one of the application, so earlier parts of frames don't belong to it.
  mutating func forgetHistory(showing frame: UnsafePointer<Frame>)
  /// Renders each model that has changed, in the order of wiring.
  mutating func render(_ frame: UnsafePointer<Frame>)
  mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>)
  /// Retries the start, render or wake that failed in lens `index`.
  mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>)
  /// Times the next 100 renders of each driver individually.
  mutating func beginTiming()
  /// Reports to lens `index` that `count` messages of its driver's own thread did not fit into the postbox.
  mutating func tellLoss(_ index: Int, of count: Int)
  /// Renders the safe models, in reverse order.
  mutating func renderSafe()
  /// Whether all drivers are at rest.
  var isAtRest: Bool { get }
  /// Stops the drivers, in reverse order.
  mutating func stop()
  func account(of index: Int) -> LaneEventCounts
  /// Returns the model that the driver of lens `index` rendered last; before the first render, the safe model.
  func model(of index: Int) -> Any
}

extension LensGroup where Self: ~Copyable {
  @inlinable
  public static var showsNothing: Bool { false }

  public mutating func forgetHistory(showing frame: UnsafePointer<Frame>) {}
}

/// Two groups of lenses. The first one is called first, except in `renderSafe` and `stop`.
public struct Zip<First: LensGroup & ~Copyable, Second: LensGroup & ~Copyable>: LensGroup, ~Copyable
where First.Frame == Second.Frame {
  public typealias Frame = First.Frame

  @usableFromInline var first: First
  @usableFromInline var second: Second

  @inlinable
  init(_ first: consuming First, _ second: consuming Second) {
    self.first = first
    self.second = second
  }

  @inlinable
  public static var showsNothing: Bool { First.showsNothing && Second.showsNothing }

  // Known when the application is compiled, unless the group contains a list. The search for a lens is then one jump.
  @inlinable
  public var lensCount: Int { first.lensCount &+ second.lensCount }

  public mutating func wire(_ cycleContext: CycleContext, first index: Int, showing seed: UnsafePointer<Frame>) {
    first.wire(cycleContext, first: index, showing: seed)
    second.wire(cycleContext, first: index + first.lensCount, showing: seed)
  }

  public mutating func start(_ phase: StartPhase, showing frame: UnsafePointer<Frame>) throws(DriverError) {
    try first.start(phase, showing: frame)
    try second.start(phase, showing: frame)
  }

  public mutating func forgetHistory(showing frame: UnsafePointer<Frame>) {
    first.forgetHistory(showing: frame)
    second.forgetHistory(showing: frame)
  }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    index < first.lensCount
      ? first.reduce(index, in: &frames) : second.reduce(index &- first.lensCount, in: &frames)
  }

  @inlinable
  public mutating func reduceOnSlowPath(
    _ index: Int, as entry: QueueEntryKind, in frames: inout FrameRing<Frame>
  ) -> Bool {
    index < first.lensCount
      ? first.reduceOnSlowPath(index, as: entry, in: &frames)
      : second.reduceOnSlowPath(index &- first.lensCount, as: entry, in: &frames)
  }

  @inlinable
  public mutating func checkNewest(_ index: Int) throws(RecordingTextFault) {
    if index < first.lensCount {
      try first.checkNewest(index)
    } else {
      try second.checkNewest(index - first.lensCount)
    }
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    first.render(frame)
    second.render(frame)
  }

  @inlinable @inline(__always)
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    if index < first.lensCount {
      first.wake(index, wake, showing: frame)
    } else {
      second.wake(index &- first.lensCount, wake, showing: frame)
    }
  }

  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    if index < first.lensCount {
      first.retry(index, showing: frame)
    } else {
      second.retry(index &- first.lensCount, showing: frame)
    }
  }

  public mutating func beginTiming() {
    first.beginTiming()
    second.beginTiming()
  }

  public mutating func tellLoss(_ index: Int, of count: Int) {
    if index < first.lensCount {
      first.tellLoss(index, of: count)
    } else {
      second.tellLoss(index &- first.lensCount, of: count)
    }
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

  public func account(of index: Int) -> LaneEventCounts {
    index < first.lensCount ? first.account(of: index) : second.account(of: index &- first.lensCount)
  }

  public func model(of index: Int) -> Any {
    index < first.lensCount ? first.model(of: index) : second.model(of: index &- first.lensCount)
  }
}

/// Lenses of one type. Their number need not be known before the program runs.
///
///     LensList(count: lamps.count) { index in Lens(lamps[index], show: { $0.levels[index] }) }
///
/// If the devices are also of one kind, prefer `LineDriverArray`: one driver that requests all lines together.
public struct LensList<Element: LensGroup & ~Copyable>: LensGroup, ~Copyable {
  public typealias Frame = Element.Frame

  @usableFromInline let lenses: UnsafeMutablePointer<Element>
  @usableFromInline let count: Int
  /// - Parameter make: makes the lens of an index from 0.
  /// - Parameter count: the number of lenses.
  @inlinable
  public init(count: Int, _ make: (Int) -> Element) {
    let lenses = UnsafeMutablePointer<Element>.allocate(capacity: count)
    for index in 0..<count { (lenses + index).initialize(to: make(index)) }
    self.init(count: count, lenses)
  }

  /// Makes a list of one element or none.
  @inlinable
  init(_ element: consuming Element?) {
    let lenses = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    if let element {
      lenses.initialize(to: element)
      self.init(count: 1, lenses)
    } else {
      self.init(count: 0, lenses)
    }
  }

  @usableFromInline
  init(count: Int, _ lenses: UnsafeMutablePointer<Element>) {
    self.count = count
    self.lenses = lenses
    for place in 0..<count {
      precondition(
        lenses[place].lensCount == lensesOfElement, "the elements of a list have as many lenses as each other")
    }
  }

  deinit {
    lenses.deinitialize(count: count)
    lenses.deallocate()
  }

  @inlinable
  public static var showsNothing: Bool { Element.showsNothing }

  /// The number of lenses of each element: all elements have the same number. Known when the application is compiled if
  /// an element is a lens.
  @inlinable
  var lensesOfElement: Int { count == 0 ? 1 : lenses[0].lensCount }

  @inlinable
  public var lensCount: Int { count &* lensesOfElement }

  public mutating func wire(_ cycleContext: CycleContext, first index: Int, showing seed: UnsafePointer<Frame>) {
    for place in 0..<count { lenses[place].wire(cycleContext, first: index + place * lensesOfElement, showing: seed) }
  }

  public mutating func start(_ phase: StartPhase, showing frame: UnsafePointer<Frame>) throws(DriverError) {
    for place in 0..<count { try lenses[place].start(phase, showing: frame) }
  }

  public mutating func forgetHistory(showing frame: UnsafePointer<Frame>) {
    for place in 0..<count { lenses[place].forgetHistory(showing: frame) }
  }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    lenses[index / lensesOfElement].reduce(index % lensesOfElement, in: &frames)
  }

  @inlinable
  public mutating func reduceOnSlowPath(
    _ index: Int, as entry: QueueEntryKind, in frames: inout FrameRing<Frame>
  ) -> Bool {
    lenses[index / lensesOfElement].reduceOnSlowPath(
      index % lensesOfElement, as: entry, in: &frames)
  }

  @inlinable
  public mutating func checkNewest(_ index: Int) throws(RecordingTextFault) {
    try lenses[index / lensesOfElement].checkNewest(index % lensesOfElement)
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    for place in 0..<count { lenses[place].render(frame) }
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    lenses[index / lensesOfElement].wake(index % lensesOfElement, wake, showing: frame)
  }

  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    lenses[index / lensesOfElement].retry(index % lensesOfElement, showing: frame)
  }

  public mutating func beginTiming() {
    for place in 0..<count { lenses[place].beginTiming() }
  }

  public mutating func tellLoss(_ index: Int, of count: Int) {
    lenses[index / lensesOfElement].tellLoss(index % lensesOfElement, of: count)
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

  public func account(of index: Int) -> LaneEventCounts {
    lenses[index / lensesOfElement].account(of: index % lensesOfElement)
  }

  public func model(of index: Int) -> Any {
    lenses[index / lensesOfElement].model(of: index % lensesOfElement)
  }
}

/// Zips the lenses of an application, in the order in which they are written.
///
///     Cycle(seed: Door()) {
///       Lens(Button(chip, line: "GPIO17"), on: { ... })
///       if hasSound { Lens(AudioPlayer(card), show: { ... }) }
///       lamps(on: chip)                                          // a function that returns some LensGroup<Door>
///     }
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
  public static func buildExpression<L: LensGroup & ~Copyable>(_ part: consuming Part<Frame, L>) -> Part<Frame, L> {
    part
  }

  @inlinable
  public static func buildExpression<E: PartCollection, L: LensGroup & ~Copyable>(
    _ parts: consuming Parts<Frame, E, L>
  ) -> Parts<Frame, E, L> {
    parts
  }

  /// Accepts lenses that a function returns.
  @inlinable @_disfavoredOverload
  public static func buildExpression<L: LensGroup & ~Copyable>(_ lenses: consuming L) -> L where L.Frame == Frame {
    lenses
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

  /// Handles `if` without `else`: no lens if the condition is false. The condition is evaluated once, when the
  /// application is built.
  @inlinable
  public static func buildOptional<L: LensGroup & ~Copyable>(_ lenses: consuming L?) -> LensList<L>
  where L.Frame == Frame {
    LensList(lenses)
  }

  /// Handles `if` with `else`, and `switch`.
  @inlinable
  public static func buildEither<First: LensGroup & ~Copyable, Second: LensGroup & ~Copyable>(
    first lenses: consuming First
  ) -> Zip<LensList<First>, LensList<Second>> where First.Frame == Frame, Second.Frame == Frame {
    Zip(LensList(lenses), LensList(nil))
  }

  @inlinable
  public static func buildEither<First: LensGroup & ~Copyable, Second: LensGroup & ~Copyable>(
    second lenses: consuming Second
  ) -> Zip<LensList<First>, LensList<Second>> where First.Frame == Frame, Second.Frame == Frame {
    Zip(LensList(nil), LensList(lenses))
  }
}
