import CycleCore
import HardwareSimulation
import Testing

@testable import HardwareDrivers

/// When the library of a client is called, so that its pings come in time.
@Suite("Keepalive")
struct KeepAliveTests {
  @Test("a message that is only received does not put the next call off")
  func receiving() {
    var keepAlive = KeepAlive(.seconds(20), at: .zero)
    keepAlive.sent(at: .zero)
    keepAlive.called(at: .zero)
    #expect(keepAlive.deadline == .zero + .seconds(20))
    keepAlive.called(at: .zero + .seconds(18))
    #expect(keepAlive.deadline == .zero + .seconds(20))
    keepAlive.called(at: .zero + .seconds(20))
    #expect(keepAlive.deadline == .zero + .seconds(25))
  }

  @Test(
    "whatever a client sends, receives and acknowledges, it is never silent for 1.5 keepalives",
    arguments: [5, 20, 60])
  func silence(seconds: Int) {
    for seed in UInt64(1)...200 {
      var random = SeededGenerator(seed: seed)
      let longest = longestSilence(.seconds(seconds), &random)
      #expect(longest < .seconds(seconds) * 1.5, "seed \(seed)")
    }
  }

  /// The longest time between two messages of a client that does things at random, with a library that counts whole
  /// seconds as libmosquitto does.
  private func longestSilence(_ span: Duration, _ random: inout SeededGenerator) -> Duration {
    let isBusy = Bool.random(using: &random)
    var now = Moment.zero + .milliseconds(Int.random(in: 0..<1000, using: &random))
    var keepAlive = KeepAlive(span, at: now)
    var (lastSent, lastReceived) = (now, now)
    var longest = Duration.zero
    func send() {
      longest = max(longest, now - lastSent)
      lastSent = now
    }
    func isDue(_ last: Moment) -> Bool {
      (now - .zero).components.seconds - (last - .zero).components.seconds >= span.components.seconds
    }
    for _ in 0..<500 {
      let pause = Duration.milliseconds(Int.random(in: 0..<(isBusy ? 3_000 : 90_000), using: &random))
      let happens = now + pause
      now = min(happens, max(now, keepAlive.deadline))
      if now == happens {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          keepAlive.sent(at: now)
          send()
        case 1:
          // An acknowledgement, which the library sends by itself.
          lastReceived = now
          send()
        default: lastReceived = now
        }
      }
      if isDue(lastSent) || isDue(lastReceived) {
        lastReceived = now
        send()
      }
      keepAlive.called(at: now)
    }
    return max(longest, now - lastSent)
  }
}
