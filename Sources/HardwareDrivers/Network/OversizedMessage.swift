import CycleCore

/// A message that was too long to be read.
public struct OversizedMessage: Equatable, Sendable {
  /// Its topic, or the beginning of a long one.
  public var topic: String
  /// Its length in bytes, including its topic.
  public var byteCount: Int
  /// Whether the broker keeps it: then it arrives again with each connection.
  public var isRetained: Bool

  public init(topic: String, byteCount: Int, isRetained: Bool) {
    (self.topic, self.byteCount, self.isRetained) = (topic, byteCount, isRetained)
  }
}

extension OversizedMessage {
  /// Returns the error that is reported to the application.
  ///
  /// - Parameter broker: the broker's name.
  package func error(of broker: String) -> DriverError {
    let removal = isRetained ? " The broker keeps it; remove it: mosquitto_pub -r -n -t '\(topic)'." : ""
    return DriverError(
      .failed, of: broker, cannot: "read a message on \(topic) of \(broker)",
      reason: "it has \(byteCount) bytes; at most \(ReceivedMessage.longestPacket) are read",
      remedy:
        "Find the client that sends it.\(removal) message_size_limit in mosquitto.conf has the broker refuse such messages."
    )
  }
}
