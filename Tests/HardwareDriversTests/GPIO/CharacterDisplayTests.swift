import CycleCore
import Glibc
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A display on a simulated chip.
private final class Stand {
  let rig: Rig<LineDriver<CharacterDisplay>>
  let display: SimulatedCharacterDisplay

  init(
    showing model: CharacterScreen = CharacterScreen(["Hello"]), safe: CharacterScreen? = nil, seed: UInt64 = 0,
    settings: CharacterDisplay.Settings = .init(), oscillatorHertz: Int = 270_000, isRequired: Bool = true
  ) {
    var display: SimulatedCharacterDisplay!
    rig = Rig(seed: seed, showing: model, safe: safe, isRequired: isRequired) { chip in
      display = SimulatedCharacterDisplay(
        on: chip, registerSelect: "GPIO25", enable: "GPIO24", data: Self.data, backlight: "GPIO18", size: settings.size,
        rom: settings.rom)
      return CharacterDisplay(
        chip, registerSelect: "GPIO25", enable: "GPIO24", data: Self.data, backlight: "GPIO18", settings: settings)
    }
    self.display = display
    display.oscillatorHertz = oscillatorHertz
  }

  static let data: [LineName] = ["GPIO23", "GPIO17", "GPIO27", "GPIO22"]
  static let names: [LineName] = ["GPIO25", "GPIO24"] + data + ["GPIO18"]

  /// Shows the screen, and returns how many bytes that took.
  func show(_ screen: CharacterScreen) throws -> Int {
    let before = display.byteCount
    try rig.show(screen)
    try rig.advance(100)
    return display.byteCount - before
  }

  func run() throws {
    try rig.run()
    try rig.advance(200)
  }

  func stop(_ place: SourceLocation = #_sourceLocation) {
    rig.stop(place)
    #expect(display.faults == [], sourceLocation: place)
    #expect(display.rows.allSatisfy { $0.allSatisfy { $0 == " " } }, sourceLocation: place)
  }
}

@Suite("CharacterDisplay")
struct CharacterDisplayTests {
  @Test("text is shown, cut to what fits, and blank where there is none")
  func text() throws {
    let stand = Stand(showing: CharacterScreen(["Station: Jazz and more", "", "third row"]))
    try stand.run()
    #expect(stand.display.picture == "|Station: Jazz an| |                | lit")
    _ = try stand.show(CharacterScreen(["", "below"], isBacklit: false))
    #expect(stand.display.picture == "|                | |below           |")
    stand.stop()
  }

  @Test(
    "a display is written in 60 ms after its power-up and not before, also one with a slow oscillator",
    arguments: [190_000, 350_000])
  func start(oscillatorHertz: Int) throws {
    let stand = Stand(oscillatorHertz: oscillatorHertz)
    try stand.rig.run()
    try stand.rig.advance(40)
    #expect(!stand.display.isOn)
    try stand.rig.advance(25)
    #expect(stand.display.rows == ["Hello           ", "                "])
    stand.stop()
  }

  @Test("differences alone are written, and nothing when nothing differs")
  func differences() throws {
    let stand = Stand(showing: CharacterScreen(["12:34:56"]))
    try stand.run()
    #expect(try stand.show(CharacterScreen(["12:34:57"])) == 2)
    #expect(try stand.show(CharacterScreen(["12:34:58"])) == 2)
    // The address is behind the last character already.
    #expect(try stand.show(CharacterScreen(["12:34:58.5"])) == 2)
    #expect(try stand.show(CharacterScreen(["12:34:58.5", ""])) == 0)
    // The light is a line of its own.
    #expect(try stand.show(CharacterScreen(["12:34:58.5"], isBacklit: false)) == 0)
    #expect(!stand.display.isBacklit)
    // One instruction clears more than eight characters.
    #expect(try stand.show(.blank) == 1)
    #expect(stand.rig.chip.requestCount == 1)
    stand.stop()
  }

