import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("TagReader and MFRC522")
struct TagReaderTests {
  private static let anna = TagID("04A2B3C4")!
  private static let ben = TagID("04:11:22:33:44:55:66")!
  private static let carl = TagID([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])

  private struct Stand {
    let bench = Bench(seed: 7)
    let bus: SimulatedSPIBus
    let chip = SimulatedMFRC522()
    let trial: DriverBench<TagReader>

    init(prepare: (SimulatedMFRC522, SimulatedSPIBus) -> Void = { _, _ in }) throws {
      bus = SimulatedSPIBus(bench)
      bus.connect(chip, at: 0)
      prepare(chip, bus)
      trial = DriverBench(
        TagReader(MFRC522(bus, chipSelect: 0), known: [TagReaderTests.anna, TagReaderTests.ben]), showing: NoModel(),
        on: bench, isRequired: false)
      try trial.start()
    }

    var events: [TagReader.Event] { trial.events.map(\.event) }
    func advance(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }
  }

  @Test("the text of a number")
  func numbers() {
    #expect(TagID("04a2b3c4") == Self.anna && Self.anna.description == "04A2B3C4")
    #expect(TagID("04-11-22-33 44 55 66") == Self.ben)
    for text in ["", "04A2B3", "04A2B3C", "04A2B3CG", "04A2B3C4D5", "+4A2B3C4", "0x04A2B3"] {
      #expect(TagID(text) == nil, "\(text)")
    }
  }

  @Test("the checksum of ISO/IEC 14443-3, annex B")
  func checksum() {
    #expect(CRCA.appended(to: [0x00, 0x00]) == [0x00, 0x00, 0xA0, 0x1E])
    #expect(CRCA.appended(to: [0x12, 0x34]) == [0x12, 0x34, 0x26, 0xCF])
  }

  @Test("tags of 4, 7 and 10 bytes are found and gone, each once")
  func tags() throws {
    let stand = try Stand()
    try stand.advance(1000)
    #expect(stand.events == [] && stand.trial.found.map(\.event) == [.gone])
    for tag in [Self.anna, Self.ben, Self.carl] {
      stand.chip.tags = [tag]
      try stand.advance(3000)
      stand.chip.tags = []
      try stand.advance(1000)
    }
    #expect(stand.events == [.found(0), .gone, .found(1), .gone, .foundUnknown, .gone])
    #expect(stand.chip.faults == [])
    stand.trial.stop()
  }

  @Test("an unknown tag is named in a message until it is gone")
  func unknown() throws {
    let stand = try Stand()
    stand.chip.tags = [Self.carl]
    try stand.advance(1000)
    let troubles = stand.trial.troubles.map { "\($0)" }
    #expect(troubles.count == 1 && troubles[0].contains("0102030405060708090A"), "\(troubles)")
    stand.chip.tags = []
    try stand.advance(2000)
    #expect(stand.trial.troubles.last == .restored)
    stand.trial.stop()
  }

  @Test("a tag that lies on the reader at the start is found, and is no event")
  func start() throws {
    let stand = try Stand { chip, _ in chip.tags = [Self.ben] }
    try stand.advance(3000)
    #expect(stand.events == [] && stand.trial.found.map(\.event) == [.found(1)])
    stand.trial.stop()
  }

  @Test("two tags, and disturbed answers, are no tag")
  func disturbed() throws {
    let stand = try Stand()
    stand.chip.tags = [Self.anna, Self.ben]
    try stand.advance(2000)
    #expect(stand.events == [])
    stand.chip.tags = [Self.anna]
    stand.chip.isDisturbed = true
    try stand.advance(2000)
    #expect(stand.events == [])
    stand.chip.isDisturbed = false
    try stand.advance(1000)
    #expect(stand.events == [.found(0)])
    stand.trial.stop()
  }

  @Test("a chip that is missing, stuck or another one is trouble, and works again afterwards", arguments: 0..<4)
  func faults(kind: Int) throws {
    let stand = try Stand()
    try stand.advance(1000)
    let socket = stand.bus.sockets[0]
    let disturb: [(Bool) -> Void] = [
      { socket.isPlugged = !$0 }, { socket.stuckOutput = $0 ? .high : nil }, { socket.stuckOutput = $0 ? .low : nil },
      { if $0 { stand.bus.unplug() } else { stand.bus.plug() } },
    ]
    disturb[kind](true)
    try stand.advance(3000)
    #expect(stand.trial.troubles.isEmpty == false)
    disturb[kind](false)
    stand.chip.tags = [Self.anna]
    try stand.advance(70_000)
    #expect(stand.events.last == .found(0), "\(stand.events)")
    #expect(stand.trial.troubles.last == .restored)
    stand.trial.stop()
  }

  @Test("a chip whose power was cut is set up again")
  func powerCut() throws {
    let stand = try Stand()
    try stand.advance(1000)
    stand.chip.powerUp()
    stand.chip.tags = [Self.anna]
    try stand.advance(5000)
    #expect(stand.events == [.found(0)])
    stand.trial.stop()
  }

  @Test("a tag that does not exist is refused")
  func refused() {
    let reader = TagReader(MFRC522(SimulatedSPIBus(Bench(seed: 0)), chipSelect: 0), known: [Self.anna])
    #expect(reader.refusal(of: .found(1)) == "there is no tag 1 of 1")
    #expect(reader.refusal(of: .found(0)) == nil && reader.refusal(of: .gone) == nil)
  }
}
