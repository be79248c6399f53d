import Synchronization

/// A registered observer of frames, or a registered tap. It stays registered until ``end()``, even if this object is
/// released.
public final class Observation {
  private var remove: (() -> Void)?

  fileprivate init(_ remove: @escaping () -> Void) {
    self.remove = remove
  }

  /// Removes the observer or the tap. It is not called again, not even for the frame or event being delivered now.
  public func end() {
    remove?()
    remove = nil
  }
}

/// The registered observers, in the order in which they were added. A class, because each ``Observation`` refers to it:
/// a weak reference to the cycle instead would make each later retain of the cycle slower.
@usableFromInline
final class Observers<Observer> {
  @usableFromInline
  struct Entry {
    @usableFromInline let number: Int
    @usableFromInline let observer: Observer
  }

  @usableFromInline @exclusivity(unchecked) var entries: [Entry] = []
  private var additions = 0

  init() {}

  var isEmpty: Bool { entries.isEmpty }

  func add(_ observer: Observer) -> Observation {
    additions += 1
    let number = additions
    entries.append(Entry(number: number, observer: observer))
    return Observation { [self] in entries.removeAll { $0.number == number } }
  }

  // Inlinable, so that it is compiled for the observer's type. Compiled once for all types, it would look that type up
  // at each step.
  /// Returns the first observer added after the one with `number`; nil if there is none. Observers can be added and
  /// removed between two calls.
  @inlinable
  func next(after number: Int) -> Entry? {
    for index in 0..<entries.count where entries[index].number > number { return entries[index] }
    return nil
  }
}
