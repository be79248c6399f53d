import CycleCore
import Signals
import TestSupport
import Testing

@Suite("Signals of measurements")
struct SamplingTests {
  @Test("a window has the newest values, the oldest first")
  func window() {
    let input = Input<Int>()
    var seen: [[Int]] = []
    let output = input.window(3) --> { seen.append($0) }
    withExtendedLifetime(output) { for value in 1...5 { input <-- value } }
    #expect(seen == [[1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]])
  }

  @Test("a median keeps out single outliers, and counts values that are the same")
  func median() {
    let input = Input<Int>()
    var seen: [Int] = []
    let output = input.median(of: 3) --> { seen.append($0) }
    withExtendedLifetime(output) { for value in [700, 199, 199, 4000, 199] { input <-- value } }
    #expect(seen == [700, 199, 199, 199, 199])
  }

  @Test("hysteresis tells what is high and what is low, and between them nothing")
  func hysteresis() {
    let input = Input<Int>()
    var seen: [Bool] = []
    let isHigh = input.hysteresis(from: 55, to: 45)
    let combined = combine(input, isHigh) { "\($0) \($1)" }
    var words: [String] = []
    let outputs = [isHigh --> { seen.append($0) }, combined --> { words.append($0) }]
    withExtendedLifetime(outputs) { for value in [50, 20, 50, 54, 55, 50, 45, 44, 60] { input <-- value } }
    #expect(seen == [false, true, false, true])
    #expect(words.first == "20 false", "no value before the first that is one or the other")
    #expect(words.count == 8, "what stays as it is holds no combination back")
  }

  private struct Frame: Equatable, Sendable {
    var raw = CountedMeasurement<Int>()
    var smooth: [Int] = []
  }

  @Test("in a cycle every measurement counts, also one that equals the one before")
  func samples() throws {
    let sensor = Probe("sensor")
    let cycle = Cycle(seed: Frame()) {
      Lens(
        sensor, show: { _ in "" },
        on: { frame, event in if case .value(let text) = event { frame.raw.append(Int(text)!) } })
      Lens(
        SignalDriver(measurements: { raw, _ in raw.median(of: 3) }), show: { $0.raw },
        on: { frame, event in if case .value(let value) = event { frame.smooth.append(value) } })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    for value in ["700", "199", "199", "199"] { sensor.context?.emit(.value(value)) }
    for _ in 0..<8 { try cycle.step(until: loop.now) }
    #expect(cycle.frame.raw.count == 4)
    #expect(cycle.frame.smooth == [700, 199, 199, 199])
    cycle.stop()
  }
}
