/// Lenses whose types the compiler does not know: those of a panel file's devices, or of a plug-in.
///
///     Cycle(seed: Panel()) {
///       LensGroups(devices.map { device in device.makeLenses() })       // each an AnyLensGroup<Panel>
///       Lens(Timer<Int>(), show: { $0.deadlines }, on: { ... })
///     }
///
/// A call to such a lens costs one indirect call more than a call to a lens whose type the compiler knows.
public struct AnyLensGroup<Frame: Equatable> {
  @usableFromInline let calls: LensGroupMethods<Frame>

  @inlinable
  public init<Lenses: LensGroup & ~Copyable>(_ lenses: consuming Lenses) where Lenses.Frame == Frame {
    calls = LensGroupMethods(lenses)
  }

  @inlinable
  public init<Lenses: LensGroup & ~Copyable>(@LensBuilder<Frame> _ lenses: () -> Lenses)
  where Lenses.Frame == Frame {
    calls = LensGroupMethods(lenses())
  }

  /// The number of lenses.
  public var lensCount: Int { calls.lensCount }
}

/// Any number of ``AnyLensGroup``. Each of them holds lenses of its own types.
public struct LensGroups<Frame: Equatable>: LensGroup {
  @usableFromInline let groups: [LensGroupMethods<Frame>]
  // `groups` retains the objects that the next two refer to: counting references at each event would cost more than the
  // calls.
  /// The groups that have outputs.
  @usableFromInline let showing: [Unmanaged<LensGroupMethods<Frame>>]
  /// The group of each lens, and the lens's index in that group.
  @usableFromInline let places: [(group: Unmanaged<LensGroupMethods<Frame>>, index: Int)]

  @inlinable
  public init(_ groups: [AnyLensGroup<Frame>]) {
    self.groups = groups.map(\.calls)
    showing = self.groups.filter { !$0.showsNothing }.map { .passUnretained($0) }
    places = self.groups.flatMap { group in (0..<group.lensCount).map { (.passUnretained(group), $0) } }
  }

  /// Calls the group of a lens with the lens's index in that group.
  @inlinable @inline(__always)
  func withGroup<Result>(of lens: Int, _ call: (LensGroupMethods<Frame>, Int) -> Result) -> Result {
    let (group, index) = places[lens]
    return group._withUnsafeGuaranteedRef { call($0, index) }
  }

  @inlinable
  public var lensCount: Int { places.count }

  @inlinable
  public mutating func wire(_ cycleContext: CycleContext, first: Int, showing seed: UnsafePointer<Frame>) {
    var first = first
    for group in groups {
      group.wire(cycleContext, first, seed)
      first += group.lensCount
    }
  }

  @inlinable
  public mutating func start(_ phase: StartPhase, showing frame: UnsafePointer<Frame>) throws(DriverError) {
    for group in groups { try group.start(phase, frame) }
  }

  @inlinable
  public mutating func forgetHistory(showing frame: UnsafePointer<Frame>) {
    for group in groups { group.forgetHistory(frame) }
  }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    withGroup(of: index) { $0.reduce($1, &frames) }
  }

  @inlinable
  public mutating func reduceOnSlowPath(_ index: Int, as entry: QueueEntryKind, in frames: inout FrameRing<Frame>)
    -> Bool
  {
    withGroup(of: index) { $0.reduceOnSlowPath($1, entry, &frames) }
  }

  public mutating func checkNewest(_ index: Int) throws(RecordingTextFault) {
    let (group, place) = places[index]
    // A typed error does not pass through the closure of older compilers.
    if let fault = group._withUnsafeGuaranteedRef({ $0.checkNewest(place) }) { throw fault }
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    for place in 0..<showing.count { showing[place]._withUnsafeGuaranteedRef { $0.render(frame) } }
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    withGroup(of: index) { $0.wake($1, wake, frame) }
  }

  @inlinable
  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    withGroup(of: index) { $0.retry($1, frame) }
  }

  @inlinable
  public mutating func beginTiming() {
    for group in groups { group.beginTiming() }
  }

  @inlinable
  public mutating func tellLoss(_ index: Int, of count: Int) {
    withGroup(of: index) { $0.tellLoss($1, count) }
  }

  @inlinable
  public mutating func renderSafe() {
    for group in groups.reversed() { group.renderSafe() }
  }

  @inlinable
  public var isAtRest: Bool { groups.allSatisfy { $0.isAtRest() } }

  @inlinable
  public mutating func stop() {
    for group in groups.reversed() { group.stop() }
  }

  @inlinable
  public func account(of index: Int) -> LaneEventCounts {
    withGroup(of: index) { $0.account($1) }
  }

  @inlinable
  public func model(of index: Int) -> Any {
    withGroup(of: index) { $0.model($1) }
  }
}

