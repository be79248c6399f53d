/// A fixed number of bits, for lamps, keys or outputs that are on or off. Bits are copied and compared 64 at a time.
public struct Bits: PartCollection, RefillableFrame, Hashable, Sendable {
  public let count: Int
  /// Bit `i` of word `w` is element `64 * w + i`. Bits after the last element are 0.
  @usableFromInline var words: [UInt64]

  /// Makes `count` bits, all false.
  public init(count: Int) {
    precondition(count >= 0, "the count must not be negative")
    self.count = count
    words = Array(repeating: 0, count: (count + 63) >> 6)
  }

  @inlinable
  public subscript(index: Int) -> Bool {
    get {
      precondition(index >= 0 && index < count, "the index must be below the count")
      return words[index >> 6] & (1 << UInt64(index & 63)) != 0
    }
    set {
      precondition(index >= 0 && index < count, "the index must be below the count")
      let bit: UInt64 = 1 << UInt64(index & 63)
      if newValue { words[index >> 6] |= bit } else { words[index >> 6] &= ~bit }
    }
  }

  @inlinable
  public mutating func refill(from other: borrowing Bits) {
    guard count == other.count else {
      self = copy other
      return
    }
    // memcpy(3): an assignment word by word checks each index.
    words.withUnsafeMutableBufferPointer { words in
      _ = other.words.withUnsafeBufferPointer { words.update(fromContentsOf: $0) }
    }
  }

  @inlinable
  public mutating func follow(_ other: borrowing Bits, _ body: (_ index: Int) -> Void) {
    let wordCount = words.count
    words.withUnsafeMutableBufferPointer { words in
      other.words.withUnsafeBufferPointer { others in
        guard let words = words.baseAddress, let others = others.baseAddress else { return }
        var word = 0
        while word < wordCount {
          // Most words are equal: four are compared in one step.
          if word &+ 4 <= wordCount {
            let differences =
              (words[word] ^ others[word]) | (words[word &+ 1] ^ others[word &+ 1])
              | (words[word &+ 2] ^ others[word &+ 2]) | (words[word &+ 3] ^ others[word &+ 3])
            if differences == 0 {
              word &+= 4
              continue
            }
          }
          var difference = words[word] ^ others[word]
          words[word] = others[word]
          while difference != 0 {
            body(word << 6 + difference.trailingZeroBitCount)
            difference &= difference &- 1
          }
          word &+= 1
        }
      }
    }
  }
}
