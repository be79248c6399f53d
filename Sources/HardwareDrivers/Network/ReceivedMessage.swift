/// A message from another client.
public struct ReceivedMessage: Equatable, Sendable, Codable {
  /// The longest payload that is processed: 1024 bytes. A longer one is cut to one byte more, so that it can be
  /// refused.
  public static let longestPayload = 1024
  /// The longest message that is read, with its topic: 128 KiB. A longer one is dropped while it arrives, and takes no
  /// memory.
  public static let longestPacket = 131_072

  public var topic: String
  public var payload: [UInt8]
  /// Whether the broker has kept it from before the subscription; it may be years old.
  public var isRetained: Bool
  /// The typed arguments of a message of Open Sound Control; empty for other messages.
  public var arguments: [OSCArgument]

  public init(topic: String, payload: [UInt8], isRetained: Bool = false, arguments: [OSCArgument] = []) {
    (self.topic, self.payload, self.isRetained, self.arguments) = (topic, payload, isRetained, arguments)
  }
}
