import CycleCore
import HardwareDrivers
import HardwareSimulation

typealias PWMCase = Case<any PWMStand>

extension Case where Stand == any PWMStand {
  /// For a channel and for a lamp of the kernel.
  private static func common(_ device: String) -> [PWMCase] {
    [
      PWMCase("\(device) shows its wave from the start, changes it, and is off at the end") { stand, findings in
        let connection = try stand.channel.open(showing: PWMWave(0.25, hertz: 1000))
        findings.equal("from the start", try stand.takeShares(), [25])
        findings.expect(stand.openCount > 0, "files are open")
        try connection.show(PWMWave(0.6, hertz: 1000))
        findings.equal("another share", try stand.takeShares(), [60])
        // Each new period is longer or shorter than the time for which the line was high before.
        for (share, hertz) in [(0.1, 50), (1, 1000), (0, 50), (0.5, 20_000), (0.02, 50)] as [(Double, Double)] {
          try connection.show(PWMWave(share, hertz: hertz))
          findings.equal("\(share) at \(hertz) Hz", try stand.takeShares().last, Int(share * 100))
        }
        connection.close()
        findings.expect(try stand.takeShares().last ?? 1 <= 0, "it is off")
        findings.equal("open files at the end", stand.openCount, 0)
      },
      PWMCase("\(device) that another program has, that is not there, or that this user may not use") {
        stand, findings in
        let wave = PWMWave(0, hertz: 1000)
        try expectRefusals(
          of: stand, busy: "cannot open \(stand.subject): busy",
          refused: "cannot open \(stand.subject): permission denied", findings
        ) { _ = try stand.channel.open(showing: wave) }
        expect(error { _ = try stand.absentChannel.open(showing: wave) }, .absent, "cannot open the ", findings)
        findings.equal("open files", stand.openCount, 0)
        try stand.channel.open(showing: wave).close()
        findings.equal("open files at the end", stand.openCount, 0)
      },
      PWMCase("\(device) that goes away 200 times is lost and restored 200 times, and shows the newest model") {
        stand, findings in
        let trial = try Trial(PWMDriver(PWMLED(stand.channel)), showing: .level(0.4), on: stand.bench)
        try stand.pass()
        findings.equal("from the start", try stand.takeShares().last, 40)
        let openCount = stand.openCount
        for round in 1...200 {
          try stand.unplug()
          try stand.pass()
          let share = round.isMultiple(of: 2) ? 0.4 : 0.8
          try trial.show(.level(share))
          try stand.plug()
          try stand.pass()
          findings.equal("round \(round)", try stand.takeShares().last, Int(share * 100))
          findings.equal("open files in round \(round)", stand.openCount, openCount)
        }
        findings.expect(
          trial.events == Array(repeating: ["lost", "restored"], count: 200).flatMap { $0 },
          "\(trial.events.count) troubles: \(trial.events.prefix(8))")
        stand.bench.stop()
        findings.equal("open files at the end", stand.openCount, 0)
      },
    ]
  }

  static let lamps =
    common("a lamp of the kernel") + [
      PWMCase("a trigger of a lamp of the kernel is off while a program has the lamp", needs: [.triggers]) {
        stand, findings in
        guard let stand = stand as? KernelLampStand else { return }
        try stand.setTrigger("timer")
        let connection = try stand.channel.open(showing: PWMWave(0.5, hertz: 1000))
        findings.equal("while it is open", try stand.trigger(), "[none]")
        connection.close()
        findings.equal("at the end", try stand.trigger(), "[timer]")
        try stand.setTrigger("none")
      }
    ]

  static let channels =
    common("a PWM channel") + [
      PWMCase("a PWM channel whose chip fails is failed, and shows the newest wave when the chip works again") {
        stand, findings in
        let trial = try Trial(PWMDriver(PWMLED(stand.channel)), showing: .level(0.4), on: stand.bench)
        try stand.pass()
        try stand.fail(true)
        try trial.show(.level(0.6))
        try stand.pass()
        findings.equal("troubles", trial.events, ["failed"])
        if case .failed(let error)? = trial.troubles.last {
          let text = "\(error)"
          findings.expect(text.hasPrefix("cannot set \(stand.subject): "), text)
        }
        _ = try stand.takeShares()
        try stand.fail(false)
        try trial.show(.level(0.8))
        try stand.pass()
        findings.equal("the newest wave", try stand.takeShares().last, 80)
        stand.bench.stop()
        findings.equal("open files at the end", stand.openCount, 0)
      },
      PWMCase("a PWM channel that a killed program has left running and inverted is taken over", needs: [.leaving]) {
        stand, findings in
        guard let stand = stand as? KernelPWMStand else { return }
        try stand.leave(period: 1_000_000, duty: 300_000, inverted: true)
        let connection = try stand.channel.open(showing: PWMWave(0.1, hertz: 50))
        let last = try KernelPWMStand.states().last
        findings.equal("the wave", last?.wave, PWMWave(0.1, hertz: 50))
        findings.equal("inverted", last?.isInverted, false)
        connection.close()
        findings.expect(try KernelPWMStand.states().last?.wave == nil, "it is off at the end")
        findings.expect(try !stand.isExported, "it is given back")
      },
      PWMCase("a servo moves by pulses that are right within 5 µs on a line of the kernel's pwm-gpio", needs: [.pulses])
      {
        stand, findings in
        guard let stand = stand as? KernelPWMStand else { return }
        let pulses = try KernelPulses()
        let servo = Servo(pulses.channel, settings: .init(angles: 0...90, speed: 60))
        let trial = try Trial(PWMDriver(servo), showing: .angle(0), on: stand.bench)
        func expect(_ angle: String, _ wanted: Int) throws {
          try pulses.forget()
          try stand.pass(500)
          let widths = try pulses.widths()
          findings.expect(widths.count >= 24, "\(widths.count) pulses in half a second at \(angle)")
          findings.expect(
            widths.allSatisfy { abs($0 - wanted) <= 5 },
            "pulses at \(angle) are \(wanted) µs: \(widths.min() ?? 0) to \(widths.max() ?? 0)")
        }
        try stand.pass(100)
        try expect("0°", 1000)
        try trial.show(.angle(90))
        try stand.pass(100)
        let moving = try pulses.widths()
        findings.expect(moving.contains { (1020...1100).contains($0) }, "it moves: \(moving)")
        try stand.pass(1600)
        try expect("90°", 2000)
        findings.expect(trial.events.contains("arrived"), "it has arrived: \(trial.events)")
        try trial.show(.angle(45))
        try stand.pass(900)
        try expect("45°", 1500)
        stand.bench.stop()
        try pulses.forget()
        try stand.pass(100)
        findings.equal("pulses after the end", try pulses.widths().count, 0)
      },
    ]
}
