import CycleCore

/// The other side of a ``MessagingDriver``: a ``Broker``, which confirms messages and keeps some of them, or an
/// ``OSCPeer``, which does neither.
///
/// A call may wait for a name server or a socket, so a worker makes the calls, one at a time.
public protocol PolledPeer: AnyObject {
  /// The peer's name in errors: `broker.lan:1883`.
  var name: String { get }

  /// Whether calls wait for a real network and so need a separate thread. If not, they are made on the cycle's thread.
  var needsThread: Bool { get }

  /// Whether a failed connection is tried again; false if the address is unknown while the program runs.
  var canBeReached: Bool { get }

  /// Stores the waker of a peer that needs no thread: it must wake the driver whenever there is news. Called once, on
  /// the cycle's thread, before all other calls. A peer with a thread uses ``descriptors`` instead.
  func wake(with waker: DriverWaker)

  /// The latest moment for the next read, unless a descriptor is ready before; nil without a connection.
  var deadline: Moment? { get }

  /// Descriptors to poll until there is news; empty without a connection.
  var descriptors: [PolledDescriptor] { get }

  /// Releases all resources.
  func close()
}

extension PolledPeer {
  public var canBeReached: Bool { true }
}
