import CycleCore

extension ZoneRules {
  /// The reason why bytes are not a file of the time zone database, as a clause without a full stop.
  public struct Problem: Error, Equatable {
    public var reason: String
  }

  /// The maximum size of a file, in bytes. The largest one of the database has 4 kB.
  public static var longestFile: Int { 65_536 }

  /// Reads a file of the time zone database: `/usr/share/zoneinfo/Europe/Berlin`.
  ///
  /// **Source.** RFC 9636, *The Time Zone Information Format (TZif)*.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - name: the name of the zone.
  /// - Throws: the reason why it is not such a file.
  public init(tzif bytes: [UInt8], name: String) throws(Problem) {
    guard bytes.count <= Self.longestFile else { throw Problem(reason: "it has more than \(Self.longestFile) bytes") }
    var reader = ZoneFileReader(bytes)
    var header = try ZoneFileHeader(&reader)
    var timeSize = 4
    if header.version > 0 {
      // Version 2 and later repeat everything with times of 8 bytes.
      try reader.skip(header.size(timeSize: 4))
      header = try ZoneFileHeader(&reader)
      timeSize = 8
    }
    guard header.leapCount == 0 else {
      throw Problem(reason: "it counts leap seconds, which the clock of this system does not")
    }
    guard (1...256).contains(header.typeCount) else { throw Problem(reason: "it has no types of local time") }
    var times: [Int] = []
    for _ in 0..<header.timeCount { times.append(try reader.number(timeSize)) }
    var types: [Int] = []
    for _ in 0..<header.timeCount { types.append(try reader.number(1) & 0xFF) }
    var offsets: [Int] = []
    for _ in 0..<header.typeCount {
      offsets.append(try reader.number(4))
      try reader.skip(2)
    }
    guard types.allSatisfy({ $0 < offsets.count }) else {
      throw Problem(reason: "a change in it has a type that is missing")
    }
    guard offsets.allSatisfy({ ClockReading.offsets.contains($0) }) else {
      throw Problem(reason: "it has an offset of more than 26 hours")
    }
    guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw Problem(reason: "its changes are not in order")
    }
    try reader.skip(header.textCount + header.standardCount + header.universalCount)
    var rule: SummerTimeRule?
    var transitions = zip(times, types).map { Transition(seconds: $0, offset: offsets[$1]) }
    if timeSize == 8, let text = try reader.footer(), !text.isEmpty {
      guard let rules = ZoneRules(posix: text) else { throw Problem(reason: "\"\(text)\" at its end is not a rule") }
      rule = rules.rule
      // A rule without summer time is the offset that stays.
      if rule == nil, let last = transitions.last, last.offset != rules.firstOffset {
        transitions.append(Transition(seconds: last.seconds + 1, offset: rules.firstOffset))
      }
      if rule == nil, transitions.isEmpty { offsets[0] = rules.firstOffset }
    }
    self.init(name: name, firstOffset: offsets[0], transitions: transitions, rule: rule)
  }
}

/// The header of a block.
private struct ZoneFileHeader {
  let version: Int
  let universalCount: Int
  let standardCount: Int
  let leapCount: Int
  let timeCount: Int
  let typeCount: Int
  let textCount: Int

  init(_ reader: inout ZoneFileReader) throws(ZoneRules.Problem) {
    guard try reader.number(4) == 0x545A_6966 else { throw ZoneRules.Problem(reason: "it does not begin with TZif") }
    version = try reader.number(1)
    try reader.skip(15)
    universalCount = try reader.count()
    standardCount = try reader.count()
    leapCount = try reader.count()
    timeCount = try reader.count()
    typeCount = try reader.count()
    textCount = try reader.count()
  }

  func size(timeSize: Int) -> Int {
    timeCount * (timeSize + 1) + typeCount * 6 + textCount + leapCount * (timeSize + 4) + standardCount
      + universalCount
  }
}

/// Reads numbers from the beginning of a file.
private struct ZoneFileReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var end: ZoneRules.Problem { ZoneRules.Problem(reason: "it ends too early") }

  mutating func skip(_ count: Int) throws(ZoneRules.Problem) {
    guard count <= bytes.count - place else { throw end }
    place += count
  }

  /// Reads a big-endian number with a sign; of one byte, without.
  mutating func number(_ size: Int) throws(ZoneRules.Problem) -> Int {
    guard size <= bytes.count - place else { throw end }
    var bits: UInt64 = 0
    for byte in bytes[place..<place + size] { bits = bits << 8 | UInt64(byte) }
    place += size
    switch size {
    case 8: return Int(truncatingIfNeeded: bits)
    case 4: return Int(Int32(truncatingIfNeeded: bits))
    default: return Int(bits)
    }
  }

  /// Reads the number of entries of a table.
  mutating func count() throws(ZoneRules.Problem) -> Int {
    let count = try number(4)
    guard (0...bytes.count).contains(count) else { throw end }
    return count
  }

  /// Reads the line at the end of the file; nil if it is missing.
  mutating func footer() throws(ZoneRules.Problem) -> String? {
    guard place < bytes.count else { return nil }
    guard bytes[place] == 0x0A else { throw ZoneRules.Problem(reason: "the rule at its end is missing") }
    let rest = bytes[(place + 1)...]
    guard let end = rest.firstIndex(of: 0x0A) else { throw ZoneRules.Problem(reason: "the rule at its end has no end") }
    return String(decoding: rest[..<end], as: UTF8.self)
  }
}
