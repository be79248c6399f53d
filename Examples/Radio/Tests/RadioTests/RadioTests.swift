import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Stores
import Synchronization
import Testing

@testable import radio

@Test("a knob that is turned fast changes the bar at once and the store twice; what others change shows at once")
func radio() throws {
  let platform = try Platform(.simulated)
  let (bench, chip) = (platform.bench, platform.simulatedChip!)
  let knob = Knob(bench, a: chip.line("GPIO5"), b: chip.line("GPIO6"))
  let button = chip.contact(at: "GPIO17")
  let bar = (7..<17).map { chip.line(LineName("GPIO\($0)")) }
  let warning = chip.line("GPIO23")
  func level() -> Int { bar.count { $0.level == .high } }

  let store = Store<Settings, Notice>(Settings())
  let told = Mutex<[String]>([])
  let subscriptions = [
    store.storage.observe(\.volume) { volume in told.withLock { $0.append("volume \(volume)") } },
    store.storage.observe(\.station) { station in told.withLock { $0.append("station \(station)") } },
  ]
  try bench.run(Radio(store: store).makeCycle(on: platform))
  #expect(level() == 3)

  try knob.turn(by: 5)
  #expect(level() == 8)
  try bench.advance(by: .seconds(2))
  #expect(told.withLock { $0 } == ["volume 4", "volume 8"], "the first step, and where it came to rest")

  store.commit("remote control") { $0.update(\.volume, to: 1) }
  try bench.advance(by: .milliseconds(1))
  #expect(level() == 1)

  try button.press()
  try bench.advance(by: .milliseconds(10))
  #expect(store.state.station == 1)

  store.emit(.stationIsGone)
  try bench.advance(by: .milliseconds(10))
  #expect(warning.level == .high)
  store.commit { $0.update(\.station, to: 0) }
  try bench.advance(by: .milliseconds(10))
  #expect(warning.level == .low)
  bench.stop()
  withExtendedLifetime(subscriptions) {}
}
