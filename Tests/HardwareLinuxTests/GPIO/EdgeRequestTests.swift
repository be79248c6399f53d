import EdgeQueues
import Testing

/// The edges of an input, as CGPIO passes them to each generation of libgpiod: 0 none, 1 rising, 2 falling, 3 both.
@Suite("Edges that are requested from libgpiod")
struct EdgeRequestTests {
  @Test("libgpiod 1.6 gets a request for the edges, and another one only when they change")
  func first() {
    let edges: [UInt8] = [2, 1, 1, 3, 0, 2, 0]
    var types = [Int32](repeating: 0, count: edges.count)
    let count = edge_requests_first(edges, UInt32(edges.count), &types)
    // 2 is GPIOD_LINE_REQUEST_DIRECTION_INPUT; 4, 5 and 6 are GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE, RISING_EDGE and
    // BOTH_EDGES.
    #expect(types.prefix(Int(count)) == [4, 5, 6, 2, 4, 2])
  }

  @Test("libgpiod 2 gets its edge detection")
  func second() {
    // 1 is GPIOD_LINE_EDGE_NONE; 2, 3 and 4 are GPIOD_LINE_EDGE_RISING, FALLING and BOTH.
    #expect((0...3).map { edge_requests_second($0) } == [1, 2, 3, 4])
  }
}
