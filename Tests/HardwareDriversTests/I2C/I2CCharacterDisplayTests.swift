import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A display on a simulated bus.
private final class Stand {
  let bench: Bench
  let bus: SimulatedI2CBus
  let board: SimulatedI2CCharacterDisplay
  let trial: DriverBench<I2CCharacterDisplay>

  init(
    showing model: CharacterScreen = CharacterScreen(["Hello"]), safe: CharacterScreen? = nil, seed: UInt64 = 0,
    settings: I2CCharacterDisplay.Settings = .init(), clockHertz: Int = 100_000, isRequired: Bool = true
  ) {
    bench = Bench(seed: seed)
    bus = SimulatedI2CBus(bench, clockHertz: clockHertz)
    board = SimulatedI2CCharacterDisplay(on: bus, at: 0x27, size: settings.size, rom: settings.rom, pins: settings.pins)
    trial = DriverBench(
      I2CCharacterDisplay(bus, address: 0x27, settings: settings), showing: model, on: bench, safe: safe,
      isRequired: isRequired)
  }

  var display: SimulatedCharacterDisplay { board.display }

  func run() throws {
    try trial.start()
    try bench.advance(by: .milliseconds(200))
  }

  func show(_ screen: CharacterScreen, after milliseconds: Int = 300) throws {
    try trial.show(screen)
    try bench.advance(by: .milliseconds(milliseconds))
  }

  func stop(_ place: SourceLocation = #_sourceLocation) {
    trial.stop()
    #expect(display.faults == [], sourceLocation: place)
    #expect(bus.openCount == 0, sourceLocation: place)
    #expect(trial.cycle.nextAlarm == nil, sourceLocation: place)
  }
}

@Suite("I2CCharacterDisplay")
struct I2CCharacterDisplayTests {
  @Test("a text is shown, whatever the bus's clock", arguments: [50_000, 100_000, 400_000])
  func text(clockHertz: Int) throws {
    let stand = Stand(clockHertz: clockHertz)
    try stand.run()
    #expect(stand.display.picture == "|Hello           | |                | lit")
    try stand.show(CharacterScreen(["Hello", "world"], cursor: .init(row: 1, column: 5), isBacklit: false))
    #expect(stand.display.picture == "|Hello           | |world           | underline at 1, 5")
    stand.stop()
    #expect(stand.display.picture == "|                | |                |")
  }

  @Test("a bus and a display that are fast need fewer bytes")
  func fast() throws {
    var lengths: [Int] = []
    for clockHertz in [1_000_000, 400_000, 100_000] {
      let stand = Stand(
        showing: CharacterScreen([]), settings: .init(clockHertz: clockHertz), clockHertz: clockHertz)
      try stand.run()
      let before = stand.board.expander.writes.count
      try stand.show(CharacterScreen(["0123456789"]))
      lengths.append(stand.board.expander.writes.count - before)
      #expect(stand.display.rows[0] == "0123456789      ")
      stand.stop()
    }
    #expect(lengths == [101, 61, 41])
  }

  @Test("no transfer is longer than what an adapter for SMBus does", arguments: [100_000, 400_000, 1_000_000])
  func blocks(clockHertz: Int) throws {
    let stand = Stand(
      showing: CharacterScreen([]), settings: .init(size: .columns20rows4, clockHertz: clockHertz),
      clockHertz: clockHertz)
    stand.bus.isSMBusOnly = true
    try stand.run()
    let text = Array(repeating: "all of these letters", count: 4)
    try stand.show(CharacterScreen(text))
    #expect(stand.display.rows == text)
    stand.stop()
  }

  @Test("differences alone are written, nothing when nothing differs")
  func differences() throws {
    let stand = Stand(settings: .init(check: nil))
    try stand.run()
    let before = stand.display.byteCount
    try stand.show(CharacterScreen(["Hallo"]))
    #expect(stand.display.byteCount - before == 2)
    let transfers = stand.bus.transferCount
    try stand.bench.advance(by: .seconds(3600))
    #expect(stand.bus.transferCount == transfers)
    stand.stop()
  }

  @Test("models that come while an older text is written are merged: the newest wins")
  func merging() throws {
    let stand = Stand(showing: CharacterScreen([]), settings: .init(size: .columns20rows4))
    try stand.run()
    let before = stand.display.byteCount
    for count in 0..<200 {
      let row = String(repeating: "\(count % 10)", count: 20)
      try stand.show(CharacterScreen(Array(repeating: row, count: 4)), after: 1)
    }
    #expect(stand.display.byteCount - before < 400)
    try stand.bench.advance(by: .milliseconds(60))
    #expect(stand.display.rows == Array(repeating: String(repeating: "9", count: 20), count: 4))
    stand.stop()
  }

