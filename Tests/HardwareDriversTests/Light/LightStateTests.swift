import CycleCore
import Foundation
import Testing

@testable import HardwareDrivers

@Suite("LightState")
struct LightStateTests {
  private func at(_ milliseconds: Int) -> Moment { .zero + .milliseconds(milliseconds) }

  /// The light at some milliseconds, rounded to ten thousandths.
  private func course(of light: Light<Brightness>, _ milliseconds: [Int]) -> [Double] {
    let state = LightState(light, at: .zero)
    return milliseconds.map { share(of: state, $0) }
  }

  private func share(of state: LightState<Brightness>, _ milliseconds: Int) -> Double {
    (state.shown(at: at(milliseconds)).look.share * 10_000).rounded() / 10_000
  }

  @Test("a fade is even for the eye, or in light")
  func fade() {
    let times = [0, 500, 1_000, 2_000, 9_000]
    #expect(course(of: .fade(to: 1, over: .seconds(2)), times) == [0, 0.0625, 0.25, 1, 1])
    #expect(course(of: .fade(to: 1, over: .seconds(2), on: .linear), times) == [0, 0.25, 0.5, 1, 1])
  }

  @Test("a fade that begins during another one begins at what is shown")
  func fadeDuringFade() {
    var state = LightState<Brightness>(.fade(to: 1, over: .seconds(2)), at: .zero)
    state.begin(.fade(to: 0, over: .seconds(1)), at: at(1_000))
    #expect([1_000, 1_500, 2_000].map { share(of: state, $0) } == [0.25, 0.0625, 0])
    #expect(state.shown(at: at(1_000)) == .init(look: 0.25, isChanging: true, until: at(2_000)))
    #expect(state.shown(at: at(2_000)) == .init(look: .dark, isChanging: false, until: nil))
  }

  @Test("a blink that completes phases takes its new times from the next phase on")
  func pace() {
    // Lit until 200 ms, then dark; the new pace of 50 ms begins when the lit time ends.
    var state = LightState<Brightness>(.paced(on: .milliseconds(200), off: .milliseconds(200)), at: .zero)
    state.begin(.paced(on: .milliseconds(50), off: .milliseconds(50)), at: at(100))
    #expect([100, 199, 200, 249, 250, 299, 300].map { share(of: state, $0) } == [1, 1, 0, 0, 1, 1, 0])
    #expect(state.shown(at: at(150)).until == at(200))
    // Dark until 350 ms; the new pace of 400 ms begins with a lit time.
    state.begin(.paced(on: .milliseconds(400), off: .milliseconds(400)), at: at(310))
    #expect([310, 349, 350, 749, 750, 1149, 1150].map { share(of: state, $0) } == [0, 0, 1, 1, 0, 0, 1])
    // Two changes in one phase.
    state.begin(.paced(on: .milliseconds(10), off: .milliseconds(10)), at: at(1_200))
    state.begin(.paced(on: .milliseconds(100), off: .milliseconds(100)), at: at(1_300))
    #expect([1_300, 1_549, 1_550, 1_649, 1_650].map { share(of: state, $0) } == [1, 1, 0, 0, 1])
    // Any other light begins immediately, and so does a blink after it.
    state.begin(.off, at: at(1_660))
    #expect(share(of: state, 1_660) == 0)
    state.begin(.paced(on: .milliseconds(100), off: .milliseconds(100)), at: at(1_700))
    #expect([1_700, 1_799, 1_800].map { share(of: state, $0) } == [1, 1, 0])
  }

  @Test("an ordinary blink begins immediately")
  func newBlink() {
    var state = LightState<Brightness>(.blink(.milliseconds(200)), at: .zero)
    state.begin(.blink(.milliseconds(50)), at: at(300))
    #expect([300, 349, 350].map { share(of: state, $0) } == [1, 1, 0])
  }

  @Test("a fade to what is shown already changes nothing")
  func fadeToItself() {
    var state = LightState<Brightness>(.on, at: .zero)
    state.begin(.fade(to: 1, over: .seconds(2)), at: at(10))
    #expect(state.shown(at: at(20)) == .init(look: .full, isChanging: false, until: nil))
  }

  @Test("a light that begins again continues")
  func same() {
    var state = LightState<Brightness>(.fade(to: 1, over: .seconds(2)), at: .zero)
    state.begin(.fade(to: 1, over: .seconds(2)), at: at(1_000))
    #expect(share(of: state, 1_000) == 0.25 && state.start == .zero)
  }

  @Test("keys are reached at their moments, and the last one stays")
  func keys() {
    let keys: [Keyframe<Brightness>] = [
      Keyframe(at: .zero, 0), Keyframe(at: .milliseconds(500), 1), Keyframe(at: .seconds(2), 0.2),
    ]
    let times = [250, 500, 1_250, 2_000, 5_000]
    #expect(course(of: .keys(keys), times) == [0.25, 1, 0.5236, 0.2, 0.2])
    #expect(course(of: .keys(keys, on: .linear), times) == [0.5, 1, 0.6, 0.2, 0.2])
    let state = LightState(.keys(keys), at: .zero)
    #expect(state.shown(at: at(250)).until == at(500) && state.shown(at: at(2_000)).until == nil)
    #expect(state.end == at(2_000))
    #expect(course(of: .keys(keys, times: nil), [2_000, 2_250, 4_500]) == [0, 0.25, 1])
  }

