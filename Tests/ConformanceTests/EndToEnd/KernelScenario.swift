import CycleCore
import TestSupport

@testable import HardwareDrivers
@testable import HardwarePlatform
@testable import HardwareSimulation
@testable import PanelLanguage
@testable import PanelRun

/// A scenario taken through in front of a panel that runs: its steps move contacts, and what it expects of lamps and
/// sounds is looked up afterwards in what was traced and recorded.
struct KernelScenario {
  private let stand: KernelPanel
  private let scenario: Scenario

  private struct Expected {
    let expectations: [Expectation]
    let moment: Moment
    /// When somebody does the next thing.
    let end: Moment
  }

  /// How late the lamp or the sound may be.
  private static let tolerance = Duration.milliseconds(250)
  /// As long as it takes to see a lamp blink.
  private static let glance = Duration.milliseconds(1200)

  /// - Parameters: the files, from the checkout's root.
  init(_ file: String, of panel: String) throws {
    stand = try KernelPanel(panel)
    scenario = try ScenarioFile.read(path: "\(checkoutRoot)/\(file)", for: stand.panel)
  }

  /// Runs the panel through the scenario: what was not as expected.
  func run() throws -> [String] {
    defer { try? stand.close() }
    let recorder = try Recorder(channelCount: 2)
    let recordingBegan = KernelPanel.now
    try stand.start()
    let expected = try performAll()
    KernelPanel.sleep(Self.glance)
    guard let result = stand.end() else { throw StandFailure("panel run isn't there") }
    guard result.status == 0 else { return ["panel run ended with \(result.status):\n\(result.errors)"] }
    let heard = SoundStretch.all(in: try recorder.stop().left(channelCount: 2))
    let history = try stand.history()
    var failures: [String] = []
    for expected in expected {
      for expectation in expected.expectations {
        switch expectation {
        case .output(let output, let look):
          if !isSeen(look, in: history[output], expected) {
            failures.append("\(stand.panel.outputs[output].name) is not \(look) after \(expected.moment)")
          }
        case .playing(let sounds):
          let start = sampleFrames(expected.moment - recordingBegan)
          // A sound may begin late, and then it ends late.
          let late = start + sampleFrames(Self.tolerance)
          let isHeard = heard.contains {
            $0.start <= (sounds.isEmpty ? start : late) && $0.end > (sounds.isEmpty ? late : start)
          }
          if isHeard == sounds.isEmpty {
            failures.append(
              "at sample \(start) \(sounds.isEmpty ? "something" : "nothing") is heard: \(heard.map { ($0.start, $0.end) })"
            )
          }
        // They are inside the panel. What they do is seen and heard.
        case .value, .elements, .reading, .state, .position, .presence, .condition, .ended, .sent, .power: break
        case .appearance, .volume: failures.append("this can't be expected here: \(expectation)")
        }
      }
    }
    failures += try differences(of: heard)
    if !failures.isEmpty { failures.append("panel run says:\n\(result.errors)") }
    return failures
  }

  private func sampleFrames(_ span: Duration) -> Int { Int(span.wholeNanoseconds / 1000) * 48 / 1000 }

  private func performAll() throws -> [Expected] {
    var pending: [([Expectation], Moment)] = []
    var expected: [Expected] = []
    var bounces: [Int: Duration] = [:]
    func somethingHappens() {
      expected += pending.map { Expected(expectations: $0.0, moment: $0.1, end: KernelPanel.now) }
      pending = []
    }
    func move(_ input: Int, _ isClosed: Bool) throws {
      somethingHappens()
      try stand.move(input, toClosed: isClosed, bounce: bounces[input] ?? .zero)
    }
    for placed in scenario.cases[0].steps {
      switch placed.step {
      case .press(let inputs): for input in inputs { try move(input, true) }
      case .release(let inputs): for input in inputs { try move(input, false) }
      case .switch(let input, let isOn): try move(input, isOn)
      case .click(let inputs):
        for input in inputs {
          try move(input, true)
          KernelPanel.sleep(.milliseconds(50))
          try move(input, false)
        }
      case .hold(let input, let span):
        try move(input, true)
        KernelPanel.sleep(span)
        try move(input, false)
      case .wait(.span(let span)):
        somethingHappens()
        KernelPanel.sleep(span)
      case .bounce(let input, let span): bounces[input] = span
      case .expect(let expectations): pending.append((expectations, KernelPanel.now))
      case .show, .seed: break
      case .turn, .plug, .unplug, .sense, .event, .plugSensor, .unplugSensor, .plugPort, .unplugPort, .draw, .wait,
        .nothing,
        .heard, .busy, .idle, .jam, .free, .stutter, .powerCut, .restart, .remote, .reload, .clock:
        throw StandFailure("this step can't be taken here: \(placed.step)")
      }
    }
    somethingHappens()
    return expected
  }

  /// At once, or as late as may be.
  private func isSeen(_ look: ObservedOutput, in history: OutputHistory, _ expected: Expected) -> Bool {
    [min(expected.moment + Self.tolerance, expected.end), expected.moment + Self.tolerance].contains { settled in
      let count = history.activeCount(at: settled)
      let isSteady = history.changeCount(from: settled, to: expected.end) == 0
      let changes = history.changeCount(from: expected.moment, to: expected.moment + Self.glance)
      return switch look {
      case .off: count == 0 && isSteady
      case .on: count == history.lines.count && isSteady
      case .count(let wanted): count == wanted && isSteady
      case .blinking: changes >= 2
      case .pulsing, .level: changes >= 20
      // The panels of the lab have no display, and no kind from outside.
      case .rows, .word: false
      }
    }
  }

  /// The same scenario in the simulation has to sound the same: clips to the sample, tones as long as they last there.
  private func differences(of heard: [SoundStretch]) throws -> [String] {
    let session = try PanelSession(stand.panel, on: Platform(.simulated))
    session.card?.keepsEverySample = true
    try session.start()
    for placed in scenario.cases[0].steps { _ = try session.perform(placed.step) }
    guard let card = session.card else { throw StandFailure("no card") }
    session.stop()
    let simulated = SoundStretch.all(in: card.samples.left(channelCount: 2))
    guard simulated.count == heard.count else {
      return ["\(heard.count) sounds are heard, in the simulation \(simulated.count)"]
    }
    let clips = try PanelSound.loaded(
      PanelSound.all(stand.panel.sounds), atHertz: PCMPreferences().sampleRateHertz
    ).compactMap(\.clip).compactMap { clip in
      SoundStretch.all(in: Array(clip.samples).left(channelCount: clip.channelCount)).first?.samples.count
    }
    return zip(simulated, heard).enumerated().compactMap { number, stretches in
      let (simulated, heard) = stretches
      if clips.contains(simulated.samples.count) {
        return simulated.samples == heard.samples ? nil : "sound \(number) is not the same to the sample"
      }
      return abs(simulated.samples.count - heard.samples.count) < sampleFrames(Self.tolerance)
        ? nil : "sound \(number) has \(heard.samples.count) samples, in the simulation \(simulated.samples.count)"
    }
  }
}