  @Test("other pins, and a backlight that is lit by low voltage")
  func pins() throws {
    let pins = I2CCharacterDisplay.Pins(
      registerSelect: 6, readWrite: 5, enable: 4, backlight: 7, isBacklightActiveLow: true, data: [0, 1, 2, 3])
    let stand = Stand(settings: .init(pins: pins))
    try stand.run()
    #expect(stand.display.picture == "|Hello           | |                | lit")
    try stand.show(CharacterScreen(["Hello"], isBacklit: false))
    #expect(!stand.display.isBacklit)
    stand.stop()
  }

  @Test(
    "the safe model is reached before the bus is closed, in the middle of anything",
    arguments: [0, 30, 55, 61, 80, 200])
  func safe(milliseconds: Int) throws {
    let stand = Stand(
      showing: CharacterScreen(Array(repeating: "full of text, indeed", count: 4)), safe: CharacterScreen(["Off"]),
      settings: .init(size: .columns20rows4))
    try stand.trial.start()
    try stand.bench.advance(by: .milliseconds(milliseconds))
    stand.stop()
    #expect(stand.display.rows[0] == "Off                 ")
    #expect(stand.display.rows[3] == "                    ")
  }

  @Test("a board that is pulled out is told, and initialized when it is back")
  func unplugged() throws {
    let stand = Stand()
    try stand.run()
    stand.board.unplug()
    try stand.bench.advance(by: .seconds(600))
    let silent = I2CErrorFactory(bus: "i2c-1", address: 0x27).noAnswer([.read(1)])
    #expect(stand.trial.troubles == [.lost(silent)])
    try stand.show(CharacterScreen(["back"]))
    stand.board.plug()
    try stand.bench.advance(by: .seconds(61))
    #expect(stand.display.rows[0] == "back            ")
    #expect(stand.trial.troubles.last == .restored)
    stand.stop()
  }

  @Test("an unnoticed power cut is seen by the pins: at the next text, or within 10 minutes")
  func powerCut() throws {
    let stand = Stand()
    try stand.run()
    for text in ["Hello", "other"] {
      stand.board.unplug()
      stand.board.plug()
      #expect(stand.display.rows[0] == "                ")
      if text == "other" { try stand.show(CharacterScreen([text])) } else { try stand.bench.advance(by: .seconds(600)) }
      #expect(stand.display.rows[0].hasPrefix(text))
    }
    #expect(stand.trial.troubles == [])
    stand.stop()
  }

  @Test(
    "the pin of the backlight reads low on most boards: the text is written once all the same",
    arguments: [true, false])
  func backlightPin(isBacklit: Bool) throws {
    let stand = Stand(showing: CharacterScreen(["Hello"], isBacklit: isBacklit))
    try stand.run()
    #expect(stand.board.expander.pins & 0b1000 == 0)
    #expect(stand.display.rows[0] == "Hello           ")
    #expect(stand.display.isBacklit == isBacklit)
    let before = stand.display.byteCount
    try stand.bench.advance(by: .seconds(600))
    try stand.show(CharacterScreen(["Hallo"], isBacklit: isBacklit))
    #expect(stand.display.byteCount - before == 2)
    stand.stop()
  }

  @Test("an adapter that goes away is waited for, and used as soon as it is back")
  func adapter() throws {
    let stand = Stand()
    try stand.run()
    stand.bus.unplug()
    try stand.show(CharacterScreen(["back"]))
    #expect(stand.trial.troubles.count == 1)
    // Its last try may be a minute ago.
    try stand.bench.advance(by: .seconds(300))
    stand.bus.plug()
    try stand.bench.advance(by: .milliseconds(200))
    #expect(stand.display.rows[0] == "back            ")
    #expect(stand.trial.troubles.last == .restored)
    stand.stop()
  }

  @Test("an adapter that can't be watched is told as that, and as restored when it is back, not before")
  func unwatched() throws {
    final class Unwatched: I2CBus {
      static let error = DriverError(.failed, cannot: "watch /dev", reason: "no descriptors are left", remedy: "None.")
      let base: SimulatedI2CBus
      init(_ base: SimulatedI2CBus) { self.base = base }
      var needsThread: Bool { false }
      func open(_ address: I2CAddress) throws(DriverError) -> any I2CConnection { try base.open(address) }
      func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { throw Self.error }
    }
    let bench = Bench()
    let bus = SimulatedI2CBus(bench)
    let board = SimulatedI2CCharacterDisplay(on: bus, at: 0x27)
    let trial = DriverBench(
      I2CCharacterDisplay(Unwatched(bus), address: 0x27), showing: CharacterScreen(["Hello"]), on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(200))
    bus.unplug()
    try trial.show(CharacterScreen(["back"]))
    try bench.advance(by: .seconds(30))
    #expect(trial.troubles.contains(.failed(Unwatched.error)))
    #expect(!trial.troubles.contains(.restored))
    bus.plug()
    try bench.advance(by: .seconds(60))
    #expect(trial.troubles.last == .restored)
    #expect(board.display.rows[0] == "back            ")
    trial.stop()
    #expect(bus.openCount == 0)
  }

