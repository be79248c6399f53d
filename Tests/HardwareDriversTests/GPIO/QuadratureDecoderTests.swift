import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("QuadratureDecoder")
struct QuadratureDecoderTests {
  private typealias Resolution = RotaryEncoder.Resolution

  /// The states of a turn clockwise: nothing, A, A and B, B.
  private static let circle: [UInt8] = [0b00, 0b01, 0b11, 0b10]

  /// What a run through states means: + and - for detents, ! for a missed state, . for nothing.
  private func decode(_ states: [UInt8], _ resolution: Resolution, from first: UInt8 = 0) -> String {
    var decoder = QuadratureDecoder(state: first, resolution: resolution)
    var text = ""
    for state in states {
      let (detents, skipped) = decoder.move(to: state)
      let detent = detents > 0 ? "+" : detents < 0 ? "-" : ""
      text += detent + (skipped ? "!" : "")
      if detent.isEmpty, !skipped { text += "." }
    }
    return text
  }

  @Test("every transition is a step, a step back, a missed state or none")
  func transitions() {
    let states: [UInt8] = [0b00, 0b01, 0b10, 0b11]
    let table = states.map { old in
      states.map { new in decode([new], .quarterPeriod, from: old) }.joined(separator: " ")
    }
    #expect(table == [". + - !", "- . ! +", "+ ! . -", "! - + ."])
  }

  @Test("a turn has four, two or one transitions to a detent")
  func resolutions() {
    let forward: [UInt8] = [0b01, 0b11, 0b10, 0b00, 0b01, 0b11, 0b10, 0b00]
    let backward: [UInt8] = [0b10, 0b11, 0b01, 0b00, 0b10, 0b11, 0b01, 0b00]
    #expect(decode(forward, .fullPeriod) == "...+...+")
    #expect(decode(forward, .halfPeriod) == ".+.+.+.+")
    #expect(decode(forward, .quarterPeriod) == "++++++++")
    #expect(decode(backward, .fullPeriod) == "...-...-")
    #expect(decode(backward, .halfPeriod) == ".-.-.-.-")
    #expect(decode(backward, .quarterPeriod) == "--------")
  }

  @Test("a contact that bounces makes no step of its own")
  func bouncing() {
    #expect(decode([0b01, 0b00, 0b01, 0b00, 0b01, 0b11, 0b10, 0b11, 0b10, 0b00], .fullPeriod) == ".........+")
    #expect(decode([0b01, 0b00, 0b01, 0b00, 0b10, 0b00], .fullPeriod) == "......")
    #expect(decode([0b01, 0b11, 0b01, 0b00], .fullPeriod) == "....")
    #expect(decode([0b01, 0b00, 0b01, 0b11, 0b10, 0b11, 0b10, 0b00], .halfPeriod) == "...+...+")
  }

  @Test("a detent with one missed state still counts")
  func missed() {
    #expect(decode([0b11, 0b10, 0b00], .fullPeriod) == "!.+")
    #expect(decode([0b01, 0b10, 0b00], .fullPeriod) == ".!+")
    #expect(decode([0b01, 0b11, 0b00], .fullPeriod) == "..+!")
    #expect(decode([0b11, 0b01, 0b00], .fullPeriod) == "!.-")
    #expect(decode([0b11], .halfPeriod) == "!")
    #expect(decode([0b11], .quarterPeriod) == "!")
  }

  @Test(
    "a knob that wanders at random, a quarter at a time, is told where it is to half a detent",
    arguments: [UInt64(1), 2, 3, 4, 5])
  func wandering(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for (resolution, quarters) in [(Resolution.fullPeriod, 4), (.halfPeriod, 2), (.quarterPeriod, 1)] {
      var decoder = QuadratureDecoder(state: 0, resolution: resolution)
      var place = 0
      var told = 0
      for _ in 0..<10_000 {
        place += Bool.random(using: &random) ? 1 : -1
        let move = decoder.move(to: Self.circle[((place % 4) + 4) % 4])
        told += move.detents
        #expect(!move.skipped)
        guard abs(told * quarters - place) < quarters else {
          Issue.record("seed \(seed), \(resolution): told \(told) detents at quarter \(place)")
          return
        }
      }
    }
  }
}
