import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("AxisEncoder")
struct AxisEncoderTests {
  private let bench = Bench()
  private let keys: SimulatedKeys
  private let trial: DriverBench<AxisEncoder>

  init() {
    let keys = SimulatedKeys(bench, KeysPort(.named("rotary@11")))
    self.keys = keys
    trial = DriverBench(AxisEncoder(keys, axis: .wheel), on: bench)
  }

  @Test("each step of the axis is a detent, and other axes are none")
  func steps() throws {
    try trial.start()
    keys.turn(.wheel, by: 2)
    keys.turn(.x, by: 5)
    try bench.advance(by: .milliseconds(10))
    keys.turn(.wheel, by: -1)
    keys.press(KeyCode("btn_left")!)
    try bench.advance(by: .milliseconds(10))
    #expect(trial.events.map(\.event) == [.clockwise, .clockwise, .counterclockwise])
    #expect(trial.events.last?.moment == Moment(nanoseconds: 10_000_000) && trial.troubles == [])
    trial.stop()
    #expect(!keys.isOpen)
  }

  @Test("many steps are emitted one after the other, and too many of one event are reported")
  func many() throws {
    keys.queueDepth = 10_000
    try trial.start()
    for _ in 0..<100 { keys.turn(.wheel, by: 64) }
    try bench.advance(by: .milliseconds(10))
    #expect(trial.events.count == 6_400)
    #expect(trial.troubles == [])
    keys.turn(.wheel, by: .min)
    try bench.advance(by: .milliseconds(10))
    #expect(trial.events.count == 6_464)
    #expect(trial.events.last?.event == .counterclockwise)
    guard case .failed(let error)? = trial.troubles.first else { return #expect(Bool(false)) }
    #expect(error.reason == "2147483648 steps at one moment are too many")
    trial.stop()
  }

  @Test("steps that the kernel has dropped are reported")
  func dropped() throws {
    try trial.start()
    keys.turn(.wheel, by: 1)
    keys.drop()
    try bench.advance(by: .milliseconds(10))
    keys.turn(.wheel, by: 1)
    try bench.advance(by: .milliseconds(10))
    #expect(trial.events.count == 1 && trial.troubles.count == 1)
    trial.stop()
  }

  @Test("an axis of an input device keeps the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { bench in
        KeysLawHarness(SimulatedKeys(bench, KeysPort(.named("rotary@11")))) { keys throws(DriverError) in
          for steps in [1, 1, -1, 3] as [Int32] {
            keys.turn(.x, by: steps)
            try keys.bench.advance(by: .milliseconds(20))
          }
        }
      }, driver: { AxisEncoder($0.keys) })
    #expect(violations == [])
  }
}
