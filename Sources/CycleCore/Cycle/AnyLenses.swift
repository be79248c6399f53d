/// Lenses whose types are not known when the program is compiled: those of a panel file's devices, or of a plug-in.
///
///     Cycle(seed: Panel()) {
///       LensGroups(devices.map { device in device.makeLenses() })       // each an AnyLenses<Panel>
///       Lens(Timer<Int>(), show: { $0.deadlines }, on: { ... })
///     }
///
/// What happens to a lens in it costs one indirect call more than to a lens that the compiler knows.
public struct AnyLenses<Frame: Equatable> {
  @usableFromInline let box: LensBox<Frame>

  @inlinable
  public init<Lenses: LensGroup & ~Copyable>(_ lenses: consuming Lenses) where Lenses.Frame == Frame {
    box = BoxedLenses(lenses)
  }

  @inlinable
  public init<Lenses: LensGroup & ~Copyable>(@LensBuilder<Frame> _ lenses: () -> Lenses)
  where Lenses.Frame == Frame {
    box = BoxedLenses(lenses())
  }

  /// How many lenses there are.
  public var lensCount: Int { box.lensCount }
}

/// Any number of ``AnyLenses``, each with lenses of types of its own.
public struct LensGroups<Frame: Equatable>: LensGroup {
  @usableFromInline let groups: [LensBox<Frame>]
  /// For each lens its group, and its index in there.
  @usableFromInline let places: [(group: LensBox<Frame>, index: Int)]

  @inlinable
  public init(_ groups: [AnyLenses<Frame>]) {
    self.groups = groups.map(\.box)
    places = self.groups.flatMap { group in (0..<group.lensCount).map { (group, $0) } }
  }

  @inlinable
  public var lensCount: Int { places.count }

  @inlinable
  public mutating func wire(_ cycleContext: CycleContext, first: Int) {
    var first = first
    for group in groups {
      group.wire(cycleContext, first: first)
      first += group.lensCount
    }
  }

  @inlinable
  public mutating func start(showing frame: UnsafePointer<Frame>) throws(DriverError) {
    for group in groups { try group.start(showing: frame) }
  }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    places[index].group.reduce(places[index].index, in: &frames)
  }

  @inlinable
  public mutating func reduceOnSlowPath(_ index: Int, isTrouble: Bool, in frames: inout FrameRing<Frame>) -> Bool {
    places[index].group.reduceOnSlowPath(places[index].index, isTrouble: isTrouble, in: &frames)
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    for group in groups { group.render(frame) }
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    places[index].group.wake(places[index].index, wake, showing: frame)
  }

  @inlinable
  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    places[index].group.retry(places[index].index, showing: frame)
  }

  @inlinable
  public mutating func beginTiming() {
    for group in groups { group.beginTiming() }
  }

  @inlinable
  public mutating func tellLoss(_ index: Int, of count: Int) {
    places[index].group.tellLoss(places[index].index, of: count)
  }

  @inlinable
  public mutating func renderSafe() {
    for group in groups.reversed() { group.renderSafe() }
  }

  @inlinable
  public var isAtRest: Bool { groups.allSatisfy(\.isAtRest) }

  @inlinable
  public mutating func stop() {
    for group in groups.reversed() { group.stop() }
  }

  @inlinable
  public func account(of index: Int) -> LaneAccount {
    places[index].group.account(of: places[index].index)
  }
}

/// The functions of a ``LensGroup``, without its type.
@usableFromInline
class LensBox<Frame: Equatable> {
  @usableFromInline init() {}

  @usableFromInline var lensCount: Int { missing() }
  @usableFromInline func wire(_ cycleContext: CycleContext, first: Int) { missing() }
  @usableFromInline func start(showing frame: UnsafePointer<Frame>) throws(DriverError) { missing() }
  @usableFromInline func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool { missing() }
  @usableFromInline func reduceOnSlowPath(_ index: Int, isTrouble: Bool, in frames: inout FrameRing<Frame>) -> Bool {
    missing()
  }
  @usableFromInline func render(_ frame: UnsafePointer<Frame>) { missing() }
  @usableFromInline func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) { missing() }
  @usableFromInline func retry(_ index: Int, showing frame: UnsafePointer<Frame>) { missing() }
  @usableFromInline func beginTiming() { missing() }
  @usableFromInline func tellLoss(_ index: Int, of count: Int) { missing() }
  @usableFromInline func renderSafe() { missing() }
  @usableFromInline var isAtRest: Bool { missing() }
  @usableFromInline func stop() { missing() }
  @usableFromInline func account(of index: Int) -> LaneAccount { missing() }

  private func missing() -> Never { preconditionFailure("the subclass has this") }
}

/// The calls are compiled for the lenses where these are put in: not in this module, which doesn't know them.
@usableFromInline
final class BoxedLenses<Lenses: LensGroup & ~Copyable>: LensBox<Lenses.Frame> {
  @usableFromInline typealias Frame = Lenses.Frame

  // The cycle's thread alone uses it, and no call of a lens comes back to it: a check of each access would cost as much
  // as the call.
  @exclusivity(unchecked) @usableFromInline var lenses: Lenses

  @inlinable
  init(_ lenses: consuming Lenses) {
    self.lenses = lenses
  }

  @inlinable override var lensCount: Int { lenses.lensCount }
  @inlinable override func wire(_ cycleContext: CycleContext, first: Int) { lenses.wire(cycleContext, first: first) }
  @inlinable override func start(showing frame: UnsafePointer<Frame>) throws(DriverError) {
    try lenses.start(showing: frame)
  }
  @inlinable override func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    lenses.reduce(index, in: &frames)
  }
  @inlinable override func reduceOnSlowPath(_ index: Int, isTrouble: Bool, in frames: inout FrameRing<Frame>) -> Bool {
    lenses.reduceOnSlowPath(index, isTrouble: isTrouble, in: &frames)
  }
  @inlinable override func render(_ frame: UnsafePointer<Frame>) { lenses.render(frame) }
  @inlinable override func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    lenses.wake(index, wake, showing: frame)
  }
  @inlinable override func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    lenses.retry(index, showing: frame)
  }
  @inlinable override func beginTiming() { lenses.beginTiming() }
  @inlinable override func tellLoss(_ index: Int, of count: Int) { lenses.tellLoss(index, of: count) }
  @inlinable override func renderSafe() { lenses.renderSafe() }
  @inlinable override var isAtRest: Bool { lenses.isAtRest }
  @inlinable override func stop() { lenses.stop() }
  @inlinable override func account(of index: Int) -> LaneAccount { lenses.account(of: index) }
}
