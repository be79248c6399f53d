import CycleCore
import Signals
import Stores
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("DriverLaws: our drivers")
struct DriverLawsTests {
  @Test("a button keeps the laws", arguments: SimulatedChip.Generation.allCases)
  func button(generation: SimulatedChip.Generation) {
    var settings = Button.Settings()
    settings.hold = .seconds(1)
    settings.doubleClick = .milliseconds(300)
    let violations = DriverLaws.violations(
      models: [NoModel()], setup: { ChipLawHarness(SimulatedChip($0, generation: generation), inputs: ["GPIO17"]) },
      device: { Button($0.chip, line: "GPIO17", settings: settings) })
    #expect(violations == [])
  }

  @Test("a switch keeps the laws", arguments: SimulatedChip.Generation.allCases)
  func aSwitch(generation: SimulatedChip.Generation) {
    let violations = DriverLaws.violations(
      models: [NoModel()], setup: { ChipLawHarness(SimulatedChip($0, generation: generation), inputs: ["GPIO27"]) },
      device: { Switch($0.chip, line: "GPIO27") })
    #expect(violations == [])
  }

  @Test("an encoder keeps the laws", arguments: SimulatedChip.Generation.allCases)
  func encoder(generation: SimulatedChip.Generation) {
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { ChipLawHarness(SimulatedChip($0, generation: generation), inputs: ["GPIO5", "GPIO6"]) },
      device: { RotaryEncoder($0.chip, lines: ("GPIO5", "GPIO6")) })
    #expect(violations == [])
  }

  @Test("a keypad keeps the laws", arguments: SimulatedChip.Generation.allCases, [false, true])
  func keypad(generation: SimulatedChip.Generation, hasDiodes: Bool) {
    #expect(keypadViolations(generation, hasDiodes: hasDiodes) == [])
  }

  @Test(
    "a keypad that tells holds and clicks keeps the laws", arguments: SimulatedChip.Generation.allCases,
    [100, 180])
  func gestures(generation: SimulatedChip.Generation, milliseconds: Int) {
    // Far from the moments at which keys count: these depend on when the scans are, and the scans on how late the cycle
    // is.
    let gesture = Gesture(hold: .milliseconds(milliseconds), doubleClick: .milliseconds(milliseconds))
    #expect(keypadViolations(generation, hasDiodes: true, gesture) == [])
  }

  private func keypadViolations(
    _ generation: SimulatedChip.Generation, hasDiodes: Bool, _ gesture: Gesture? = nil
  ) -> [String] {
    let (rows, columns): ([LineName], [LineName]) = (["GPIO5", "GPIO6", "GPIO7"], ["GPIO12", "GPIO13"])
    return DriverLaws.violations(
      models: [NoModel()],
      setup: { bench in
        let chip = SimulatedChip(bench, generation: generation)
        let matrix = KeyMatrix(chip, rows: rows, columns: columns, diodes: hasDiodes ? .towardsRows : .none)
        matrix.bounce = .milliseconds(5)
        return ChipLawHarness(
          chip, inputs: columns, outputs: rows, isPolled: true, faults: { matrix.faults },
          stimulate: { bench throws(DriverError) in
            for (row, column) in [(0, 0), (1, 1), (0, 1)] {
              try matrix[row, column].press()
              try bench.advance(by: .milliseconds(250))
            }
            for (row, column) in [(0, 0), (0, 1), (1, 1)] {
              try matrix[row, column].release()
              try bench.advance(by: .milliseconds(250))
            }
          })
      },
      device: { (port: ChipLawHarness) in
        Keypad(
          port.chip, rows: rows, columns: columns,
          gestures: gesture.map { gesture in rows.map { _ in columns.map { _ in gesture } } } ?? [],
          settings: .init(hasDiodes: hasDiodes))
      })
  }

  @Test("an LED keeps the laws")
  func led() {
    let violations = DriverLaws.violations(
      models: [.on, .off, .level(1)], setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO23"]) },
      device: { LED($0.chip, line: "GPIO23") })
    #expect(violations == [])
  }

  @Test("a line that another program holds is not one that the driver has kept")
  func otherProgram() {
    var others: [any LineRequest] = []
    let violations = DriverLaws.violations(
      models: [.on, .off],
      setup: { (bench: Bench) -> ChipLawHarness in
        let chip = SimulatedChip(bench)
        if let other = try? chip.otherProgram().request([LineConfiguration("GPIO5", .input(.pullUp))]) {
          others.append(other)
        }
        return ChipLawHarness(chip, outputs: ["GPIO23"])
      }, device: { LED($0.chip, line: "GPIO23") })
    #expect(violations == [] && !others.isEmpty)
  }

  @Test("a bar keeps the laws")
  func bar() {
    let violations = DriverLaws.violations(
      models: [2, 0, 3, 1].map { LEDBar.Model(level: $0) },
      setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO5", "GPIO6", "GPIO13"]) },
      device: { LEDBar($0.chip, lines: ["GPIO5", "GPIO6", "GPIO13"]) })
    #expect(violations == [])
  }

  @Test("a relay keeps the laws", arguments: [false, true])
  func relay(isActiveLow: Bool) {
    var settings = Relay.Settings()
    settings.isActiveLow = isActiveLow
    let violations = DriverLaws.violations(
      models: [.on, .off, .on], setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO24"]) },
      device: { Relay($0.chip, line: "GPIO24", settings: settings) })
    #expect(violations == [])
  }

  // What "both" shows depends on what was closed before it, so its neighbours ask for neither of its relays.
  @Test("an interlock keeps the laws", arguments: [Duration.zero, .milliseconds(50)])
  func interlock(pause: Duration) {
    let lines: [LineName] = ["GPIO24", "GPIO25", "GPIO8"]
    let (first, second, third) = (LineValues(rawValue: 1), LineValues(rawValue: 2), LineValues(rawValue: 4))
    let violations = DriverLaws.violations(
      models: [[first, second], third, second, third],
      setup: { ChipLawHarness(SimulatedChip($0), outputs: lines, settlingTime: .milliseconds(120)) },
      device: { port in Interlock(lines.map { Relay(port.chip, line: $0) }, settings: .init(pause: pause)) })
    #expect(violations == [])
  }

  @Test("many lamps as one driver keep the laws")
  func eachLamp() {
    let violations = DriverLaws.violations(
      models: [[.on, .off], [.off, .on], [.on, .on]],
      setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO5", "GPIO6"]) },
      driver: { port in LineDriverArray(["GPIO5", "GPIO6"].map { LED(port.chip, line: $0) }) })
    #expect(violations == [])
  }

  @Test("many buttons as one driver keep the laws", arguments: SimulatedChip.Generation.allCases)
  func eachButton(generation: SimulatedChip.Generation) {
    let violations = DriverLaws.violations(
      models: [[NoModel(), NoModel()]],
      setup: { ChipLawHarness(SimulatedChip($0, generation: generation), inputs: ["GPIO17", "GPIO22"]) },
      driver: { port in LineDriverArray(["GPIO17", "GPIO22"].map { Button(port.chip, line: $0) }) })
    #expect(violations == [])
  }

  @Test("a player keeps the laws")
  func player() {
    let violations = DriverLaws.violations(
      models: [[.tone(hertz: 400)], [.tone(hertz: 800)], [.tone(hertz: 200), .tone(hertz: 1000, gain: 0)]],
      setup: { CardLawHarness($0) },
      driver: { AudioPlayer($0.card) })
    #expect(violations == [])
  }

  @Test("a mixer keeps the laws")
  func mixer() {
    let violations = DriverLaws.violations(
      models: [(0.5, false), (0.3, false), (0.8, true)].map { CardVolume.Model(volume: $0, isMuted: $1) },
      safe: CardVolume.Model(volume: 0, isMuted: true), setup: { MixerLawHarness($0) }, driver: { CardVolume($0.mixer) }
    )
    #expect(violations == [])
  }

  @Test("a timer keeps the laws")
  func timer() {
    let violations = DriverLaws.violations(
      models: [[.after(.milliseconds(10), "a"), .after(.milliseconds(20), "b")], [], [.after(.milliseconds(5), "c")]],
      setup: { ClockPort($0) }, driver: { _ in Timer<String>() })
    #expect(violations == [])
  }

  @Test("signals keep the laws")
  func signals() {
    let violations = DriverLaws.violations(
      models: [1, 2, 3], setup: { ClockPort($0) },
      driver: { _ in SignalDriver<Int, Int> { input, clock in input.throttle(.milliseconds(10), on: clock) } })
    #expect(violations == [])
  }

  @Test("a store keeps the laws")
  func store() {
    let violations = DriverLaws.violations(
      models: [1, 2, 3], safe: 0, setup: { StorePort($0) }, driver: { SharedStateDriver($0.store, show: \.volume) })
    #expect(violations == [])
  }
}

/// What has no hardware but the clock: time passes.
private final class ClockPort: LawHarness {
  let bench: Bench
  let names: [String] = []
  let writeCount = 0
  let heldCount = 0
  let holdsAnything = false
  let picture = ""
  let hasPicture = false

  init(_ bench: Bench) { self.bench = bench }

  func stimulate() throws(DriverError) { try bench.advance(by: .milliseconds(100)) }
}

/// A store that others commit to. The seed's model is not committed: the cycle hears what the store has.
private final class StorePort: LawHarness {
  struct State: Equatable, Sendable {
    var volume = 0
  }

  let bench: Bench
  let store = Store<State, String>(State())
  let names: [String] = []
  let writeCount = 0
  let heldCount = 0
  let holdsAnything = false
  let hasPicture = false
  let picture = ""
  let stampsEvents = false

  init(_ bench: Bench) { self.bench = bench }

  func stimulate() throws(DriverError) {
    let volume = store.state.volume
    for other in [volume + 10, volume] {
      store.commit("somebody") { $0.update(\.volume, to: other) }
      try bench.advance(by: .milliseconds(100))
    }
  }
}