  @Test(
    "a bus that isn't there is trouble at the start, and ends it where the display is required",
    arguments: [false, true])
  func absent(isRequired: Bool) throws {
    let stand = Stand(isRequired: isRequired)
    stand.bus.unplug()
    guard !isRequired else {
      #expect(throws: DriverError.self) { try stand.trial.start() }
      return stand.stop()
    }
    try stand.run()
    #expect(stand.trial.troubles.count == 1)
    stand.bus.plug()
    try stand.bench.advance(by: .milliseconds(200))
    #expect(stand.display.rows[0] == "Hello           ")
    stand.stop()
  }

  @Test("a transfer that fails, whichever it is, is mended by an initialization", arguments: 0..<24)
  func failures(count: Int) throws {
    let stand = Stand()
    try stand.run()
    let due = stand.bus.transferCount + count
    stand.board.expander.onWrite { _, _ in
      if stand.bus.transferCount == due { stand.bus.nextTransferError = Self.failure }
    }
    if count == 0 { stand.bus.nextTransferError = Self.failure }
    try stand.show(CharacterScreen(["after that", "there is more"]), after: 5000)
    try stand.show(CharacterScreen(["after that", "there is much"]), after: 5000)
    #expect(stand.display.rows == ["after that      ", "there is much   "])
    stand.stop()
  }

  private static let failure = DriverError(.failed, cannot: "write to 0x27 on i2c-1", reason: "EIO", remedy: "None.")

  @Test("a device that stops to answer in the middle of a transfer")
  func refused() throws {
    let stand = Stand()
    try stand.run()
    stand.board.socket.silentTransactions = 3
    try stand.show(CharacterScreen(["later"]), after: 20_000)
    #expect(stand.display.rows[0] == "later           ")
    #expect(stand.trial.troubles.count == 2)
    stand.stop()
  }

  @Test(
    "from any seed, 20 texts, with a late cycle, boards and adapters that come and go: the right text and no fault")
  func random() throws {
    var byteCount = 0
    let seeds = seedCount
    defer { #expect(byteCount > seeds * 100) }
    for seed in 0..<seeds {
      let stand = Stand(seed: UInt64(seed))
      defer { byteCount += stand.display.byteCount }
      let bench = stand.bench
      try stand.trial.start()
      var random = SeededGenerator(seed: UInt64(seed) &+ 99)
      var screen = CharacterScreen()
      var plugged = Moment.zero
      for _ in 0..<20 {
        let text = (0..<2).map { _ in
          String((0..<16).map { _ in Array("abc dE1?")[Int.random(in: 0..<8, using: &random)] })
        }
        screen = CharacterScreen(text, isBacklit: Bool.random(using: &random))
        bench.lateness = .microseconds(
          Int64.random(in: 0...3_000, using: &random) * (Bool.random(using: &random) ? 1 : 0))
        try stand.trial.show(screen)
        let moment = bench.now + .microseconds(Int64.random(in: 0...20_000, using: &random))
        // No board loses its power for less: its capacitors keep it.
        let end = moment + .microseconds(Int64.random(in: 10_000...60_000, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where moment > plugged:
          plugged = end
          bench.plan(at: moment) { stand.board.unplug() }
          bench.plan(at: end) { stand.board.plug() }
        case 1:
          bench.plan(at: moment) { stand.bus.unplug() }
          bench.plan(at: end) { stand.bus.plug() }
        case 2: stand.bus.nextTransferError = Self.failure
        // A step that is late by more than a cut lasts would find the display as it was before: no thread sees that.
        case 3 where bench.now > plugged: try bench.stall(for: .milliseconds(30))
        default: break
        }
        let isLong = Int.random(in: 0..<8, using: &random) == 0
        try bench.advance(by: isLong ? .seconds(5) : .microseconds(Int64.random(in: 0...40_000, using: &random)))
      }
      bench.lateness = .zero
      stand.bus.nextTransferError = nil
      try bench.advance(by: .seconds(70))
      #expect(stand.display.rows == screen.rows, "seed \(seed)")
      #expect(stand.display.isBacklit == screen.isBacklit, "seed \(seed)")
      stand.stop()
      guard stand.display.faults.isEmpty else { break }
    }
  }

  @Test("the laws of drivers", arguments: [false, true])
  func laws(pullsAdapter: Bool) {
    let violations = DriverLaws.violations(
      models: [CharacterScreen(["Station"]), CharacterScreen(["Volume", "7"], cursor: .init(row: 1, column: 0))],
      setup: { (bench: Bench) -> BusLawHarness<SimulatedI2CBus> in
        let bus = SimulatedI2CBus(bench)
        let board = SimulatedI2CCharacterDisplay(on: bus, at: 0x27)
        return BusLawHarness(
          bus, plug: pullsAdapter ? nil : { $0 ? board.plug() : board.unplug() }, picture: { board.display.picture },
          settlingTime: .milliseconds(300), faults: { board.display.faults })
      },
      driver: { I2CCharacterDisplay($0.bus, address: 0x27) })
    #expect(violations == [])
  }
}
