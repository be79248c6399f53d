import Testing

@testable import CycleCore

/// The frames that a filter can look back on.
@Suite("Past")
struct PastTests {
  @Test("past a seek: behind a frame with a number of its own the history has this frame alone, and grows from it")
  func afterASeek() {
    var ring = FrameRing(seed: 0, depth: 4)
    defer { ring.deallocate() }
    ring.begin(with: 9, number: 7)
    var past = ring.past(at: .zero)
    #expect(past.count == 1 && past[0] == 9 && past[1] == nil && past[3] == nil)
    for frame in 10...14 { #expect(ring.advance { $0 = frame }) }
    past = ring.past(at: .zero)
    #expect(past.count == 4 && (0..<5).map { past[$0] } == [14, 13, 12, 11, nil])
  }

  @Test("the history grows from the seed")
  func fromTheSeed() {
    var ring = FrameRing(seed: 0, depth: 3)
    defer { ring.deallocate() }
    var counts: [Int] = []
    for frame in 1...4 {
      counts.append(ring.past(at: .zero).count)
      _ = ring.advance { $0 = frame }
    }
    let past = ring.past(at: .zero)
    #expect(counts == [1, 2, 3, 3] && (0..<4).map { past[$0] } == [4, 3, 2, nil])
  }
}
