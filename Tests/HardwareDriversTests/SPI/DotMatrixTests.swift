import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("DotMatrix")
struct DotMatrixTests {
  private struct Stand {
    let bench = Bench(seed: 3)
    let bus: SimulatedSPIBus
    let sign: SimulatedDotMatrix
    let trial: DriverBench<DotMatrix>

    init(_ text: String, modules: Int = 2, settings: DotMatrix.Settings = .init()) throws {
      bus = SimulatedSPIBus(bench)
      sign = SimulatedDotMatrix(bench, moduleCount: modules)
      bus.connect(sign, at: 0)
      trial = DriverBench(
        DotMatrix(bus, moduleCount: modules, settings: settings), showing: DotMatrix.Model(text), on: bench,
        isRequired: false)
      try trial.start()
      try bench.advance(by: .milliseconds(10))
    }

    func advance(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }
    var text: String? { sign.visible?.texts(scale: 1).first }
  }

  @Test("the words of a row are those of the modules, the left one first")
  func words() throws {
    let stand = try Stand("")
    let before = stand.bus.transfers.count
    try stand.trial.show(DotMatrix.Model("|"))
    try stand.advance(10)
    let writes = stand.bus.transfers[before...].flatMap(\.messages).compactMap { message -> [UInt8]? in
      if case .write(let bytes) = message { bytes } else { nil }
    }
    #expect(writes.first == [0x01, 0x20, 0x01, 0x00] || writes.first == [0x02, 0x20, 0x02, 0x00], "\(writes)")
    #expect(writes.allSatisfy { $0.count == 4 && $0[0] == $0[2] && $0[3] == 0 })
    #expect(stand.sign.faults == [])
    stand.trial.stop()
  }

  @Test("a text that fits stays, and nothing is written while it does")
  func still() throws {
    let stand = try Stand("abc")
    #expect(stand.text == "abc")
    let count = stand.bus.transferCount
    try stand.advance(590_000)
    #expect(stand.bus.transferCount == count)
    stand.sign.powerUp()
    try stand.advance(11_000)
    #expect(stand.text == "abc", "everything is written again after 10 minutes")
    stand.trial.stop()
    #expect(stand.sign.visible == nil || stand.text == "   ")
  }

  @Test("a longer text moves by a column at each step, and begins again after a gap")
  func moves() throws {
    let stand = try Stand("abcd", settings: .init(pace: .milliseconds(100)))
    // 16 columns show three characters; the text has 19, and a gap of 12.
    #expect(stand.text == "abc")
    try stand.advance(500)
    #expect(stand.text == "bcd")
    try stand.advance(2_600)
    #expect(stand.text == "abc")
    try stand.trial.show(DotMatrix.Model("x"))
    try stand.advance(10)
    #expect(stand.text == "x  ")
    stand.trial.stop()
  }

  @Test("a sign that is upside down, and its brightness")
  func rotated() throws {
    let stand = try Stand("|", settings: .init(isRotated: true))
    let pixels = try #require(stand.sign.visible)
    #expect(pixels[13, 3] && !pixels[2, 3])
    #expect(stand.sign.intensity == 5)
    try stand.trial.show(DotMatrix.Model("|", brightness: 1))
    try stand.advance(10)
    #expect(stand.sign.intensity == 15)
    stand.trial.stop()
  }

  @Test("a bus that is unplugged is trouble, and the text as of then is shown when it is back")
  func loss() throws {
    let stand = try Stand("abcd", settings: .init(pace: .milliseconds(100)))
    stand.bus.unplug()
    try stand.advance(1_000)
    #expect(stand.trial.troubles.count == 1)
    stand.sign.powerUp()
    stand.bus.plug()
    try stand.advance(3_100 * 30)
    #expect(stand.trial.troubles.last == .restored && stand.sign.visible != nil)
    stand.trial.stop()
  }

  @Test("a sign keeps the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [DotMatrix.Model("a"), DotMatrix.Model("b", brightness: 1), DotMatrix.Model("")],
      setup: { (bench: Bench) -> BusLawHarness<SimulatedSPIBus> in
        let bus = SimulatedSPIBus(bench)
        let sign = SimulatedDotMatrix(bench, moduleCount: 2)
        bus.connect(sign, at: 0)
        return BusLawHarness(
          bus, picture: { "\(sign.visible?.description ?? "off") \(sign.visible == nil ? 0 : sign.intensity)" },
          showsFromStart: false, faults: { sign.faults })
      },
      driver: { DotMatrix($0.bus, moduleCount: 2, check: nil) })
    #expect(violations == [])
  }
}
