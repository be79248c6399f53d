import CycleCore
import HardwareDrivers
import HardwareSimulation

/// Parts that speak a protocol on their lines.
extension Case where Stand == any LineStand {
  static let parts = [
    LineCase("a lamp behind a shift register goes with the chip that the register is wired to, and comes back with it")
    {
      stand, findings in
      let register = ShiftRegisterChip(
        ShiftRegister(
          stand.chip, data: stand.name(21), clock: stand.name(22), latch: stand.name(23), outputEnable: stand.name(24)))
      let trial = try Trial(LED(register, line: "Q0"), showing: .on, on: stand.bench)
      // The row ends with a latch, and with /OE low. Q0 is the last bit of the row, but the data line rests low.
      let rest: [Level] = [.low, .low, .high, .low]
      findings.equal("levels", try (21...24).map { try stand.level($0) }, rest)
      try stand.unplug()
      try stand.pass(50)
      findings.equal("events", trial.events, ["lost"])
      try stand.plug()
      try stand.pass(200)
      findings.equal("events", trial.events, ["lost", "restored"])
      findings.equal("levels", try (21...24).map { try stand.level($0) }, rest)
      stand.bench.stop()
      findings.expect(stand.areFree([21, 22, 23, 24]), "the lines are free")
    },
    LineCase("a distance is told by the kernel's time stamps, however late they are read") { stand, findings in
      try stand.drive(26, .low)
      let sensor = DistanceSensor(
        stand.chip, trigger: stand.name(25), echo: stand.name(26), settings: .init(interval: .seconds(10)))
      let trial = try Trial(sensor, showing: .measuring, on: stand.bench)
      var windows: [ClosedRange<Moment>] = []
      let start = stand.bench.now
      for (offset, level) in [(5, Level.high), (15, .low)] {
        stand.bench.plan(at: start + .milliseconds(offset)) {
          // The clock's moments: the bench's is the one that this was planned for, however late it is done.
          let before = stand.bench.loop.now
          try? stand.drive(26, level)
          windows.append(before...stand.bench.loop.now)
        }
      }
      try stand.bench.stall(for: .milliseconds(300))
      try stand.pass(10)
      let shortest = windows[1].lowerBound - windows[0].upperBound
      let longest = windows[1].upperBound - windows[0].lowerBound
      // A machine that was stopped between the two has made a longer echo.
      if longest > .milliseconds(23) { return }
      guard case .distance(let millimetres) = trial.rawEvents.first, trial.events.count == 1 else {
        return findings.note("expected one distance, found \(trial.events)")
      }
      // Half of what sound travels meanwhile, in mm.
      let ends = [shortest, longest].map { $0 / .milliseconds(1) * 171.6 }
      findings.expect(
        Double(millimetres) >= ends[0] - 1 && Double(millimetres) <= ends[1] + 1, "\(millimetres) mm are within \(ends)"
      )
    },
  ]
}
