import CycleCore
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import PanelLanguage
@testable import PanelRun

/// The samples of a panel's sounds on a simulated card.
@Suite("Loudness, sides and tracks of a panel's sounds")
struct LoudnessTests {
  /// Runs a panel with these sections, and returns the samples of the last half second of each step.
  private func peaks(_ sections: String, after steps: [String]) throws -> [[Int]] {
    let text = """
      panel: P
      inputs: { up: { button: GPIO17 }, down: { button: GPIO27 }, next: { button: GPIO22 } }
      values: { level: { initial: 5, min: 0, max: 10 } }
      on: { up.pressed: { set: { level: +1 } }, down.pressed: { set: { level: -1 } } }
      \(sections)

      """
    let session = try PanelSession(PanelFile.read(Array(text.utf8), file: "p"), on: Platform(.simulated))
    let card = try #require(session.card)
    card.keepsEverySample = true
    try session.start()
    var peaks: [[Int]] = []
    for step in ["wait 1s"] + steps.map({ "\($0); wait 2s" }) {
      _ = try take(step, session)
      let last = card.samples.suffix(48_000)
      peaks.append(
        [0, 1].map { side in
          last.enumerated().filter { $0.offset % 2 == side }.map { Int($0.element.magnitude) }.max() ?? 0
        })
    }
    session.stop()
    return peaks
  }

  private func take(_ line: String, _ session: PanelSession) throws -> [String] {
    try line.split(separator: ";").flatMap { part in
      try StepLineReader.read(String(part), line: 1, file: "-", names: Names(session.panel)).map {
        try session.perform($0.step)
      } ?? []
    }
  }

  private func tone(_ settings: String) -> String {
    "sounds: { hum: { tone: 1kHz, \(settings) } }\ninitial: on\nstates: { on: { play: [ hum ] } }"
  }

  @Test(
    "9.9: a volume is loudness, whose cube is the factor; decibels are exact",
    arguments: [
      ("volume: 1", 32_440), ("volume: 0.5", 4_096), ("volume: 0.2", 262), ("volume: -6dB", 16_422),
      ("volume: -60dB", 33),
    ])
  func loudness(settings: String, peak: Int) throws {
    let peaks = try peaks(tone(settings), after: [])
    #expect(abs(peaks[0][0] - peak) <= 1 && peaks[0][0] == peaks[0][1], "\(peaks)")
  }

  @Test("a value sets the loudness over its range, or over a range of decibels")
  func values() throws {
    let five = try peaks(
      tone("volume: level"),
      after: ["click up", "click down; click down; click down; click down; click down; click down"])
    #expect(zip(five.map { $0[0] }, [4_096, 7_078, 0]).allSatisfy { abs($0 - $1) <= 1 }, "\(five)")
    let decibels = try peaks(tone("volume: { value: level, from: -40dB, to: -20dB }"), after: ["click up"])
    #expect(zip(decibels.map { $0[0] }, [1_036, 1_305]).allSatisfy { abs($0 - $1) <= 1 }, "\(decibels)")
    let card = try peaks("audio: { volume: level }\n" + tone("volume: 0.5"), after: ["click up"])
    #expect(zip(card.map { $0[0] }, [512, 885]).allSatisfy { abs($0 - $1) <= 1 }, "\(card)")
  }

  @Test("a value moves a sound from one side to the other")
  func pan() throws {
    let moved = try peaks(tone("volume: -6dB, pan: level"), after: ["click up", "click down; click down"])
    #expect(
      zip(moved.flatMap(\.self), [16_422, 16_422, 13_138, 16_422, 16_422, 13_138]).allSatisfy { abs($0 - $1) <= 1 },
      "\(moved)")
    let fixed = try peaks(tone("volume: -6dB, pan: -0.5"), after: [])
    #expect(zip(fixed[0], [16_422, 8_211]).allSatisfy { abs($0 - $1) <= 1 }, "\(fixed)")
  }

  @Test("a sound of one track lowers those of another, and the volume of a track counts for all of its sounds")
  func tracks() throws {
    let sections = """
      tracks: { music: { volume: -6dB }, speech: { ducks: { music: -12dB } } }
      sounds: { hum: { tone: 1kHz, track: music }, voice: { tone: 1kHz, volume: 0, track: speech } }
      initial: quiet
      states:
        quiet: { play: [ hum ], on: { next.pressed: spoken } }
        spoken: { play: [ hum, voice ], on: { next.pressed: quiet } }
      """
    let peaks = try peaks(sections, after: ["click next", "click next"])
    #expect(zip(peaks.map { $0[0] }, [16_422, 4_125, 16_422]).allSatisfy { abs($0 - $1) <= 2 }, "\(peaks)")
  }

  @Test("a sound fades in and out, as it says itself or as its track does")
  func fades() throws {
    for (tracks, settings) in [
      ("", "volume: -6dB, fade-in: 4s, fade-out: 4s"),
      ("tracks: { slow: { fade: 4s } }\n", "volume: -6dB, track: slow"),
    ] {
      let sections = """
        \(tracks)sounds: { hum: { tone: 1kHz, \(settings) } }
        initial: off
        states:
          off: { on: { next.pressed: on } }
          on: { play: [ hum ], on: { next.pressed: off } }
        """
      let peaks = try peaks(sections, after: ["click next", "wait 3s", "click next", "wait 3s"]).map { $0[0] }
      // A click takes some time. After 2 s of 4 the sine is 0.707, and so is the cosine.
      #expect(peaks[0] == 0 && (11_400...12_200).contains(peaks[1]) && (16_421...16_423).contains(peaks[2]), "\(peaks)")
      #expect((11_600...13_500).contains(peaks[3]) && peaks[4] == 0, "\(peaks)")
    }
  }

  @Test("a state gives a sound settings of its own")
  func settings() throws {
    let sections = """
      sounds: { hum: { tone: 1kHz, volume: -6dB }, notes: { tones: [1kHz, 2kHz], volume: -20dB } }
      initial: full
      states:
        full: { play: [ hum ], on: { next.pressed: low } }
        low: { play: [ { hum: { volume: -26dB, pan: 1, fade-in: 4s } } ], on: { next.pressed: group } }
        group: { play: [ { notes(2): { volume: -40dB } } ], on: { next.pressed: full } }
      """
    let peaks = try peaks(sections, after: ["click next", "wait 3s", "click next", "click next"])
    #expect(abs(peaks[0][0] - 16_422) <= 1 && peaks[0][0] == peaks[0][1])
    // After 2 s of 4 the sine is 0.707.
    #expect(peaks[1][0] == 0 && (1_140...1_220).contains(peaks[1][1]), "\(peaks)")
    #expect(peaks[2][0] == 0 && abs(peaks[2][1] - 1_642) <= 1, "\(peaks)")
    #expect(abs(peaks[3][0] - 328) <= 1 && peaks[4] == peaks[0], "\(peaks)")
  }

  @Test("the volume of a scenario is loudness, whatever the file says")
  func expected() throws {
    for (volume, loudness) in [("0.5", "0.5"), ("-18.0618dB", "0.5"), ("level", "0.3")] {
      let text = """
        panel: P
        sounds: { hum: { tone: 1kHz } }
        values: { level: { initial: 3, min: 0, max: 10 } }
        audio: { volume: \(volume) }
        initial: on
        states: { on: { play: [ hum ] } }

        """
      let session = try PanelSession(PanelFile.read(Array(text.utf8), file: "p"), on: Platform(.simulated))
      try session.start()
      #expect(try take("expect audio.volume=\(loudness)", session) == [])
      session.stop()
    }
  }
}
