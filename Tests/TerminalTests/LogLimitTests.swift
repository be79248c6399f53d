import CycleCore
import Testing

@testable import Terminal

@Suite("Lines that others can cause without end")
struct LogLimitTests {
  private func second(_ number: Double) -> Moment { Moment(nanoseconds: Int64(number * 1_000_000_000)) }

  @Test("one line is written in ten seconds, with the number of those before it")
  func one() {
    var limit = LogLimit()
    let lines = [0, 1, 9.999, 10, 11, 30].map { limit.admit("at \($0)", at: second($0)) }
    #expect(lines == ["at 0.0", nil, nil, "at 10.0; 2 more before that", nil, "at 30.0; 1 more before that"])
  }

  @Test("of several lines in a span the first ones are written")
  func several() {
    var limit = LogLimit(2, each: .seconds(1))
    let lines = [0, 0.1, 0.2, 0.3, 1, 1.1, 1.2].map { limit.admit("\($0)", at: second($0)) }
    #expect(lines == ["0.0", "0.1", nil, nil, "1.0; 2 more before that", "1.1", nil])
  }
}