  @Test("the cursor is where the model says, in its form, also after text elsewhere")
  func cursor() throws {
    let stand = Stand(showing: CharacterScreen(["Name?"], cursor: .init(row: 1, column: 2)))
    try stand.run()
    #expect(stand.display.cursor == .init(row: 1, column: 2, style: .underline))
    _ = try stand.show(CharacterScreen(["Names"], cursor: .init(row: 1, column: 2)))
    #expect(stand.display.cursor == .init(row: 1, column: 2, style: .underline))
    _ = try stand.show(CharacterScreen(["Names"], cursor: .init(row: 0, column: 15, style: .blinkingBlock)))
    #expect(stand.display.cursor == .init(row: 0, column: 15, style: .blinkingBlock))
    for outside in [(2, 0), (0, 16), (-1, 0), (0, -1)] {
      _ = try stand.show(CharacterScreen(["Names"], cursor: .init(row: outside.0, column: outside.1)))
      #expect(stand.display.cursor == nil)
    }
    stand.stop()
  }

  @Test("an application's own characters are drawn, eight at most, and redrawn when they change")
  func glyphs() throws {
    let heart = CharacterGlyph("♥", ".....", ".#.#.", "#####", "#####", ".###.", "..#..")
    let stand = Stand(showing: CharacterScreen(["I ♥ A"], glyphs: [heart]))
    try stand.run()
    #expect(stand.display.rows[0] == "I ⓪ A           ")
    #expect(stand.display.dots(of: 0) == [0, 0b01010, 0b11111, 0b11111, 0b01110, 0b00100, 0, 0])
    // A picture for a character that the ROM has, too.
    let own = CharacterGlyph("A", rows: [0xFF])
    _ = try stand.show(CharacterScreen(["I ♥ A"], glyphs: [heart, own]))
    #expect(stand.display.rows[0] == "I ⓪ ①           ")
    #expect(stand.display.dots(of: 1) == [0x1F, 0, 0, 0, 0, 0, 0, 0])
    #expect(try stand.show(CharacterScreen(["I ♥ A"], glyphs: [heart, CharacterGlyph("A", rows: [0xFF, 0x1])])) == 2)
    let many = "abcdefghi".map { CharacterGlyph($0, rows: [1]) }
    _ = try stand.show(CharacterScreen(["abcdefghi"], glyphs: many))
    #expect(stand.display.rows[0] == "⓪①②③④⑤⑥⑦i       ")
    stand.stop()
  }

  @Test(
    "every size has its rows where they belong",
    arguments: [(16, 2), (20, 4), (8, 1), (16, 4), (40, 2), (80, 1), (20, 2)])
  func sizes(columns: Int, rows: Int) throws {
    let stand = Stand(settings: .init(size: CharacterDisplayLayout(columns: columns, rows: rows)))
    try stand.run()
    var text: [String] = []
    for row in 0..<rows {
      let bytes = (0..<columns).map { column in UInt8(0x21 + (row * columns + column) % 0x3B) }
      text.append(String(decoding: bytes, as: UTF8.self))
    }
    _ = try stand.show(CharacterScreen(text))
    #expect(stand.display.rows == text)
    stand.stop()
  }

  @Test("one row in two halves")
  func split() throws {
    let stand = Stand(settings: .init(size: CharacterDisplayLayout(columns: 16, rows: 1, isSplit: true)))
    try stand.run()
    _ = try stand.show(CharacterScreen(["left and right .", "nothing"], cursor: .init(row: 0, column: 9)))
    #expect(stand.display.picture == "|left and right .| underline at 0, 9 lit")
    stand.stop()
  }

  @Test("models that come while an older text is written are merged: the newest wins")
  func merging() throws {
    let stand = Stand(showing: CharacterScreen([]), settings: .init(size: .columns20rows4))
    try stand.run()
    let before = stand.display.byteCount
    let start = stand.rig.bench.now
    for count in 0..<50 {
      stand.rig.bench.plan(at: start + .microseconds(200 * count)) {
        try? stand.rig.show(CharacterScreen(Array(repeating: String(repeating: "\(count % 10)", count: 20), count: 4)))
      }
    }
    try stand.rig.advance(10)
    let bytes = stand.display.byteCount - before
    // What fits into 10 ms, and the last text once more.
    #expect(bytes < 250, "in \(stand.rig.bench.now - start)")
    try stand.rig.advance(10)
    #expect(stand.display.rows == Array(repeating: String(repeating: "9", count: 20), count: 4))
    stand.stop()
  }

