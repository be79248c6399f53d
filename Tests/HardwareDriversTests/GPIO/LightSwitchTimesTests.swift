import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("LightSwitchTimes")
struct LightSwitchTimesTests {
  private func pattern(_ model: LED.Model, start: Moment = .zero) -> LightSwitchTimes<Brightness> {
    LightSwitchTimes(model, start: start, period: .milliseconds(10))
  }

  /// The moments at which the light changes, in microseconds after the start, as it is found by going from one `until`
  /// to the next; negative where it goes dark.
  private func switchings(_ model: LED.Model, rounds: Int, start: Moment = .zero) -> [Int64] {
    let pattern = pattern(model, start: start)
    var result: [Int64] = []
    var moment = start
    var isOn = false
    for _ in 0..<rounds {
      let (value, until) = pattern.value(at: moment)
      let elapsed = (moment - start).wholeNanoseconds / 1000
      if value != isOn { result.append(value ? elapsed : -elapsed) }
      isOn = value
      guard let until else { break }
      #expect(until > moment)
      moment = until
    }
    return result
  }

  @Test("off and on stay as they are")
  func steady() {
    #expect(pattern(.off).value(at: .zero) == (false, nil))
    #expect(pattern(.on).value(at: .zero + .seconds(5)) == (true, nil))
  }

  @Test("a blinking light begins lit and goes by its own start")
  func blinking() {
    let model = LED.Model.blink(on: .milliseconds(200), off: .milliseconds(300), times: nil)
    #expect(switchings(model, rounds: 6) == [0, -200_000, 500_000, -700_000, 1_000_000, -1_200_000])
    #expect(switchings(model, rounds: 3, start: .zero + .seconds(77)) == [0, -200_000, 500_000])
  }

  @Test("a light that blinks so many times is dark then and wants nothing more")
  func times() {
    let model = LED.Model.blink(on: .milliseconds(200), off: .milliseconds(300), times: 2)
    #expect(switchings(model, rounds: 20) == [0, -200_000, 500_000, -700_000])
    #expect(pattern(model).value(at: .zero + .seconds(1)) == (false, nil))
    #expect(pattern(.blink(on: .seconds(1), off: .seconds(1), times: 0)).value(at: .zero) == (false, nil))
    #expect(pattern(.blink(on: .seconds(1), off: .seconds(1), times: -1)).value(at: .zero) == (false, nil))
  }

  @Test("a blinking light that is never dark, or never lit, is steady")
  func degenerate() {
    #expect(pattern(.blink(on: .seconds(1), off: .zero, times: nil)).value(at: .zero) == (true, nil))
    #expect(pattern(.blink(on: .zero, off: .seconds(1), times: nil)).value(at: .zero) == (false, nil))
    #expect(pattern(.blink(on: .seconds(-1), off: .seconds(-1), times: nil)).value(at: .zero) == (false, nil))
  }

  @Test("a light that is never dark between its times is lit for all of them")
  func joined() {
    #expect(switchings(.blink(on: .milliseconds(200), off: .zero, times: 2), rounds: 9) == [0, -400_000])
  }

  @Test("spans beyond the clock's reach are taken as for ever")
  func endless() {
    let span = Duration.seconds(Int64.max)
    #expect(pattern(.blink(on: span, off: span, times: nil)).value(at: .zero).isOn)
    #expect(pattern(.blink(on: span, off: .zero, times: 3)).value(at: .zero).isOn)
    #expect(!pattern(.pulse(span)).value(at: .zero).isOn)
  }

  @Test("a level between is lit for its share of each period")
  func level() {
    #expect(switchings(.level(0.3), rounds: 4) == [0, -3_000, 10_000, -13_000])
    #expect(switchings(.level(0.999), rounds: 3) == [0, -9_990, 10_000])
  }

  @Test("a level at or beyond an end is steady")
  func ends() {
    for level in [0, -1, 0.000_000_01, -Double.infinity, .nan] {
      #expect(pattern(.level(level)).value(at: .zero) == (false, nil))
    }
    for level in [1, 1.5, 0.999_999_999, Double.infinity] {
      #expect(pattern(.level(level)).value(at: .zero) == (true, nil))
    }
  }

  @Test("a pulse goes up and down by the square, once in its length")
  func pulse() {
    // Ten periods of 10 ms: their shares are 0, 4, 16, 36, 64, 100, 64, 36, 16, 4 percent.
    #expect(
      switchings(.pulse(.milliseconds(100)), rounds: 21) == [
        10_000, -10_400, 20_000, -21_600, 30_000, -33_600, 40_000, -46_400, 50_000, -66_400, 70_000, -73_600,
        80_000, -81_600, 90_000, -90_400, 110_000, -110_400,
      ])
  }

  @Test("a pulse of no length is lit")
  func noPulse() {
    #expect(pattern(.pulse(.zero)).value(at: .zero) == (true, nil))
  }
}
