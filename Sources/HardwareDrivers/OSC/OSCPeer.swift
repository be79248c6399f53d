import CycleCore

/// A program that receives Open Sound Control, or a port of this machine at which it is received.
///
/// A datagram has no connection and no acknowledgement: it is sent when the system has accepted it.
/// `OSCSender` and `OSCListener` use sockets, `SimulatedOSC` is in memory.
///
/// **Source.** The Open Sound Control 1.0 Specification (2002).
public protocol OSCPeer: PolledPeer {
  /// Opens a socket. What was open before is closed.
  ///
  /// - Parameter clock: the source of the current time.
  func open(on clock: WorkClock) throws(DriverError)

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - arguments: the types and values of its arguments (`PayloadWriter.write(oscArgument:)`); they may change after
  ///     the call.
  ///   - address: the address of the message: `/panel/lamp`.
  func send(_ arguments: UnsafeRawBufferPointer, to address: String) throws(DriverError)

  /// Reads the datagrams that have arrived, without blocking.
  ///
  /// - Parameter clock: the source of the current time.
  /// - Parameter take: gets the messages in their order. A datagram that is not OSC has no topic, and the reason as its
  ///   payload.
  func receive(on clock: WorkClock, _ take: (ReceivedMessage) -> Void) throws(DriverError)
}
