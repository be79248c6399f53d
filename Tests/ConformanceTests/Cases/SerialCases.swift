import CycleCore
import HardwareDrivers
import HardwareSimulation

typealias SerialCase = Case<any SerialStand>

extension Case where Stand == any SerialStand {
  static let all = [
    SerialCase("every byte passes a serial line unchanged, in both directions") { stand, findings in
      let connection = try stand.line.open(SerialSettings())
      findings.equal("open connections", stand.openCount, 1)
      let bytes = (0...255).map { UInt8($0) }
      try stand.send(bytes)
      try stand.pass()
      var read: [UInt8] = []
      for _ in 0..<300 where read.count < bytes.count { read += try connection.read(64) }
      findings.equal("read", read, bytes)
      findings.equal("more", try connection.read(64), [])
      findings.equal("taken", try connection.write(bytes), 256)
      try stand.pass()
      findings.equal("written", try stand.takeReceived(), bytes)
      connection.close()
      findings.equal("open connections at the end", stand.openCount, 0)
    },
    SerialCase("a serial line that is open, that is not there, or that this user may not open") { stand, findings in
      let first = try stand.line.open(SerialSettings())
      expect(
        error { _ = try stand.line.open(SerialSettings()) }, .busy,
        "cannot open \(stand.line.name): another program uses it", findings)
      first.close()
      expect(
        error { _ = try stand.absentLine.open(SerialSettings()) }, .absent,
        "cannot open /dev/ttyUSB250: there is no such device", findings)
      try stand.permit(false)
      let refused = error { _ = try stand.line.open(SerialSettings()) }
      try stand.permit(true)
      expect(refused, .notPermitted, "cannot open \(stand.line.name): permission denied", findings)
      findings.equal("open connections", stand.openCount, 0)
      try stand.line.open(SerialSettings(baud: 115_200)).close()
      findings.equal("open connections at the end", stand.openCount, 0)
    },
    SerialCase("a serial line that is pulled out 200 times is lost and restored 200 times, and reads again") {
      stand, findings in
      let settings = TextSensor.Settings(try TextPattern("t={t}"), decimals: 0, silent: nil)
      let trial = try Trial(TextSensor(stand.line, settings), on: stand.bench)
      var expected: [String] = []
      for round in 1...200 {
        try stand.send(Array("t=\(round)\r\n".utf8))
        expected.append("reading(\(round).0)")
        try stand.pass { trial.events.count >= expected.count }
        try stand.unplug()
        expected.append("lost")
        try stand.pass { trial.events.count >= expected.count }
        findings.equal("open connections in round \(round)", stand.openCount, 0)
        try stand.plug()
        // The pauses grow for a line that is lost again and again, but its return is announced.
        expected.append("restored")
        try stand.pass { trial.events.count >= expected.count }
      }
      findings.expect(trial.events == expected, "\(trial.events.count) events: \(trial.events.prefix(9))")
      stand.bench.stop()
      findings.equal("open connections at the end", stand.openCount, 0)
    },
    SerialCase("a request to a serial device is answered in the step of a worker, or runs out of time") {
      stand, findings in
      let clock = stand.bench.loop.isVirtual ? WorkClock(at: stand.bench.now) : .monotonic()
      let device = SerialDevice(stand.line, SerialSettings())
      try device.write([1, 2, 3], on: clock)
      try stand.send([0x42, 5, 6])
      let frame = SerialFrame(start: [0x42], length: 3)
      findings.equal("the answer", try device.receive(frame, within: .seconds(2), on: clock), [0x42, 5, 6])
      let silent = error { _ = try device.receive(frame, within: .milliseconds(50), on: clock) }
      expect(silent, .lost, "cannot read \(stand.line.name): nothing has arrived within 0.05 s", findings)
      findings.equal("open connections after an error of the device", stand.openCount, 1)
      device.close()
      findings.equal("open connections at the end", stand.openCount, 0)
    },
  ]
}
