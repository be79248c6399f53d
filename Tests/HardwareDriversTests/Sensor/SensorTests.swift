import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Sensor")
struct SensorTests {
  @Test("a number is told at once, and again when it has changed by the resolution since it was told")
  func resolution() throws {
    let stand = SensorStand(value: 20)
    try stand.trial.start()
    for number in [20.05, 20.09, 20.1, 20.19, 20.2, 20.2, 19.9] {
      stand.source.set(number)
      try stand.advance(1000)
    }
    #expect(stand.told == ["20.0@0", "20.1@3000", "20.2@5000", "19.9@7000"])
    #expect(stand.source.readCount == 8)
    stand.stop()
  }

  @Test("without decimals whole numbers count, with nine the smallest change of a small number does")
  func decimals() throws {
    for (decimals, told) in [
      (0, ["0.0@0", "1.0@2000"]), (9, ["0.0@0", "0.999999999@1000", "1.0@2000", "1.000000001@3000"]),
    ] {
      let stand = SensorStand(decimals: decimals, value: 0)
      try stand.trial.start()
      for number in [0.999_999_999, 1, 1.000_000_001] {
        stand.source.set(number)
        try stand.advance(1000)
      }
      #expect(stand.told == told)
      stand.stop()
    }
  }

  @Test("a number that stays the same is told once, also where its own rounding is coarser than the resolution")
  func large() throws {
    let stand = SensorStand(decimals: 9, value: 1e17)
    try stand.trial.start()
    try stand.advance(10_000)
    #expect(stand.told == ["1e+17@0"])
    stand.stop()
  }

  @Test("a number has the moment at which its reading ended, and a slow source is read one time after the other")
  func slow() throws {
    let stand = SensorStand(.every(.milliseconds(100)), duration: .milliseconds(750))
    try stand.trial.start()
    try stand.advance(1000)
    stand.source.set(21)
    try stand.advance(1000)
    #expect(stand.told == ["20.0@750"])
    try stand.advance(1000)
    #expect(stand.told == ["20.0@750", "21.0@2250"])
    #expect(stand.source.readCount == 5)
    stand.stop()
  }

  @Test("an interval of no time is 10 ms, one of a day is an hour")
  func clamped() throws {
    let fast = SensorStand(.every(.zero))
    try fast.trial.start()
    try fast.advance(99)
    #expect(fast.source.readCount == 10)
    fast.stop()
    let slow = SensorStand(.every(.seconds(86_400)))
    try slow.trial.start()
    try slow.advance(3 * 3_600_000)
    #expect(slow.source.readCount == 4)
    slow.stop()
  }

  @Test("another interval counts from the last reading")
  func otherInterval() throws {
    let stand = SensorStand(.every(.seconds(60)))
    try stand.trial.start()
    try stand.advance(3000)
    try stand.trial.show(.every(.seconds(5)))
    #expect(stand.source.readCount == 1)
    try stand.advance(1999)
    #expect(stand.source.readCount == 1)
    try stand.advance(1)
    #expect(stand.source.readCount == 2)
    try stand.advance(4000)
    try stand.trial.show(.every(.seconds(1)))
    #expect(stand.source.readCount == 3, "it is due already")
    stand.stop()
  }

  @Test("a source that is off is not read and costs nothing, and is read at once when it is on")
  func off() throws {
    let stand = SensorStand(.off)
    try stand.trial.start()
    try stand.advance(100_000)
    #expect(stand.source.readCount == 0)
    #expect(stand.trial.cycle.nextAlarm == nil)
    try stand.trial.show(.every(.seconds(60)))
    #expect(stand.told == ["20.0@100000"])
    try stand.trial.show(.off)
    try stand.advance(100_000)
    #expect(stand.source.readCount == 1)
    #expect(stand.trial.cycle.nextAlarm == nil)
    stand.source.set(21)
    try stand.trial.show(.every(.seconds(60)))
    #expect(stand.told == ["20.0@100000", "21.0@200000"])
    stand.stop()
  }

