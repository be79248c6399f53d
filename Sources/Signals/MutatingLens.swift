import CycleCore

/// A part of a whole, and the wholes that follow from it.
///
///     let lens = MutatingLens(value: "4", get: { Int($0)! }, set: { number, _ in String(number) })
///     lens.get                                                       // 4
///     lens.set                                                       // ["4"]
///
/// Both closures run once, when it is made: first what is got, then what is set. In a ``CycledLens`` the whole is a signal of
/// frames, the part a driver that shows them, and what is set the frames that follow from the driver's events.
public struct MutatingLens<Whole, Part, Change> {
  public let value: Whole
  public let get: Part
  public let set: [Change]

  /// - Parameters:
  ///   - get: the part of the whole.
  ///   - set: what follows from the part and the whole.
  public init(value: Whole, get: (Whole) -> Part, set: (Part, Whole) -> [Change]) {
    self.value = value
    self.get = get(value)
    self.set = set(self.get, value)
  }

  /// With one thing that follows.
  @_disfavoredOverload
  public init(value: Whole, get: (Whole) -> Part, set: (Part, Whole) -> Change) {
    self.init(value: value, get: get, set: { [set($0, $1)] })
  }

  /// With nothing that follows.
  public init(value: Whole, get: (Whole) -> Part) {
    self.init(value: value, get: get, set: { _, _ -> [Change] in [] })
  }

  private init(value: Whole, get: Part, set: [Change]) {
    self.value = value
    self.get = get
    self.set = set
  }

  /// A lens without a part, of a whole that never comes: for what follows from nothing.
  public static func never<Frame>(set changes: Change...) -> MutatingLens
  where Whole == Signal<Frame>, Part == Void {
    MutatingLens(value: .never(), get: (), set: changes)
  }

  /// Another part in place of this one; what follows stays.
  public func map<Other>(_ transform: (Whole, Part) -> Other) -> MutatingLens<Whole, Other, Change> {
    MutatingLens<Whole, Other, Change>(value: value, get: transform(value, get), set: set)
  }

  /// What follows, with others before it.
  public func prefixed(with changes: Change...) -> MutatingLens {
    MutatingLens(value: value, get: get, set: changes + set)
  }

  /// Lenses side by side: the value of the first one, all parts, and what follows from each in their order.
  public static func zip<each Other>(
    _ first: MutatingLens, _ other: repeat MutatingLens<Whole, each Other, Change>
  ) -> MutatingLens<Whole, (Part, repeat each Other), Change> {
    var set = first.set
    for lens in repeat each other { set += lens.set }
    return MutatingLens<Whole, (Part, repeat each Other), Change>(
      value: first.value, get: (first.get, repeat (each other).get), set: set)
  }
}

/// The name that Cycle.swift gives the lens.
public typealias MutableLens = MutatingLens
