/// Places cards below each other, each as near to its preferred position as the others permit.
///
/// Overlapping cards become a block. Its position is the mean of the preferred positions of its cards. This is the
/// least-squares solution without overlaps (pool adjacent violators).
enum CardStack {
  /// The preferred top of a card, or of a block: `sum / weight`.
  struct Wish {
    /// The sum of the preferred tops of its terminals.
    var sum: Int
    /// The number of its terminals, at least 1.
    var weight: Int
  }

  private struct Block {
    var wish: Wish
    var height: Int
    var first: Int
  }

  /// The tops of the cards, multiples of 12, from `ceiling` on.
  static func tops(wishes: [Wish], heights: [Int], ceiling: Int) -> [Int] {
    var blocks: [Block] = []
    for index in wishes.indices {
      blocks.append(Block(wish: wishes[index], height: heights[index], first: index))
      while blocks.count > 1, meet(blocks[blocks.count - 2], blocks[blocks.count - 1]) {
        let lower = blocks.removeLast()
        let upper = blocks.count - 1
        blocks[upper].wish.sum += lower.wish.sum - lower.wish.weight * blocks[upper].height
        blocks[upper].wish.weight += lower.wish.weight
        blocks[upper].height += lower.height
      }
    }
    var tops: [Int] = []
    var y = ceiling
    for (place, block) in blocks.enumerated() {
      y = max(y, block.wish.sum.dividedDown(by: block.wish.weight * WiringMetrics.half) * WiringMetrics.half)
      let end = place + 1 < blocks.count ? blocks[place + 1].first : heights.count
      for index in block.first..<end {
        tops.append(y)
        y += heights[index]
      }
    }
    return tops
  }

  /// Whether the upper block would overlap the lower one.
  private static func meet(_ upper: Block, _ lower: Block) -> Bool {
    (upper.wish.sum + upper.height * upper.wish.weight) * lower.wish.weight > lower.wish.sum * upper.wish.weight
  }
}
