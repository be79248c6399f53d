import Synchronization

/// Drivers that several devices of a panel share, each at a place of a simulated bus or line. A driver is kept for as
/// long as a device uses it.
final class SharedParts<Place: Hashable & Sendable, Part: AnyObject>: Sendable {
  /// A place on a bus or line.
  struct Key: Hashable, Sendable {
    private let hardware: ObjectIdentifier
    private let place: Place

    init(_ hardware: AnyObject, _ place: Place) {
      (self.hardware, self.place) = (ObjectIdentifier(hardware), place)
    }
  }

  private struct WeakPart: @unchecked Sendable { weak var part: Part? }

  private let parts = Mutex<[Key: WeakPart]>([:])

  init() {}

  /// The driver at a place.
  ///
  /// - Parameters:
  ///   - key: the place. A driver holds its bus, so that no other bus gets its identity.
  ///   - isSame: whether the driver that is there is the wanted one.
  ///   - make: makes the driver if there is no such one.
  func part(_ key: Key, isSame: (Part) -> Bool = { _ in true }, make: () -> Part) -> Part {
    if let part = parts.withLock({ $0[key]?.part }), isSame(part) { return part }
    let part = make()
    let made = WeakPart(part: part)
    parts.withLock { parts in
      parts = parts.filter { $0.value.part != nil }
      parts[key] = made
    }
    return part
  }
}
