import CycleCore

/// Decides when the MQTT library of a client must be called, so that it sends the pings that keep a connection open.
///
/// A broker closes a connection on which the client has sent nothing for 1.5 keepalives; messages that the client
/// receives do not count. The library sends a ping only while it is called, and only when nothing was sent or nothing
/// was received for one keepalive, in whole seconds. It also sends acknowledgements on its own, so its last message may
/// be newer than the last one that the client has sent. After one keepalive the library is therefore called every
/// quarter of a keepalive, until the client sends a message again.
///
/// **Source.** MQTT Version 3.1.1, section 3.1.2.10; `mosquitto__check_keepalive` of libmosquitto 2.0.
package struct KeepAlive {
  private let interval: Duration
  /// The moment at which the library must be called next. A call before this moment does not move it.
  package private(set) var deadline: Moment

  /// - Parameters:
  ///   - interval: the keepalive of the connection, at least 5 s.
  ///   - now: the moment at which the connection is begun; the library must be called immediately then.
  package init(_ interval: Duration, at now: Moment) {
    (self.interval, deadline) = (interval, now)
  }

  /// Records that the client has sent a message.
  package mutating func sent(at now: Moment) { deadline = max(deadline, now + interval) }

  /// Records that the library was called, and has sent a ping if one was due.
  package mutating func called(at now: Moment) {
    if now >= deadline { deadline = now + interval / 4 }
  }
}
