import CycleCore
import HardwareDrivers
import HardwareSimulation

typealias SPICase = Case<any SPIStand>

extension Case where Stand == any SPIStand {
  static let all = [
    SPICase("an SPI transfer sends and receives, at the frequency and in the mode of the device") { stand, findings in
      let clock = WorkClock(at: stand.bench.now)
      let device = try stand.bus.open(0, SPISettings(hertz: 1_000_000, mode: 3))
      findings.equal("open devices", stand.openCount, 1)
      findings.equal("an exchange", try device.exchange([0x01, 0x80, 0x00], on: clock), [0xB0, 0x1C, 0x00])
      findings.equal("its transfer", try stand.takeTransfers(), ["1000000 018000"])
      if let mode = try stand.lastMode { findings.equal("the mode", mode, 3) }
      findings.equal("a reading after a byte", try device.read(2, after: [0x9F], on: clock), [0x1C, 0x00])
      findings.equal("its transfer", try stand.takeTransfers(), ["1000000 9f0000"])
      device.close()
      let slow = try stand.bus.open(0, SPISettings(hertz: 125_000))
      try slow.write([0xAA], on: clock)
      findings.equal("at another frequency", try stand.takeTransfers(), ["125000 aa"])
      if let mode = try stand.lastMode { findings.equal("the mode", mode, 0) }
      slow.close()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    SPICase("an SPI device that another program has, that is not there, or that this user may not open") {
      stand, findings in
      let settings = SPISettings(hertz: 1_000_000)
      let first = try stand.bus.open(0, settings)
      expect(
        error { _ = try stand.bus.open(0, settings) }, .busy,
        "cannot open \(stand.busName).0: another program uses it", findings)
      try stand.bus.open(1, settings).close()
      first.close()
      expect(
        error { _ = try stand.absentBus.open(0, settings) }, .absent,
        "cannot open spidev99.0: there is no such device", findings)
      try stand.permit(false)
      let refused = error { _ = try stand.bus.open(0, settings) }
      try stand.permit(true)
      expect(refused, .notPermitted, "cannot open \(stand.busName).0: permission denied", findings)
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    SPICase("an SPI bus that fails, and one that goes away and comes back") { stand, findings in
      let clock = WorkClock(at: stand.bench.now)
      let settings = SPISettings(hertz: 1_000_000)
      let device = try stand.bus.open(0, settings)
      try stand.fail(true)
      let failed = error { try device.write([1], on: clock) }
      try stand.fail(false)
      findings.equal("kind", failed?.kind, .failed)
      try device.write([2], on: clock)
      findings.equal("after the failure", try stand.takeTransfers().last, "1000000 02")
      try stand.unplug()
      expect(
        error { try device.write([3], on: clock) }, .lost,
        "cannot transfer bytes on \(stand.busName).0: the bus is gone", findings)
      device.close()
      expect(
        error { _ = try stand.bus.open(0, settings) }, .absent,
        "cannot open \(stand.busName).0: there is no such device", findings)
      try stand.plug()
      try stand.pass()
      let again = try stand.bus.open(0, settings)
      try again.write([4], on: clock)
      findings.equal("after the return", try stand.takeTransfers(), ["1000000 04"])
      again.close()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    SPICase("a strip on an SPI bus shows its model, and is dark at the end") { stand, findings in
      let trial = try Trial(strip(of: stand), showing: fill("red"), on: stand.bench)
      try stand.pass(50)
      findings.equal("the first model", try stand.strip.pixels, all("red"))
      try trial.show(PixelLight(.bar(share: 0.5, of: colour("green"))))
      try stand.pass(50)
      findings.equal(
        "a bar", try stand.strip.pixels,
        (0..<SPIAnswer.pixelCount).map { $0 < SPIAnswer.pixelCount / 2 ? colour("green") : .dark })
      stand.bench.stop()
      findings.equal("at the end", try stand.strip.pixels, Array(repeating: .dark, count: SPIAnswer.pixelCount))
      findings.equal("faults", try stand.strip.faults, [])
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    SPICase("a strip whose SPI bus goes away 200 times is lost and restored 200 times, and shows the newest model") {
      stand, findings in
      let trial = try Trial(strip(of: stand), showing: fill("red"), on: stand.bench)
      try stand.pass(50)
      for round in 1...200 {
        try stand.unplug()
        // A strip sends nothing while it rests.
        try trial.show(fill("blue"))
        try stand.pass(20)
        let name = round.isMultiple(of: 2) ? "red" : "green"
        try trial.show(fill(name))
        try stand.plug()
        try stand.pass(40)
        findings.equal("round \(round)", try stand.strip.pixels, all(name))
        findings.equal("open devices in round \(round)", stand.openCount, 1)
      }
      findings.expect(
        trial.events == Array(repeating: ["lost", "restored"], count: 200).flatMap { $0 },
        "\(trial.events.count) troubles: \(trial.events.prefix(8))")
      stand.bench.stop()
      findings.equal("faults", try stand.strip.faults, [])
      findings.equal("open devices at the end", stand.openCount, 0)
    },
  ]

  private static func strip(of stand: any SPIStand) -> LEDStrip {
    LEDStrip(stand.bus, chipSelect: 1, .ws2812, count: SPIAnswer.pixelCount)
  }

  private static func colour(_ name: String) -> Colour { Colour(name)! }
  private static func fill(_ name: String) -> PixelLight { PixelLight(.fill(.steady(colour(name)))) }
  private static func all(_ name: String) -> [Colour] {
    Array(repeating: colour(name), count: SPIAnswer.pixelCount)
  }
}
