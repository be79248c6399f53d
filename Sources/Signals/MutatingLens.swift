import CycleCore

/// A part that is made from a whole value, and the changes made from both.
///
///     let lens = MutatingLens(value: "4", get: { Int($0)! }, set: { number, _ in String(number) })
///     lens.get                                                       // 4
///     lens.set                                                       // ["4"]
///
/// Both closures run once, when the lens is made: `get`, then `set`. In a ``CycledLens``, the whole is the signal of
/// frames, and the part is the drivers that render them. The changes are signals of the frames made from the drivers'
/// events.
public struct MutatingLens<Whole, Part, Change> {
  public let value: Whole
  public let get: Part
  public let set: [Change]

  /// - Parameters:
  ///   - get: makes the part from the whole.
  ///   - set: makes the changes from the part and the whole.
  ///   - value: the value that both closures get.
  public init(value: Whole, get: (Whole) -> Part, set: (Part, Whole) -> [Change]) {
    self.value = value
    self.get = get(value)
    self.set = set(self.get, value)
  }

  /// Makes a lens with one change.
  @_disfavoredOverload
  public init(value: Whole, get: (Whole) -> Part, set: (Part, Whole) -> Change) {
    self.init(value: value, get: get, set: { [set($0, $1)] })
  }

  /// Makes a lens without changes.
  public init(value: Whole, get: (Whole) -> Part) {
    self.init(value: value, get: get, set: { _, _ -> [Change] in [] })
  }

  private init(value: Whole, get: Part, set: [Change]) {
    self.value = value
    self.get = get
    self.set = set
  }

  /// Makes a lens without a part, whose whole is a signal without values: for changes that depend on no frame.
  public static func never<Frame>(set changes: Change...) -> MutatingLens
  where Whole == Signal<Frame>, Part == Void {
    MutatingLens(value: .never(), get: (), set: changes)
  }

  /// Replaces the part; keeps the changes.
  public func map<Other>(_ transform: (Whole, Part) -> Other) -> MutatingLens<Whole, Other, Change> {
    MutatingLens<Whole, Other, Change>(value: value, get: transform(value, get), set: set)
  }

  /// Inserts changes before those of the lens.
  public func prefixed(with changes: Change...) -> MutatingLens {
    MutatingLens(value: value, get: get, set: changes + set)
  }

  /// Combines lenses: the value of the first one, all parts, and all changes in their order.
  public static func zip<each Other>(
    _ first: MutatingLens, _ other: repeat MutatingLens<Whole, each Other, Change>
  ) -> MutatingLens<Whole, (Part, repeat each Other), Change> {
    var set = first.set
    for lens in repeat each other { set += lens.set }
    return MutatingLens<Whole, (Part, repeat each Other), Change>(
      value: first.value, get: (first.get, repeat (each other).get), set: set)
  }
}

/// The name of this type in Cycle.swift.
public typealias MutableLens = MutatingLens
