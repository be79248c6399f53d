/// A topic on which a client sends.
public struct MessageTopic: Equatable, Sendable {
  /// Whether a filter matches a topic. `+` matches one level, `#` the rest. Neither matches a first level that begins
  /// with `$`, which brokers use for their own topics.
  ///
  /// **Source.** MQTT Version 3.1.1, sections 4.7.1 and 4.7.2.
  package static func matches(_ topic: String, filter: String) -> Bool {
    // Compares bytes, because a simulated broker calls this for each message and each filter.
    let (slash, one, all) = (UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "#"))
    var (rest, wanted) = (topic.utf8.makeIterator(), filter.utf8.makeIterator())
    var byte = rest.next()
    if byte == UInt8(ascii: "$"), let first = filter.utf8.first, first == one || first == all { return false }
    var isLevelStart = true
    while let next = wanted.next() {
      if isLevelStart, next == all { return true }
      if isLevelStart, next == one {
        while byte != nil, byte != slash { byte = rest.next() }
        isLevelStart = false
        continue
      }
      // `a/#` is a filter of `a`, too.
      guard let own = byte else { return next == slash && wanted.next() == all }
      guard own == next else { return false }
      isLevelStart = next == slash
      byte = rest.next()
    }
    return byte == nil
  }

  /// `panel/bell/value/level`.
  public var name: String
  /// Whether it is a value, of which the broker keeps the newest for later subscribers; if false, it is a stream of
  /// events.
  public var isRetained: Bool
  /// Whether it has quality of service 1; if false, 0. With 0 a message that is lost on its way is not sent again, and
  /// counts as delivered when the network has it.
  public var isAcknowledged: Bool
  /// The fixed payload, of any length; nil if it is computed for each message, with 512 bytes at most.
  public var payload: [UInt8]?

  /// - Parameters:
  ///   - name: `panel/bell/value/level`.
  ///   - isRetained: whether it is a value that the broker keeps.
  ///   - isAcknowledged: whether it has quality of service 1.
  ///   - payload: the fixed payload; nil if it is computed for each message.
  public init(_ name: String, isRetained: Bool, isAcknowledged: Bool = true, payload: [UInt8]? = nil) {
    (self.name, self.isRetained, self.isAcknowledged, self.payload) = (name, isRetained, isAcknowledged, payload)
  }
}