  @Test("the first key applies before its moment, and two keys at one moment are a jump")
  func oddKeys() {
    let late = Light<Brightness>.keys([Keyframe(at: .seconds(1), 0.5), Keyframe(at: .seconds(2), 1)])
    #expect(course(of: late, [0, 999, 2_000]) == [0.5, 0.5, 1])
    let jump = Light<Brightness>.keys([
      Keyframe(at: .zero, 0), Keyframe(at: .seconds(1), 0), Keyframe(at: .seconds(1), 1), Keyframe(at: .seconds(2), 1),
    ])
    #expect(course(of: jump, [999, 1_000, 1_500]) == [0, 1, 1])
    #expect(course(of: .keys([Keyframe(at: .zero, 0.5)], times: nil), [0, 1_000]) == [0.5, 0.5])
  }

  @Test("a pulse rises and falls, and is dark after the last one")
  func pulse() {
    let pulse = Light<Brightness>.pulse(0.64, rise: .milliseconds(200), fall: .milliseconds(800), times: 2)
    #expect(course(of: pulse, [0, 100, 200, 600, 1_000, 1_100, 2_000, 3_000]) == [0, 0.16, 0.64, 0.16, 0, 0.16, 0, 0])
    #expect(LightState(pulse, at: .zero).end == at(2_000))
    #expect(LightState(Light<Brightness>.pulse(.seconds(1)), at: .zero).end == nil)
  }

  @Test("a blink shows two looks")
  func blink() {
    let blink = Light<Brightness>.blink(0.8, 0.2, on: .milliseconds(100), off: .milliseconds(300), times: 2)
    #expect(course(of: blink, [0, 99, 100, 399, 400, 500, 800, 5_000]) == [0.8, 0.8, 0.2, 0.2, 0.8, 0.2, 0.2, 0.2])
    let state = LightState(blink, at: .zero)
    #expect(state.shown(at: at(399)).until == at(400) && state.shown(at: at(800)).until == nil)
    #expect(state.end == at(800))
    #expect(
      LightState(Light.blink(Brightness(0.5), 0.5, on: .seconds(1), off: .seconds(1)), at: .zero)
        .shown(at: .zero).until == nil)
  }

  @Test("a brightness is 0 to 1, and nothing else")
  func brightness() {
    #expect([-1, 0, 0.3, 1, 7, .nan, -Double.infinity].map { Brightness($0).share } == [0, 0, 0.3, 1, 1, 0, 0])
  }

  @Test("a light is the same after it was written and read")
  func coding() throws {
    for light: Light<Brightness> in [
      .on, .level(0.3), .blink(.seconds(1)), .fade(to: 0.5, over: .seconds(2), on: .linear), .pulse(.seconds(1)),
      .keys([Keyframe(at: .seconds(1), 0.25)], times: nil), Light(.steady(0.5), on: .linear),
    ] {
      let text = try JSONEncoder().encode([light])
      #expect(try JSONDecoder().decode([Light<Brightness>].self, from: text) == [light])
    }
    #expect(
      String(decoding: try JSONEncoder().encode([Light<Brightness>.level(0.5), .off]), as: UTF8.self) == "[0.5,0]")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Light<Brightness>].self, from: Data("[true]".utf8))
    }
  }

  @Test("times beyond the clock's reach never end")
  func endless() {
    let span = Duration.seconds(Int64.max)
    for light: Light<Brightness> in [
      .fade(to: 1, over: span), .blink(on: span, off: span, times: 3), .pulse(rise: span, fall: span, times: .max),
      .keys([Keyframe(at: span, 1)], times: .max), .pulse(rise: .zero, fall: .zero, times: nil),
    ] {
      let state = LightState(light, at: at(5))
      _ = (state.shown(at: .zero), state.shown(at: .distantFuture), state.end)
    }
    #expect(LightState(Light<Brightness>.pulse(rise: span, fall: span, times: .max), at: .zero).end == nil)
  }

  @Test("a light at random never leaves 0 to 1, and changes only before the moment that it names")
  func random() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    func look() -> Brightness { Brightness(Double(Int.random(in: 0...4, using: &random)) / 4) }
    func span() -> Duration { .milliseconds(Int.random(in: 0...5, using: &random) * 100) }
    func times() -> Int32? { Bool.random(using: &random) ? nil : Int32.random(in: 0...3, using: &random) }
    for _ in 0..<2_000 {
      let pattern: Light<Brightness>.Pattern =
        switch Int.random(in: 0...4, using: &random) {
        case 0: .steady(look())
        case 1: .blink(look(), look(), on: span(), off: span(), times: times())
        case 2: .fade(to: look(), over: span())
        case 3: .pulse(look(), rise: span(), fall: span(), times: times())
        default: .keys(Keyframes((0...2).map { Keyframe(at: .milliseconds($0 * 300), look()) }), times: times())
        }
      var state = LightState<Brightness>(.level(0.5), at: .zero)
      state.begin(Light(pattern, on: Bool.random(using: &random) ? .linear : .perceived), at: at(1_000))
      var last: LightState<Brightness>.Shown?
      for milliseconds in stride(from: 1_000, through: 3_000, by: 25) {
        let shown = state.shown(at: at(milliseconds))
        if let before = last, before.until.map({ at(milliseconds) < $0 }) ?? true {
          #expect(shown.until == before.until, "seed \(seed): \(pattern) at \(milliseconds) ms")
          if !before.isChanging { #expect(shown.look == before.look, "seed \(seed): \(pattern) at \(milliseconds) ms") }
        }
        if let end = state.end, at(milliseconds) >= end {
          #expect(!shown.isChanging && shown.until == nil, "seed \(seed): \(pattern) at \(milliseconds) ms")
        }
        last = shown
      }
    }
  }
}
