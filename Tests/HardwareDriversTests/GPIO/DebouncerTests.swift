import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Debouncer")
struct DebouncerTests {
  /// Plays a line drawn in milliseconds (the first one is the value at the beginning, which is settled) and draws the
  /// value that counts.
  private func debounce(_ text: String, period: Int) -> String {
    let values = text.map { LineValue($0 == "#") }
    var debouncer = Debouncer(
      periods: DebouncePeriods(.milliseconds(period)), value: values[0], at: .zero, isSettled: true)
    var result = ""
    for (millisecond, value) in values.enumerated() {
      let moment = Moment.zero + .milliseconds(millisecond)
      _ = debouncer.settle(by: moment)
      if millisecond > 0, value != values[millisecond - 1] { debouncer.receive(value, at: moment) }
      if period == 0 { _ = debouncer.settle(by: moment) }
      result.append(debouncer.value == .active ? "#" : "_")
    }
    return result
  }

  @Test(
    "a value counts when it has been stable for the period, in both directions",
    arguments: [
      ("___########________", "_______########____"),
      ("___#_########____#_____", "_________########______"),
      ("####_####", "#########"),
      ("____###____", "___________"),
      ("____####___", "________###"),
      ("_#_#_#_#_#_#____", "________________"),
      ("#_#_#_#_#_#_____", "###############_"),
    ])
  func stability(line: String, counts: String) {
    #expect(debounce(line, period: 4) == counts)
  }

  @Test("a period of zero lets every edge through")
  func zero() {
    #expect(debounce("_#_##__#", period: 0) == "_#_##__#")
  }

  @Test("a reader that comes late gets the moment at which the value began to count")
  func late() {
    var debouncer = Debouncer(periods: DebouncePeriods(.milliseconds(5)), value: .inactive, at: .zero, isSettled: true)
    debouncer.receive(.active, at: .zero + .milliseconds(10))
    #expect(debouncer.deadline == .zero + .milliseconds(15))
    let change = debouncer.settle(by: .zero + .seconds(9))
    #expect(change?.value == .active)
    #expect(change?.moment == .zero + .milliseconds(15))
    #expect(debouncer.deadline == nil)
    let second = debouncer.settle(by: .zero + .seconds(10))
    #expect(second == nil)
  }

  @Test("an edge at the very end of the period finds the value counted")
  func boundary() {
    var debouncer = Debouncer(periods: DebouncePeriods(.milliseconds(5)), value: .inactive, at: .zero)
    debouncer.receive(.active, at: .zero)
    let before = debouncer.settle(by: Moment(nanoseconds: 4_999_999))
    #expect(before == nil)
    let at = debouncer.settle(by: Moment(nanoseconds: 5_000_000))
    #expect(at?.value == .active)
  }
}
