import Testing

@testable import PanelLanguage

/// The least and the greatest number that an expression can be, compared with all that it is.
@Suite("The bounds of expressions")
struct ResultBoundsTests {
  private static let ranges: [ResultBounds] = [-7 ... -3, -4...0, -2...3, 0...0, 0...5, 2...9, 6...6]

  @Test("they are as narrow as all pairs of numbers allow: sums, differences, products, minima and maxima")
  func exact() {
    for a in Self.ranges {
      for b in Self.ranges {
        func all(_ operation: (Int128, Int128) -> Int128) -> ResultBounds {
          let results = a.flatMap { x in b.map { operation(x, $0) } }
          return results.min()!...results.max()!
        }
        #expect(a.sum(b) == all(+))
        #expect(a.difference(b) == all(-))
        #expect(a.product(b) == all(*))
        #expect(a.minimum(b) == all { Swift.min($0, $1) })
        #expect(a.maximum(b) == all { Swift.max($0, $1) })
      }
    }
  }

  @Test("a remainder has the divisor's sign, and is nearer to 0 than the divisor")
  func remainder() {
    #expect((0...100).remainder(10...10) == 0...9)
    #expect((-100...100).remainder(3...10) == 0...9)
    #expect((0...100).remainder(-10 ... -3) == -9...0)
    #expect((2...4).remainder(5...9) == 2...4)
    #expect((2...5).remainder(5...9) == 0...8)
  }

  @Test("all remainders and quotients are within their bounds")
  func within() {
    for a in Self.ranges {
      for b in Self.ranges where !b.contains(0) {
        for (x, y) in a.flatMap({ x in b.map { (x, $0) } }) {
          #expect(a.remainder(b).contains(Saturating.remainder(x, y)))
          #expect(a.quotient(b).contains(Saturating.quotient(x, y)))
        }
      }
    }
  }
}
