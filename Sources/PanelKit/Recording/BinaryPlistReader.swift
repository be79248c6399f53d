/// A value of a property list in Apple's binary form, `bplist00`. Its object table, offsets and trailer are described
/// in `CFBinaryPList.c` of CoreFoundation.
///
/// Foundation reads this form too, but would add 58 MB to the command.
indirect enum BinaryPlistReader: Equatable {
  case dictionary([(key: String, value: BinaryPlistReader)])
  case array([BinaryPlistReader])
  case string(String)
  case integer(Int)
  case real(Double)
  case bool(Bool)
  /// A type that a moment never contains: a date, bytes, null.
  case other

  /// An error in the bytes.
  struct Fault: Error, Equatable {
    var text: String
  }

  static func == (left: BinaryPlistReader, right: BinaryPlistReader) -> Bool {
    switch (left, right) {
    case (.dictionary(let left), .dictionary(let right)):
      left.elementsEqual(right) { $0.key == $1.key && $0.value == $1.value }
    case (.array(let left), .array(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.other, .other): true
    default: false
    }
  }

  init(_ bytes: [UInt8]) throws(Fault) {
    if bytes.starts(with: Array("<?xml".utf8)) || bytes.starts(with: Array("<plist".utf8)) {
      throw Fault(text: "a property list in XML; convert it: plutil -convert binary1")
    }
    guard bytes.starts(with: Array("bplist0".utf8)) else {
      throw Fault(text: "no binary property list; CycleMonitor saves moments and timelines as such")
    }
    var reader = try PropertyListReader(bytes)
    self = try reader.root()
  }

  /// The value of a key; nil if the key is missing, or if this isn't a dictionary.
  subscript(_ key: String) -> BinaryPlistReader? {
    guard case .dictionary(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }
}

private struct PropertyListReader {
  /// The maximum nesting depth of containers, and the maximum total number of values: a list may refer to one value
  /// many times.
  private static let (deepest, most) = (32, 1_000_000)

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int
  private var read = 0
  /// The strings that have been read, by their offsets, so that a string with many references is read once.
  private var strings: [Int: BinaryPlistReader] = [:]
  /// The total size of these strings in bytes. In a valid list strings don't overlap, so it is never larger than the
  /// list.
  private var textSize = 0

  init(_ bytes: [UInt8]) throws(BinaryPlistReader.Fault) {
    self.bytes = bytes
    guard bytes.count >= 40 else { throw Self.cut }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    func number(_ place: Int) -> Int? {
      let value = bytes[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return value < UInt64(bytes.count) ? Int(value) : nil
    }
    guard let count = number(trailer + 8), let top = number(trailer + 16), let table = number(trailer + 24),
      (1...8).contains(offsetSize), (1...8).contains(referenceSize), top < count,
      table + count * offsetSize <= trailer
    else { throw Self.cut }
    (self.count, self.top, self.table) = (count, top, table)
  }

  private static var cut: BinaryPlistReader.Fault { .init(text: "the property list is damaged; save it again") }

  mutating func root() throws(BinaryPlistReader.Fault) -> BinaryPlistReader { try object(top, depth: 0) }

  private mutating func object(_ number: Int, depth: Int) throws(BinaryPlistReader.Fault) -> BinaryPlistReader {
    read += 1
    guard number < count, depth < Self.deepest, read <= Self.most else { throw Self.cut }
    var place = try integer(at: table + number * offsetSize, size: offsetSize)
    guard place >= 8, place < table else { throw Self.cut }
    let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 15))
    place += 1
    switch kind {
    case 0 where low == 8 || low == 9: return .bool(low == 9)
    case 1 where low <= 3: return .integer(try integer(at: place, size: 1 << low))
    case 2 where low == 2:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try integer(at: place, size: 4)))))
    case 2 where low == 3: return .real(Double(bitPattern: UInt64(bitPattern: Int64(try integer(at: place, size: 8)))))
    case 5, 6: return try string(at: place, hasUnits: kind == 6, low)
    case 10:
      var list: [BinaryPlistReader] = []
      for reference in try references(try length(low, &place), &place) {
        list.append(try object(reference, depth: depth + 1))
      }
      return .array(list)
    case 13:
      let size = try length(low, &place)
      let keys = try references(size, &place)
      let values = try references(size, &place)
      var pairs: [(key: String, value: BinaryPlistReader)] = []
      for (key, value) in zip(keys, values) {
        guard case .string(let name) = try object(key, depth: depth + 1) else { throw Self.cut }
        pairs.append((name, try object(value, depth: depth + 1)))
      }
      return .dictionary(pairs)
    default: return .other
    }
  }

  /// A string in ASCII, or in UTF-16 units.
  ///
  /// - Parameter low: the low half of its first byte, which precedes `start`.
  private mutating func string(at start: Int, hasUnits: Bool, _ low: Int) throws(BinaryPlistReader.Fault)
    -> BinaryPlistReader
  {
    if let known = strings[start] { return known }
    var place = start
    let slice = try slice(try length(low, &place), hasUnits ? 2 : 1, &place)
    textSize += slice.count
    guard textSize <= bytes.count else { throw Self.cut }
    let units = hasUnits ? stride(from: slice.startIndex, to: slice.endIndex, by: 2) : nil
    let text = units.map { String(decoding: $0.map { UInt16(slice[$0]) << 8 | UInt16(slice[$0 + 1]) }, as: UTF16.self) }
    let string = BinaryPlistReader.string(text ?? String(decoding: slice, as: UTF8.self))
    strings[start] = string
    return string
  }

  /// The length of a container or a string: the low half of its first byte, or the integer after it.
  private func length(_ low: Int, _ place: inout Int) throws(BinaryPlistReader.Fault) -> Int {
    guard low == 15 else { return low }
    guard place < bytes.count, bytes[place] >> 4 == 1, bytes[place] & 15 <= 3 else { throw Self.cut }
    let size = 1 << Int(bytes[place] & 15)
    let length = try integer(at: place + 1, size: size)
    place += 1 + size
    guard length >= 0, length <= bytes.count else { throw Self.cut }
    return length
  }

  private func references(_ count: Int, _ place: inout Int) throws(BinaryPlistReader.Fault) -> [Int] {
    let start = place
    _ = try slice(count, referenceSize, &place)
    var references: [Int] = []
    for index in 0..<count { references.append(try integer(at: start + index * referenceSize, size: referenceSize)) }
    guard references.allSatisfy({ $0 >= 0 }) else { throw Self.cut }
    return references
  }

  private func slice(
    _ count: Int, _ size: Int, _ place: inout Int
  ) throws(BinaryPlistReader.Fault) -> ArraySlice<UInt8> {
    guard count * size <= table - place else { throw Self.cut }
    defer { place += count * size }
    return bytes[place..<place + count * size]
  }

  private func integer(at place: Int, size: Int) throws(BinaryPlistReader.Fault) -> Int {
    guard place >= 0, place + size <= bytes.count else { throw Self.cut }
    return Int(truncatingIfNeeded: bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