/// The functions of a ``LensGroup``, without its type.
///
/// They are closures and not methods of a generic class: the compiler specializes a closure for the lenses passed to
/// ``AnyLensGroup/init(_:)-(Lenses)``, but compiles the methods of a generic class only once, for all types.
@usableFromInline
final class LensGroupMethods<Frame: Equatable> {
  @usableFromInline let lensCount: Int
  @usableFromInline let showsNothing: Bool
  @usableFromInline let wire: (CycleContext, _ first: Int, UnsafePointer<Frame>) -> Void
  @usableFromInline let start: (StartPhase, UnsafePointer<Frame>) throws(DriverError) -> Void
  @usableFromInline let forgetHistory: (UnsafePointer<Frame>) -> Void
  @usableFromInline let reduce: (Int, inout FrameRing<Frame>) -> Bool
  @usableFromInline let reduceOnSlowPath: (Int, QueueEntryKind, inout FrameRing<Frame>) -> Bool
  @usableFromInline let checkNewest: (Int) -> RecordingTextFault?
  @usableFromInline let render: (UnsafePointer<Frame>) -> Void
  @usableFromInline let wake: (Int, Wake, UnsafePointer<Frame>) -> Void
  @usableFromInline let retry: (Int, UnsafePointer<Frame>) -> Void
  @usableFromInline let beginTiming: () -> Void
  @usableFromInline let tellLoss: (Int, _ count: Int) -> Void
  @usableFromInline let renderSafe: () -> Void
  @usableFromInline let isAtRest: () -> Bool
  @usableFromInline let stop: () -> Void
  @usableFromInline let account: (Int) -> LaneEventCounts
  @usableFromInline let model: (Int) -> Any

  @inlinable
  init<Lenses: LensGroup & ~Copyable>(_ lenses: consuming Lenses) where Lenses.Frame == Frame {
    let box = LensBox(lenses)
    lensCount = box.lenses.lensCount
    showsNothing = Lenses.showsNothing
    wire = { box.lenses.wire($0, first: $1, showing: $2) }
    start = { (phase, frame) throws(DriverError) in try box.lenses.start(phase, showing: frame) }
    forgetHistory = { box.lenses.forgetHistory(showing: $0) }
    reduce = { box.lenses.reduce($0, in: &$1) }
    reduceOnSlowPath = { box.lenses.reduceOnSlowPath($0, as: $1, in: &$2) }
    checkNewest = { index in
      do throws(RecordingTextFault) {
        try box.lenses.checkNewest(index)
        return nil
      } catch {
        return error
      }
    }
    render = { box.lenses.render($0) }
    wake = { box.lenses.wake($0, $1, showing: $2) }
    retry = { box.lenses.retry($0, showing: $1) }
    beginTiming = { box.lenses.beginTiming() }
    tellLoss = { box.lenses.tellLoss($0, of: $1) }
    renderSafe = { box.lenses.renderSafe() }
    isAtRest = { box.lenses.isAtRest }
    stop = { box.lenses.stop() }
    account = { box.lenses.account(of: $0) }
    model = { box.lenses.model(of: $0) }
  }
}

/// Keeps lenses for the closures that call them.
@usableFromInline
final class LensBox<Lenses: LensGroup & ~Copyable> {
  // Used only on the cycle's thread, and a lens never calls back into it. Checking each access would cost as much as
  // the call.
  @exclusivity(unchecked) @usableFromInline var lenses: Lenses

  @inlinable
  init(_ lenses: consuming Lenses) {
    self.lenses = lenses
  }
}
