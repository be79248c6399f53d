import CycleCore

/// An entity of a discovery message of Home Assistant. Two entities with the same key and different platforms are
/// different.
struct RetainedEntity: Hashable {
  var key: String
  /// The platform of the entity: `sensor`, `binary_sensor`.
  var platform: String

  /// The maximum number of entities that are read from a message.
  static let most = 1024
  /// The platforms of all entities that any version of a panel has published. Entities of other platforms are ignored.
  private static let platforms: Set<String> = ["binary_sensor", "button", "event", "number", "sensor"]
  private static let longestKey = 128

  /// The entities of a message, without those that it removes: a removed one has a platform and nothing else. Empty for
  /// a message that can't be read: any client may have published it as a retained message.
  static func all(in payload: [UInt8]) -> [RetainedEntity] {
    guard let text = String(validating: payload, as: UTF8.self) else { return [] }
    do throws(RecordingTextFault) {
      return try JSONReader.read(text) { (reader) throws(RecordingTextFault) in
        var entities: [RetainedEntity] = []
        try reader.beginObject()
        while let member = try reader.nextKey() {
          guard ["cmps", "components"].contains(member) else {
            _ = try reader.skipValue()
            continue
          }
          try reader.beginObject()
          while let key = try reader.nextKey() {
            if let entity = try read(key, &reader), entities.count < most { entities.append(entity) }
          }
        }
        return entities
      }
    } catch {
      return []
    }
  }

  private static func read(_ key: String, _ reader: inout JSONReader) throws(RecordingTextFault) -> RetainedEntity? {
    var platform: String?
    var isMore = false
    try reader.beginObject()
    while let member = try reader.nextKey() {
      if ["p", "platform"].contains(member) {
        platform = try reader.readString()
      } else {
        _ = try reader.skipValue()
        isMore = true
      }
    }
    guard let platform, isMore, platforms.contains(platform), isKey(key) else { return nil }
    return RetainedEntity(key: key, platform: platform)
  }

  /// Whether Home Assistant accepts a text as a key.
  private static func isKey(_ text: String) -> Bool {
    (1...longestKey).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}
