import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

/// A panel that can't start, through the seam: what is said, with which status, and what is left behind.
@Suite("Starts that fail, and ends that come too soon")
struct StartFailureTests {
  static let states = "initial: a\nstates: { a: { show: { lamp: on, lock: on }, play: [ high ] } }\n"

  /// The error of a start, and the devices afterwards.
  private func failure(_ prepare: (Stage) -> Void) -> (error: DriverError?, chip: SimulatedChip?, card: SimulatedCard?)
  {
    var devices: (chip: SimulatedChip, card: SimulatedCard)?
    do {
      _ = try Stage(Self.states) {
        devices = ($0.chip, $0.card)
        prepare($0)
      }
      return (nil, devices?.chip, devices?.card)
    } catch {
      return (error as? DriverError, devices?.chip, devices?.card)
    }
  }

  private func check(
    _ text: String, _ status: Int32, _ place: SourceLocation = #_sourceLocation, _ prepare: (Stage) -> Void
  ) {
    let (error, chip, card) = failure(prepare)
    #expect(error.map { "\($0)" }?.hasPrefix(text) == true, "\(String(describing: error))", sourceLocation: place)
    #expect(error?.exitStatus == status, sourceLocation: place)
    #expect(chip?.lines.allSatisfy { $0.consumer != "panel" } == true, "no line is held", sourceLocation: place)
    #expect(card?.configuration == nil, "the card is closed", sourceLocation: place)
    #expect(chip?.line("GPIO10").level == .low, "the lamp is off", sourceLocation: place)
  }

  @Test("a line that another program holds")
  func busy() {
    check("cannot request line GPIO15 of simulated as output: busy. \"gpioset\" uses it.", 69) {
      $0.chip.line("GPIO15").hold(by: "gpioset")
    }
  }

