import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("The pauses between connections")
struct ReconnectingTests {
  /// The greatest number each time: the longest of all waits that chance allows.
  private struct Greatest: RandomNumberGenerator {
    func next() -> UInt64 { .max }
  }

  private func at(_ seconds: Int) -> Moment { .zero + .seconds(seconds) }

  @Test("a try that makes no connection is no short one: a broker that is down is no second client")
  func down() {
    var reconnecting = Reconnecting(by: Greatest())
    reconnecting.accept(at: at(0))
    var waits = [reconnecting.end(isRefused: false, at: at(1)) - at(1)]
    for second in 2...4 { waits.append(reconnecting.end(isRefused: false, at: at(second)) - at(second)) }
    #expect(!reconnecting.isTakenOver)
    #expect(waits.map { Int(($0 / .milliseconds(1)).rounded()) } == [2_000, 1_000, 2_000, 4_000])
  }

  @Test("after three connections in a row that end within 5 s another client seems to use the identifier")
  func takenOver() {
    var reconnecting = Reconnecting(by: Greatest())
    for count in 1...3 {
      #expect(!reconnecting.isTakenOver)
      reconnecting.accept(at: at(10 * count))
      _ = reconnecting.end(isRefused: false, at: at(10 * count + 4))
    }
    #expect(reconnecting.isTakenOver)
    reconnecting.accept(at: at(100))
    #expect(reconnecting.end(isRefused: false, at: at(159)) == at(189))
    #expect(reconnecting.isTakenOver)
    reconnecting.accept(at: at(200))
    _ = reconnecting.end(isRefused: false, at: at(260))
    #expect(!reconnecting.isTakenOver)
  }
}
