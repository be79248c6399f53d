/// A topic on which a client sends.
public struct PublishedTopic: Equatable, Sendable {
  /// Whether a filter matches a topic. `+` matches one level, `#` the rest. Neither matches a first level that begins
  /// with `$`, which brokers use for their own topics.
  ///
  /// **Source.** MQTT Version 3.1.1, sections 4.7.1 and 4.7.2.
  package static func matches(_ topic: String, filter: String) -> Bool {
    var (topic, filter) = (topic, filter)
    // Compares bytes, because a simulated broker calls this for each message and each filter.
    return topic.withUTF8 { topic in filter.withUTF8 { filter in matches(topic, filter) } }
  }

  private static func matches(_ topic: UnsafeBufferPointer<UInt8>, _ filter: UnsafeBufferPointer<UInt8>) -> Bool {
    let (slash, one, all) = (UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "#"))
    if topic.first == UInt8(ascii: "$"), filter.first == one || filter.first == all { return false }
    var (place, wanted) = (0, 0)
    var isLevelStart = true
    while wanted < filter.count {
      let next = filter[wanted]
      wanted += 1
      if isLevelStart, next == all { return true }
      if isLevelStart, next == one {
        while place < topic.count, topic[place] != slash { place += 1 }
        isLevelStart = false
        continue
      }
      // `a/#` is a filter of `a`, too.
      guard place < topic.count else { return next == slash && wanted < filter.count && filter[wanted] == all }
      guard topic[place] == next else { return false }
      isLevelStart = next == slash
      place += 1
    }
    return place == topic.count
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