  @Test("the safe model is reached before the lines are released, also by an application that is late")
  func safe() throws {
    let stand = Stand(
      showing: CharacterScreen(Array(repeating: "full of text        ", count: 4)), safe: CharacterScreen(["Off"]),
      settings: .init(size: .columns20rows4))
    try stand.rig.run()
    // In the middle of the initialization.
    try stand.rig.advance(52)
    stand.rig.bench.lateness = .milliseconds(10)
    stand.rig.chip.keepsReleasedOutputs = true
    stand.rig.stop()
    #expect(stand.display.rows[0] == "Off                 ")
    #expect(stand.display.faults == [])
    #expect(stand.display.isBacklit)
  }

  @Test("a write that fails, whichever it is, is mended by an initialization, and told once", arguments: 1...40)
  func failures(count: Int) throws {
    let stand = Stand(showing: CharacterScreen(["before"]))
    try stand.run()
    let chip = stand.rig.chip
    let due = chip.writeCount + count
    // Each write makes a change on a line: the one before the due one sets the failure up.
    for name in Stand.names {
      chip.line(name).onChange { _, _ in if chip.writeCount == due - 1 { chip.nextWriteError = Self.failure } }
    }
    if count == 1 { chip.nextWriteError = Self.failure }
    try stand.rig.show(CharacterScreen(["after that"]))
    try stand.rig.advance(100)
    try stand.rig.advance(2000)
    #expect(stand.display.rows[0] == "after that      ")
    #expect(stand.rig.trial.troubles == [.failed(Self.failure), .restored])
    stand.stop()
  }

  private static let failure = DriverError(.failed, cannot: "write GPIO24", reason: "EIO", remedy: "None.")