  @Test("a line that the chip doesn't have")
  func absentLine() throws {
    let text = "panel: P\noutputs: { lamp: { led: GPIO40 } }\ninitial: a\nstates: { a: { show: { lamp: on } } }\n"
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let bench = Bench()
    let (chip, card) = (SimulatedChip(bench), SimulatedCard())
    let application = PanelApplication(
      panel, on: try Platform(.simulated), chips: PanelChips(own: chip), card: card, sounds: [])
    #expect {
      try bench.run(application.cycle)
    } throws: {
      "\($0)".hasPrefix("cannot request line GPIO40 of simulated as output: the chip has no such line.")
        && ($0 as? DriverError)?.exitStatus == 69
    }
    #expect(chip.heldLines == 0)
    #expect(card.configuration == nil)
  }

  @Test("no chip at all") func noChip() {
    check("cannot open simulated: no such chip.", 69) { $0.chip.unplug() }
  }

  @Test("a chip that this user may not open") func noPermission() {
    check("cannot open simulated: permission denied. Add this user to the group \"gpio\".", 77) {
      $0.chip.isPermitted = false
    }
  }

  @Test("without its card a panel starts, and what it plays is heard when the card is there")
  func noCard() throws {
    let stage = try Stage(Self.states) { $0.card.unplug() }
    #expect(stage.chip.line("GPIO10").level == .high)
    #expect(stage.session.application.frame.missing == [.audio])
    try stage.take("wait 10s")
    try stage.take("plug audio; wait 100ms")
    #expect(stage.card.samples.contains { $0 != 0 })
    #expect(stage.card.openings == 1)
  }

  @Test("a panel without sounds opens no card, and hears nothing of one that is not there", arguments: [true, false])
  func noSounds(isPlugged: Bool) throws {
    let text = "panel: P\noutputs: { lamp: { led: GPIO10 } }\ninitial: a\nstates: { a: { show: { lamp: on } } }\n"
    let stage = try Stage(panel: text) { if !isPlugged { $0.card.unplug() } }
    try stage.take("wait 10s")
    #expect(stage.card.openings == 0)
    #expect(stage.session.application.reportCounts.troubles == 0)
    #expect(stage.session.application.frame.missing.isEmpty)
  }

  @Test("a panel that waits begins without its chip, and shows its state when the chip is there")
  func waiting() throws {
    let stage = try Stage(Self.states, waitsForLines: true) { $0.chip.unplug() }
    #expect(stage.session.application.frame.missing == [.gpio])
    stage.chip.plug()
    try stage.session.bench.settle()
    #expect(stage.chip.line("GPIO10").level == .high)
    #expect(stage.session.application.frame.missing.isEmpty)
  }

  @Test("a card that is not there, or that another program plays on, is told once and waited for")
  func waitingForACard() throws {
    let stage = try Stage(Self.states) { $0.card.holder = "aplay" }
    try stage.session.bench.advance(by: .seconds(60))
    #expect(stage.session.application.frame.missing == [.audio])
    #expect(stage.session.application.reportCounts.troubles == 1)
    #expect(stage.chip.line("GPIO10").level == .high)
    stage.card.holder = nil
    try stage.session.bench.advance(by: .seconds(60))
    #expect(stage.session.application.frame.missing.isEmpty)
  }

  @Test("outputs have the first state's values from the first instant: a line changes once, or not at all")
  func noEdgeAtStart() throws {
    let stage = try Stage(Self.states)
    #expect(stage.chip.line("GPIO10").changes.map(\.level) == [.low, .high])
    // The relay is on when its line is low, as it was before anybody took it.
    #expect(stage.chip.line("GPIO15").changes.map(\.level) == [.low])
    #expect(stage.chip.line("GPIO11").changes.map(\.level) == [.low])
  }

  @Test("what a killed panel left on is made safe, active-low outputs too")
  func afterKill() throws {
    let stage = try Stage(Self.states)
    let panel = stage.session.panel
    let chip = stage.chip
    chip.keepsReleasedOutputs = true
    #expect(chip.line("GPIO10").level == .high)
    #expect(chip.line("GPIO15").level == .low)
    // The kernel gives the lines of a killed program back, and leaves the outputs as they are.
    chip.dropRequests()
    #expect(chip.heldLines == 0)
    #expect(chip.line("GPIO10").level == .high)
    #expect(try SafeStateSetter(of: panel).show(on: PanelChips(own: chip), Platform(.simulated)) == [])
    #expect(chip.line("GPIO10").level == .low)
    #expect(chip.line("GPIO15").level == .high)
    #expect(chip.heldLines == 0)
  }

  @Test("an output that can't be made safe is told, and keeps no other from it")
  func partlySafe() throws {
    let stage = try Stage(Self.states)
    let panel = stage.session.panel
    let chip = stage.chip
    chip.keepsReleasedOutputs = true
    chip.dropRequests()
    chip.line("GPIO10").hold(by: "gpioset")
    let errors = try SafeStateSetter(of: panel).show(on: PanelChips(own: chip), Platform(.simulated))
    #expect(
      errors.map { "\($0)".prefix(70) } == ["cannot request line GPIO10 of simulated as output: busy. \"gpioset\" use"]
    )
    #expect(chip.line("GPIO15").level == .high)
  }

  @Test("hardware that is lost for one reason after another is back once, when the last one is over")
  func reasons() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("unplug gpio; wait 10ms; expect gpio=lost") == [])
    stage.chip.line("GPIO10").hold(by: "gpioset")
    #expect(try stage.take("plug gpio; wait 10s; expect gpio=lost") == [])
    stage.chip.line("GPIO10").hold(by: nil)
    #expect(try stage.take("wait 5m; expect gpio=there") == [])
    #expect(stage.chip.line("GPIO10").level == .high)
    #expect(try stage.take("unplug gpio; wait 10ms; expect gpio=lost; plug gpio; wait 5m; expect gpio=there") == [])
  }
}