  @Test("a source that goes away is lost once, and its number is told anew when it is back")
  func loss() throws {
    let stand = SensorStand()
    try stand.trial.start()
    stand.source.unplug()
    try stand.advance(10_500)
    stand.source.plug()
    try stand.advance(1000)
    #expect(stand.told == ["20.0@0", "lost@1000", "20.0@11000", "restored@11000"])
    #expect(stand.trial.troubles.first == .lost(NumberErrorFactory("air").unplugged()))
    stand.stop()
  }

  @Test("the list of what is there instead of a lost source may change without a second loss")
  func sameLoss() throws {
    let stand = SensorStand()
    stand.source.lastingError = NumberErrorFactory("air").absent("it is not there", remedy: "There is bme280.")
    try stand.trial.start()
    try stand.advance(5000)
    stand.source.lastingError = NumberErrorFactory("air").absent("it is not there", remedy: "There is bme280, ads1015.")
    try stand.advance(5000)
    stand.source.lastingError = NumberErrorFactory("air").lost()
    try stand.advance(1000)
    #expect(stand.told == ["lost@0", "lost@11000"])
    stand.stop()
  }

  @Test("a source that is absent at the start is lost, and one that is required ends the start")
  func absent() throws {
    let stand = SensorStand(isPlugged: false)
    try stand.trial.start()
    try stand.advance(4000)
    stand.source.plug()
    try stand.advance(1000)
    #expect(stand.told == ["lost@0", "20.0@5000", "restored@5000"])
    stand.stop()
    let required = SensorStand(isPlugged: false, isRequired: true)
    #expect(throws: NumberErrorFactory("air").unplugged()) { try required.trial.start() }
    let there = SensorStand(isRequired: true)
    try there.trial.start()
    #expect(there.told == ["20.0@0"])
    there.stop()
  }

  @Test(
    "a reading that fails once is told and made again after a second, and a slow sensor doesn't wait for its interval")
  func failure() throws {
    let stand = SensorStand(.every(.seconds(60)))
    stand.source.failOnce()
    try stand.trial.start()
    try stand.advance(5000)
    #expect(stand.told == ["failed@0", "20.0@1000", "restored@1000"])
    stand.stop()
  }

  @Test("readings that fail for good are told once, and made after 1, 2, 4 … 60 s")
  func failures() throws {
    let stand = SensorStand(.every(.seconds(3600)))
    stand.source.failForGood()
    try stand.trial.start()
    try stand.advance(600_000)
    #expect(stand.told == ["failed@0"])
    // At 0, 1, 3, 7, 15, 31 and 63 s, then every minute.
    #expect(stand.source.readCount == 7 + 8)
    stand.source.failForGood(false)
    try stand.advance(60_000)
    #expect(stand.told.withoutMoments == ["failed", "20.0", "restored"])
    stand.stop()
  }

  @Test("a lost source is read at its interval as soon as the pauses are longer than that")
  func lostForLong() throws {
    let stand = SensorStand(.every(.seconds(10)), isPlugged: false)
    try stand.trial.start()
    // At 0, 1, 3, 7 and 15 s, then every 10 s.
    for (seconds, count) in [(24, 5), (25, 6), (34, 6), (35, 7), (595, 63)] {
      try stand.advance(seconds * 1000 - Int(stand.bench.now.nanoseconds / 1_000_000))
      #expect(stand.source.readCount == count, "after \(seconds) s")
    }
    stand.stop()
  }

