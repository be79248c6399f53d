import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("LostEdgeDetector")
struct LostEdgeDetectorTests {
  private typealias Gap = LostEdgeDetector.Gap

  private func gaps(numbered: Bool, _ edges: [(LineValue, UInt32)]) -> [Gap?] {
    var monitor = LostEdgeDetector(numbersEdges: numbered)
    return edges.map { monitor.receive(LineEdge(line: 0, value: $0, moment: .zero, sequence: $1)) }
  }

  @Test("edges that take turns without a jump miss nothing")
  func complete() {
    #expect(gaps(numbered: true, [(.active, 1), (.inactive, 2), (.active, 3)]) == [nil, nil, nil])
    #expect(gaps(numbered: false, [(.active, 0), (.inactive, 0), (.active, 0)]) == [nil, nil, nil])
  }

  @Test("the first edge may have either value")
  func first() {
    #expect(gaps(numbered: true, [(.inactive, 1)]) == [nil])
    #expect(gaps(numbered: false, [(.inactive, 0)]) == [nil])
  }

  @Test("a jump of the numbers says how many edges are missing, from the first one on")
  func jump() {
    #expect(gaps(numbered: true, [(.active, 1), (.active, 27)]) == [nil, Gap(count: 25)])
    #expect(gaps(numbered: true, [(.active, 4), (.inactive, 5)]) == [Gap(count: 3), nil])
  }

  @Test("two edges of one kind in a row miss an unknown number")
  func repeated() {
    #expect(gaps(numbered: true, [(.active, 1), (.active, 2)]) == [nil, Gap(count: nil)])
    #expect(gaps(numbered: false, [(.inactive, 0), (.inactive, 0), (.active, 0)]) == [nil, Gap(count: nil), nil])
  }

  @Test("a line that reports one of its edges repeats it and misses nothing; a jump of its numbers is a gap still")
  func oneEdge() {
    var unnumbered = LostEdgeDetector(numbersEdges: false, edges: .rising)
    var numbered = LostEdgeDetector(numbersEdges: true, edges: .rising)
    for (sequence, gap) in [(1, nil), (2, nil), (5, Gap(count: 2))] as [(UInt32, Gap?)] {
      let edge = LineEdge(line: 0, value: .active, moment: .zero, sequence: sequence)
      let (first, second) = (unnumbered.receive(edge), numbered.receive(edge))
      #expect(first == nil && second == gap)
    }
  }

  @Test("numbers that run over go on at zero")
  func wrap() {
    var monitor = LostEdgeDetector(numbersEdges: true)
    _ = monitor.receive(LineEdge(line: 0, value: .active, moment: .zero, sequence: .max))
    let next = monitor.receive(LineEdge(line: 0, value: .inactive, moment: .zero, sequence: 0))
    #expect(next == nil)
    let later = monitor.receive(LineEdge(line: 0, value: .active, moment: .zero, sequence: 2))
    #expect(later == Gap(count: 1))
  }
}