  @Test("two displays as one driver: the failure of one leaves the other right")
  func two() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let lines = (0..<2).map { place in (0..<6).map { LineName("GPIO\(place * 6 + $0)") } }
    let displays = lines.map {
      SimulatedCharacterDisplay(on: chip, registerSelect: $0[0], enable: $0[1], data: Array($0[2...]))
    }
    let devices = lines.map { CharacterDisplay(chip, registerSelect: $0[0], enable: $0[1], data: Array($0[2...])) }
    let both = { (text: String) in [CharacterScreen([text]), CharacterScreen([text])] }
    let trial = DriverBench(LineDriverArray(devices), showing: both("a"), on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(100))
    // The first display's one byte is written when the second one's fails.
    chip.line("GPIO7").onChange { _, _ in chip.nextWriteError = Self.failure }
    try trial.show(both("b"))
    try trial.show(both("a"))
    try bench.advance(by: .seconds(5))
    chip.nextWriteError = nil
    try bench.advance(by: .seconds(200))
    chip.nextWriteError = nil
    #expect(displays.map { $0.rows[0].first } == ["a", "a"])
    chip.line("GPIO7").onChange { _, _ in chip.nextWriteError = nil }
    trial.stop()
    #expect(displays.flatMap(\.faults) == [])
    #expect(chip.heldLines == 0)
  }

  @Test("a chip that goes away and comes back at any moment: the display is initialized anew", arguments: 0..<60)
  func losses(step: Int) throws {
    let stand = Stand(showing: CharacterScreen(["one"]))
    try stand.rig.run()
    let loss = stand.rig.bench.now + .microseconds(step < 30 ? 50_000 + step * 313 : 62_000 + step * 7)
    stand.rig.bench.plan(at: loss) { stand.rig.chip.unplug() }
    stand.rig.bench.plan(at: loss + .milliseconds(20)) { stand.rig.chip.plug() }
    try stand.rig.advance(60)
    try stand.rig.show(CharacterScreen(["two"]))
    try stand.rig.advance(200)
    #expect(stand.display.rows[0] == "two             ")
    #expect(stand.rig.events.withoutMoments == ["lost", "restored"])
    stand.stop()
  }

  @Test("a chip that comes later is waited for")
  func later() throws {
    let stand = Stand(isRequired: false)
    stand.rig.chip.unplug()
    try stand.rig.run()
    try stand.rig.advance(500)
    #expect(stand.display.byteCount == 0)
    stand.rig.chip.plug()
    try stand.rig.advance(100)
    #expect(stand.display.rows[0] == "Hello           ")
    stand.stop()
  }

  @Test("from any seed, 20 texts, late by chance, with a chip that comes and goes: the right text and no fault")
  func random() throws {
    var byteCount = 0
    let seeds = seedCount
    defer { #expect(byteCount > seeds * 100) }
    for seed in 0..<seeds {
      let stand = Stand(seed: UInt64(seed))
      defer { byteCount += stand.display.byteCount }
      let bench = stand.rig.bench
      let chip = stand.rig.chip
      try stand.rig.run()
      var random = SeededGenerator(seed: UInt64(seed) &+ 77)
      var screen = CharacterScreen()
      for _ in 0..<20 {
        screen = Self.screen(&random)
        bench.lateness = .microseconds(
          Int64.random(in: 0...3_000, using: &random) * (Bool.random(using: &random) ? 1 : 0))
        try stand.rig.show(screen)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          let loss = bench.now + .microseconds(Int64.random(in: 0...5_000, using: &random))
          bench.plan(at: loss) { chip.unplug() }
          bench.plan(at: loss + .microseconds(Int64.random(in: 0...50_000, using: &random))) { chip.plug() }
        case 1: chip.nextWriteError = Self.failure
        case 2: try bench.stall(for: .milliseconds(30))
        default: break
        }
        let isLong = Int.random(in: 0..<8, using: &random) == 0
        try bench.advance(by: isLong ? .seconds(5) : .microseconds(Int64.random(in: 0...8_000, using: &random)))
      }
      bench.lateness = .zero
      chip.nextWriteError = nil
      try bench.advance(by: .seconds(70))
      let rows = (0..<2).map { row in
        (row < screen.rows.count ? screen.rows[row] : "").padded(to: 16)
      }
      #expect(stand.display.rows == rows, "seed \(seed)")
      #expect(stand.display.faults == [], "seed \(seed)")
      #expect(stand.display.isBacklit == screen.isBacklit, "seed \(seed)")
      let isRight = stand.display.rows == rows
      stand.stop()
      guard isRight, stand.display.faults.isEmpty else { break }
    }
  }

  private static func screen(_ random: inout SeededGenerator) -> CharacterScreen {
    var rows: [String] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      rows.append(
        String(
          (0..<Int.random(in: 0...18, using: &random)).map { _ in
            Array("abc dE1?")[Int.random(in: 0..<8, using: &random)]
          }))
    }
    return CharacterScreen(rows, isBacklit: Bool.random(using: &random))
  }

  @Test("the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [CharacterScreen(["Station"]), CharacterScreen(["Volume", "7"], cursor: .init(row: 1, column: 0))],
      setup: { (bench: Bench) -> ChipLawHarness in
        let chip = SimulatedChip(bench)
        let display = SimulatedCharacterDisplay(
          on: chip, registerSelect: "GPIO25", enable: "GPIO24", data: Stand.data, backlight: "GPIO18")
        return ChipLawHarness(
          chip, outputs: Stand.names, picture: { display.picture }, settlingTime: .milliseconds(200),
          faults: { display.faults })
      },
      device: {
        CharacterDisplay(
          $0.chip, registerSelect: "GPIO25", enable: "GPIO24", data: Stand.data, backlight: "GPIO18")
      })
    #expect(violations == [])
  }
}

/// How many seeds the random tests of displays take: 100, which is 3 s, or as many as `SEEDS` says.
let seedCount = getenv("SEEDS").flatMap { Int(String(cString: $0)) } ?? 100

extension String {
  /// Cut or filled with blanks.
  fileprivate func padded(to count: Int) -> String {
    String(prefix(count)) + String(repeating: " ", count: max(0, count - self.count))
  }
}
