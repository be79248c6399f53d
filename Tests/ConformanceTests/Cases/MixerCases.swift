import CycleCore
import HardwareDrivers
import HardwareSimulation

typealias MixerCase = Case<any MixerStand>

extension Case where Stand == any MixerStand {
  /// Volumes in percent, as the hardware's steps allow: one percent more or less.
  private static func isNear(_ volume: Double?, _ percent: Int) -> Bool {
    volume.map { abs($0 * 100 - Double(percent)) <= 1.5 } ?? false
  }

  private static func changes(_ trial: Trial<CardVolume>) -> [MixerLevel] {
    trial.rawEvents.compactMap { if case .changed(let level) = $0 { level } else { nil } }
  }

  static let all = [
    MixerCase("the volume is the model's from the start, and what the model leaves alone is told") { stand, findings in
      try stand.turn(to: 70, isMuted: false)
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(), on: stand.bench)
      try stand.pass()
      findings.equal("changes told", changes(trial).count, 1)
      findings.expect(isNear(changes(trial).first?.volume, 70), "70 % are told: \(changes(trial))")
      try trial.show(.init(volume: 0.4))
      try stand.pass()
      findings.expect(isNear(Double(try stand.seen()) / 100, 40), "40 % are seen: \(try stand.seen())")
      findings.equal("changes told of the program's own", changes(trial).count, 1)
    },
    MixerCase("a volume that somebody else turns is told, once") { stand, findings in
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(volume: 0.5, isMuted: false), on: stand.bench)
      try stand.pass()
      findings.equal("changes told at the start", changes(trial).count, 0)
      findings.expect(isNear(Double(try stand.seen()) / 100, 50), "50 % are seen: \(try stand.seen())")
      try stand.turn(to: 80, isMuted: false)
      try stand.pass()
      findings.equal("changes told", changes(trial).count, 1)
      findings.expect(isNear(changes(trial).last?.volume, 80), "80 % are told: \(changes(trial))")
      guard stand.hasSwitch else { return }
      try stand.turn(to: 80, isMuted: true)
      try stand.pass()
      findings.equal("changes told", changes(trial).count, 2)
      findings.equal("muted", changes(trial).last?.isMuted, true)
    },
    MixerCase("a volume that somebody else sets to what it is already is not told") { stand, findings in
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(volume: 0.5, isMuted: false), on: stand.bench)
      for percent in [80, 80, 30, 30] {
        try stand.turn(to: percent, isMuted: false)
        try stand.pass()
      }
      findings.equal("changes told", changes(trial).count, 2)
    },
    MixerCase("each percent of the volume is set and seen, and beyond the ends the nearer end") { stand, findings in
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(volume: 0), on: stand.bench)
      var wrong: [String] = []
      for percent in Array(0...100) + [170, -30] {
        try trial.show(.init(volume: Double(percent) / 100))
        try stand.pass()
        let seen = try stand.seen()
        if !isNear(Double(seen) / 100, min(100, max(0, percent))) { wrong.append("\(percent) % is seen as \(seen) %") }
      }
      findings.equal("wrong steps", wrong, [])
      findings.equal("troubles", trial.troubles.count, 0)
    },
    MixerCase("the left side counts where both differ, and the model's volume makes them alike", needs: [.sides]) {
      stand, findings in
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(), on: stand.bench)
      try stand.turn(left: 30, right: 70)
      try stand.pass()
      findings.expect(isNear(changes(trial).last?.volume, 30), "30 % are told: \(changes(trial))")
      try trial.show(.init(volume: 0.6))
      try stand.pass()
      findings.expect(isNear(Double(try stand.seen()) / 100, 60), "60 % are seen: \(try stand.seen())")
      try stand.turn(left: 60, right: 60)
      try stand.pass()
      findings.equal("changes told", changes(trial).count, 2)
    },
    MixerCase("a mixer that can't be muted says so, and its volume is set all the same", needs: [.noSwitch]) {
      stand, findings in
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(volume: 0.5), on: stand.bench)
      try trial.show(.init(volume: 0.3, isMuted: true))
      try stand.pass()
      findings.equal("troubles", trial.events.filter { !$0.hasPrefix("changed") }, ["failed"])
      if case .failed(let error)? = trial.troubles.last { findings.equal("kind", error.kind, .unsupported) }
      findings.expect(isNear(Double(try stand.seen()) / 100, 30), "30 % are seen: \(try stand.seen())")
      try trial.show(.init(volume: 0.3, isMuted: false))
      try stand.pass()
      findings.equal("troubles", trial.events.filter { !$0.hasPrefix("changed") }, ["failed", "restored"])
    },
    MixerCase("a card that goes away and comes back has the model's volume again") { stand, findings in
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(volume: 0.5, isMuted: false), on: stand.bench)
      try stand.unplug()
      try stand.pass()
      findings.equal("events", trial.events, ["lost"])
      try trial.show(.init(volume: 0.3, isMuted: false))
      try stand.plug()
      try stand.pass()
      findings.equal("events", trial.events, ["lost", "restored"])
      findings.expect(isNear(Double(try stand.seen()) / 100, 30), "30 % are seen: \(try stand.seen())")
    },
  ]

  /// What none of the kernel's test cards does.
  static let ofOtherCards = [
    MixerCase("a mixer that takes no orders is told as that, not as gone, and is set when it takes them again") {
      stand, findings in
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(volume: 0.5, isMuted: false), on: stand.bench)
      try stand.lock(true)
      try trial.show(.init(volume: 0.3, isMuted: false))
      try stand.pass()
      findings.equal("events", trial.events, ["failed"])
      if case .failed(let error)? = trial.troubles.last {
        findings.equal("kind", error.kind, .notPermitted)
        let text = "\(error)"
        findings.expect(
          text.hasPrefix("cannot set the mixer of the sound card")
            && text.contains(": its volume can only be read (EPERM)."),
          text)
      }
      findings.expect(isNear(Double(try stand.seen()) / 100, 50), "50 % are seen: \(try stand.seen())")
      try stand.lock(false)
      // It is tried again after 1 s.
      try stand.bench.advance(by: .milliseconds(1500))
      findings.equal("events", trial.events, ["failed", "restored"])
      findings.expect(isNear(Double(try stand.seen()) / 100, 30), "30 % are seen: \(try stand.seen())")
    },
    MixerCase("a card that takes its volume back and stays is lost until it has one again", needs: [.stripping]) {
      stand, findings in
      let trial = try Trial(CardVolume(stand.mixer), showing: .init(volume: 0.5, isMuted: false), on: stand.bench)
      try stand.strip(true)
      try stand.pass()
      findings.equal("events", trial.events, ["lost"])
      try trial.show(.init(volume: 0.3, isMuted: false))
      try stand.strip(false)
      try stand.pass()
      findings.equal("events", trial.events, ["lost", "restored"])
      findings.expect(isNear(Double(try stand.seen()) / 100, 30), "30 % are seen: \(try stand.seen())")
    },
  ]
}