  @Test("a source that is pulled out while it is read is lost, and absent then")
  func pulledOut() throws {
    let stand = SensorStand(duration: .milliseconds(100))
    stand.source.isPulledOutWhileRead = true
    try stand.trial.start()
    try stand.advance(5000)
    #expect(stand.told == ["lost@100", "lost@1100"])
    #expect(
      stand.trial.troubles == [.lost(NumberErrorFactory("air").lost()), .lost(NumberErrorFactory("air").unplugged())])
    stand.stop()
  }

  @Test("what is busy or forbidden is lost, what is there and gives no number has failed")
  func kinds() throws {
    let cause = DriverError.Cause(function: "open", name: "E", number: 1)
    let fault = NumberErrorFactory("air")
    for (error, word) in [
      (fault.busy(cause: cause), "lost"), (fault.notPermitted("/x", cause: cause), "lost"),
      (fault.empty("/x"), "failed"), (fault.ambiguous("air", ["a", "b"]), "failed"),
    ] {
      let stand = SensorStand()
      stand.source.lastingError = error
      try stand.trial.start()
      #expect(stand.told == ["\(word)@0"])
      stand.stop()
    }
  }

  @Test("no frame hears of a number that is none", arguments: [Double.nan, .infinity])
  func notFinite(number: Double) throws {
    let stand = SensorStand(value: number)
    try stand.trial.start()
    try stand.advance(1000)
    #expect(stand.told == ["failed@0"])
    #expect(stand.trial.troubles == [.failed(NumberErrorFactory("air").notFinite())])
    stand.source.set(1)
    try stand.advance(1000)
    #expect(stand.told.dropFirst() == ["1.0@2000", "restored@2000"])
    stand.stop()
  }

  @Test("a reading that lasts too long is told until it ends, and then its number, also the same one")
  func hang() throws {
    let stand = SensorStand()
    try stand.trial.start()
    stand.source.hang = .seconds(20)
    try stand.advance(30_000)
    #expect(stand.told == ["20.0@0", "failed@6000", "20.0@21000", "restored@21000"])
    #expect(stand.trial.troubles.first == .failed(NumberErrorFactory("air").silent(for: .seconds(5))))
    try stand.trial.show(.off)
    try stand.advance(100_000)
    stand.source.hang = .seconds(Int64.max)
    try stand.trial.show(.every(.seconds(3600)))
    try stand.advance(10_000)
    #expect(stand.told.dropFirst(4) == ["failed@135000"])
    try stand.trial.show(.off)
    try stand.advance(3_600_000)
    #expect(stand.told.count == 5)
    stand.stop()
  }

  @Test(
    "a number that has changed while its reading lasted too long is told once, a failure of the reading instead of it")
  func endOfHang() throws {
    let stand = SensorStand()
    try stand.trial.start()
    stand.source.hang = .seconds(20)
    stand.source.set(25)
    try stand.advance(21_000)
    #expect(stand.told == ["20.0@0", "failed@6000", "25.0@21000", "restored@21000"])
    stand.source.hang = .seconds(20)
    stand.source.failForGood()
    try stand.advance(30_000)
    stand.source.failForGood(false)
    try stand.advance(60_000)
    #expect(stand.told.dropFirst(4).withoutMoments == ["failed", "failed", "25.0", "restored"])
    stand.stop()
  }

  @Test("however late the cycle is, each reading has a moment of its own")
  func lateness() throws {
    let stand = SensorStand(decimals: 0, duration: .milliseconds(5))
    stand.bench.lateness = .milliseconds(30)
    try stand.trial.start()
    for number in 1...10 {
      stand.source.set(Double(number))
      try stand.advance(1100)
    }
    #expect(stand.trial.events.map(\.event) == ([20] + (1...10)).map { .reading(Double($0)) })
    #expect(stand.trial.troubles == [])
    stand.bench.lateness = .zero
    stand.stop()
  }

  @Test("the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.every(.seconds(1)), .every(.milliseconds(500))], setup: { SensorLawSetup($0) },
      driver: { Sensor($0.source) })
    #expect(violations == [])
  }

  @Test("the messages of its errors")
  func messages() {
    let fault = NumberErrorFactory("bme280 temp")
    #expect(
      "\(fault.unplugged())"
        == "cannot read the sensor bme280 temp: it is not there. "
        + "Check its wires and its supply; it is read again when it is back.")
    #expect(
      "\(fault.silent(for: .seconds(5)))"
        == "cannot read the sensor bme280 temp: a reading has not ended for 5 s. "
        + "Its bus or its driver hangs: `dmesg` can show why. Reading continues when the call returns.")
    #expect(
      "\(fault.notFinite())"
        == "cannot read the sensor bme280 temp: what it gave is no finite number. Check its scale and its offset.")
    #expect(fault.unplugged().subject == "bme280 temp")
  }
}
