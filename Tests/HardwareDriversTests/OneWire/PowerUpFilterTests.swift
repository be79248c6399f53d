import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("85 °C of a 1-wire sensor")
struct PowerUpFilterTests {
  private func accepts(_ last: Int?, then next: Int) -> Bool {
    var filter = PowerUpFilter()
    if let last { try? filter.check(Temperature(millidegreesCelsius: last), of: "w1") }
    return (try? filter.check(Temperature(millidegreesCelsius: next), of: "w1")) != nil
  }

  @Test("it is a measurement if the one before it was within 10 °C")
  func near() {
    #expect(!accepts(nil, then: 85_000))
    #expect(accepts(75_000, then: 85_000) && accepts(95_000, then: 85_000))
    #expect(!accepts(74_999, then: 85_000) && !accepts(95_001, then: 85_000))
    #expect(accepts(20_000, then: 84_999) && accepts(20_000, then: 85_001))
  }

  @Test("what is outside of the sensor's range is none")
  func range() {
    #expect(accepts(nil, then: -55_000) && accepts(nil, then: 125_000))
    #expect(!accepts(nil, then: -55_001) && !accepts(nil, then: 125_001))
  }
}
