/// The same lenses for each element of a part of the frame. Their filters get one element only, and no frame filter
/// runs for an element that has not changed.
///
///     struct Wall: Equatable { var lamps = Bits(count: 1024) }
///
///     Cycle(seed: Wall()) {
///       Parts(\.lamps, count: 1024) { index in
///         Lens(LED(chip, line: lines[index]), show: { isLit in isLit ? .on : .off })
///       }
///     }
///
/// The cost of an event depends on the number of elements that it changes, not on the total number, if the collection
/// finds the changed ones quickly: ``Bits`` compares 64 elements in one step.
///
/// The history that their event filters read is that of the element.
public struct Parts<Frame: Equatable, Elements: PartCollection, Lenses: LensGroup & ~Copyable>: LensGroup, ~Copyable
where Lenses.Frame == Elements.Element {
  @usableFromInline let lenses: UnsafeMutablePointer<Lenses>
  @usableFromInline let count: Int
  /// The offset of the elements in the frame, in bytes.
  @usableFromInline let offset: Int
  /// The history of each element.
  @usableFromInline let elements: UnsafeMutablePointer<FrameRing<Elements.Element>>
  /// The elements that were rendered last; nil before the wiring.
  @usableFromInline var rendered: Elements?
  /// Whether each element has been rendered once.
  @usableFromInline var isRendered = false

  /// - Parameters:
  ///   - elements: a stored property of the frame, or a stored property of such a property, at any depth.
  ///   - count: the number of elements of the collection in every frame. Another number is a programming error and
  ///     traps.
  ///   - make: makes the lenses of an element from its index, which starts at 0.
  @inlinable
  public init(
    _ elements: WritableKeyPath<Frame, Elements>, count: Int,
    @LensBuilder<Elements.Element> lenses make: (_ index: Int) -> Lenses
  ) {
    // Not passed to another initializer: compilers up to 6.0 treat that as a copy.
    offset = PartOffset.of(elements)
    self.count = count
    lenses = .allocate(capacity: count)
    self.elements = .allocate(capacity: count)
    for index in 0..<count {
      (lenses + index).initialize(to: make(index))
      precondition(lenses[index].lensCount == lenses[0].lensCount, "elements have as many lenses as each other")
    }
  }

  deinit {
    if rendered != nil { for index in 0..<count { elements[index].deallocate() } }
    elements.deallocate()
    lenses.deinitialize(count: count)
    lenses.deallocate()
  }

  @inlinable
  func part(of frame: UnsafePointer<Frame>) -> UnsafePointer<Elements> {
    (UnsafeRawPointer(frame) + offset).assumingMemoryBound(to: Elements.self)
  }

  /// The number of lenses of each element.
  @inlinable
  var lensesOfElement: Int { count == 0 ? 1 : lenses[0].lensCount }

  @inlinable
  public var lensCount: Int { count &* lensesOfElement }

  public mutating func wire(_ cycleContext: CycleContext, first index: Int, showing seed: UnsafePointer<Frame>) {
    let part = part(of: seed)
    check(part.pointee)
    for place in 0..<count {
      (elements + place).initialize(to: FrameRing(seed: part.pointee[place], depth: cycleContext.depth))
      lenses[place].wire(cycleContext, first: index + place * lensesOfElement, showing: elements[place].current)
    }
    rendered = part.pointee
  }

  public mutating func start(_ phase: StartPhase, showing frame: UnsafePointer<Frame>) throws(DriverError) {
    for index in 0..<count { try lenses[index].start(phase, showing: elements[index].current) }
  }

  public mutating func forgetHistory(showing frame: UnsafePointer<Frame>) {
    let part = part(of: frame)
    check(part.pointee)
    for index in 0..<count {
      elements[index].begin(with: part.pointee[index], number: 0)
      lenses[index].forgetHistory(showing: elements[index].current)
    }
    rendered = part.pointee
  }

  @usableFromInline
  func check(_ part: Elements) {
    guard part.count != count else { return }
    programmerError("\(Elements.self) has \(part.count) elements, and Parts has lenses for \(count)")
  }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    let element = index / lensesOfElement
    guard lenses[element].reduce(index % lensesOfElement, in: &elements[element]) else { return false }
    put(element, in: &frames)
    return true
  }

  @inlinable
  public mutating func reduceOnSlowPath(_ index: Int, as entry: QueueEntryKind, in frames: inout FrameRing<Frame>)
    -> Bool
  {
    let element = index / lensesOfElement
    let isNew = lenses[element].reduceOnSlowPath(index % lensesOfElement, as: entry, in: &elements[element])
    guard isNew else { return false }
    put(element, in: &frames)
    return true
  }

  /// Makes the next frame out of the current one and the changed element.
  @inlinable
  func put(_ element: Int, in frames: inout FrameRing<Frame>) {
    let value = elements[element].current
    let offset = offset
    let put: (inout Frame) -> Void = { frame in
      withUnsafeMutableBytes(of: &frame) {
        ($0.baseAddress! + offset).assumingMemoryBound(to: Elements.self).pointee[element] = value.pointee
      }
    }
    _ = FrameRing<Frame>.isRefilled ? frames.advanceInStorage(put) : frames.advance(put)
  }

  @inlinable
  public mutating func checkNewest(_ index: Int) throws(RecordingTextFault) {
    try lenses[index / lensesOfElement].checkNewest(index % lensesOfElement)
  }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    let part = part(of: frame)
    if part.pointee.count != count { check(part.pointee) }
    let (lenses, elements) = (lenses, elements)
    if isRendered {
      rendered!.follow(part.pointee) { Self.render($0, part, lenses, elements) }
    } else {
      rendered!.follow(part.pointee) { _ in }
      for index in 0..<count { Self.render(index, part, lenses, elements) }
      isRendered = true
    }
  }

  @inlinable @inline(__always)
  static func render(
    _ index: Int, _ part: UnsafePointer<Elements>, _ lenses: UnsafeMutablePointer<Lenses>,
    _ elements: UnsafeMutablePointer<FrameRing<Elements.Element>>
  ) {
    // Returns false for the element whose lens has reduced the event: the history already contains the value.
    _ = elements[index].advance { $0 = part.pointee[index] }
    lenses[index].render(elements[index].current)
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    let element = index / lensesOfElement
    lenses[element].wake(index % lensesOfElement, wake, showing: elements[element].current)
  }

  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    let element = index / lensesOfElement
    lenses[element].retry(index % lensesOfElement, showing: elements[element].current)
  }

  public mutating func beginTiming() {
    for index in 0..<count { lenses[index].beginTiming() }
  }

  public mutating func tellLoss(_ index: Int, of count: Int) {
    lenses[index / lensesOfElement].tellLoss(index % lensesOfElement, of: count)
  }

  public mutating func renderSafe() {
    for index in (0..<count).reversed() { lenses[index].renderSafe() }
  }

  public var isAtRest: Bool {
    for index in 0..<count where !lenses[index].isAtRest { return false }
    return true
  }

  public mutating func stop() {
    for index in (0..<count).reversed() { lenses[index].stop() }
  }

  public func account(of index: Int) -> LaneEventCounts {
    lenses[index / lensesOfElement].account(of: index % lensesOfElement)
  }

  public func model(of index: Int) -> Any {
    lenses[index / lensesOfElement].model(of: index % lensesOfElement)
  }
}

/// A collection in the frame whose elements ``Parts`` has lenses for. It finds the elements that have changed.
///
/// An array of equatable elements conforms, and so does ``Bits``, which is faster with many elements.
public protocol PartCollection: Equatable {
  associatedtype Element: Equatable

  var count: Int { get }
  subscript(index: Int) -> Element { get set }
  /// Copies `other` into its own storage, and calls `body` with the index of each element that this changes, in
  /// ascending order. Both must have the same number of elements.
  mutating func follow(_ other: borrowing Self, _ body: (_ index: Int) -> Void)
}

extension Array: PartCollection where Element: Equatable {
  @inlinable
  public mutating func follow(_ other: borrowing Self, _ body: (_ index: Int) -> Void) {
    for index in 0..<count where self[index] != other[index] {
      self[index] = other[index]
      body(index)
    }
  }
}
