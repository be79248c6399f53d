/// All situations of a search, each once, with a number. Stores their bytes in one array, and a hash table of numbers.
struct SituationTable {
  private var bytes: [UInt8] = []
  /// The end of the bytes of each situation.
  private var ends: [Int] = []
  /// Open addressing; -1 for an empty slot. The count is a power of two.
  private var slots = [Int32](repeating: -1, count: 1024)

  var count: Int { ends.count }

  private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  func situation(_ number: Int, by codec: SituationCodec) -> Situation { codec.decode(bytes, range(number)) }

  /// Returns the number of a situation; adds the situation if it is new.
  mutating func number(of situation: Situation, by codec: SituationCodec) -> Int {
    let start = bytes.count
    codec.encode(situation, into: &bytes)
    var slot = Self.hash(bytes, from: start) & (slots.count - 1)
    while slots[slot] >= 0 {
      let known = range(Int(slots[slot]))
      if isEqual(known, start) {
        bytes.removeLast(bytes.count - start)
        return Int(slots[slot])
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(ends.count)
    ends.append(bytes.count)
    if ends.count * 2 > slots.count { grow() }
    return ends.count - 1
  }

  private func isEqual(_ known: Range<Int>, _ start: Int) -> Bool {
    guard known.count == bytes.count - start else { return false }
    for offset in 0..<known.count where bytes[known.lowerBound + offset] != bytes[start + offset] { return false }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for number in ends.indices {
      let range = range(number)
      var slot = Self.hash(bytes, from: range.lowerBound, to: range.upperBound) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }

  /// FNV-1a, with its upper bits mixed into the lower ones.
  private static func hash(_ bytes: [UInt8], from start: Int, to end: Int? = nil) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for place in start..<(end ?? bytes.count) { hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7fff_ffff_ffff_ffff)
  }
}
