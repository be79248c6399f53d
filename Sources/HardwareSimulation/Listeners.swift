/// The closures that simulated hardware calls at each change.
///
/// Hardware outlives the devices that are connected to it: a panel that is reloaded has the same lines and other devices.
/// So a listener can have an owner. It is dropped after its owner is gone, when the next listener is added.
struct Listeners<Listener> {
  private struct Owner {
    weak var object: AnyObject?
  }

  /// The listeners in the order in which they were added.
  private(set) var all: [Listener] = []
  /// The owner of each listener; nil for one that lives as long as the hardware.
  private var owners: [Owner?] = []

  /// - Parameters:
  ///   - listener: the closure. It must not retain its owner.
  ///   - owner: the object that it is called for.
  mutating func add(_ listener: Listener, for owner: AnyObject?) {
    let live = owners.indices.filter { owners[$0].map { $0.object != nil } ?? true }
    if live.count < all.count { (all, owners) = (live.map { all[$0] }, live.map { owners[$0] }) }
    all.append(listener)
    owners.append(owner.map { Owner(object: $0) })
  }
}
