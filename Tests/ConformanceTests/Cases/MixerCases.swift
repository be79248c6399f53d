import CycleCore
import HardwareDrivers

typealias MixerCase = Case<any MixerStand>

extension Case where Stand == any MixerStand {
  /// Volumes in percent, as the hardware's steps allow: one percent more or less.
  private static func isNear(_ volume: Double?, _ percent: Int) -> Bool {
    volume.map { abs($0 * 100 - Double(percent)) <= 1.5 } ?? false
  }

  private static func changes(_ trial: Trial<Mixer>) -> [MixerLevel] {
    trial.rawEvents.compactMap { if case .changed(let level) = $0 { level } else { nil } }
  }

  static let all = [
    MixerCase("the volume is the model's from the start, and what the model leaves alone is told") { stand, findings in
      try stand.turn(to: 70, isMuted: false)
      let trial = try Trial(Mixer(stand.mixer), showing: .init(), on: stand.bench)
      try stand.pass()
      findings.equal("changes told", changes(trial).count, 1)
      findings.expect(isNear(changes(trial).first?.volume, 70), "70 % are told: \(changes(trial))")
      try trial.show(.init(volume: 0.4))
      try stand.pass()
      findings.expect(isNear(Double(try stand.seen()) / 100, 40), "40 % are seen: \(try stand.seen())")
      findings.equal("changes told of the program's own", changes(trial).count, 1)
    },
    MixerCase("a volume that somebody else turns is told, once") { stand, findings in
      let trial = try Trial(Mixer(stand.mixer), showing: .init(volume: 0.5, isMuted: false), on: stand.bench)
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
    MixerCase("a card that goes away and comes back has the model's volume again") { stand, findings in
      let trial = try Trial(Mixer(stand.mixer), showing: .init(volume: 0.5, isMuted: false), on: stand.bench)
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
}
