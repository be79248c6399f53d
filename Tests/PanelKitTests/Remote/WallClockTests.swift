import Testing

@testable import HardwareDrivers
@testable import PanelNetwork

@Suite("Times of day")
struct WallClockTests {
  @Test(
    "seconds and milliseconds are the same time, before 1970 and on leap days too",
    arguments: [
      (0, "1970-01-01T00:00:00"), (1_767_225_600, "2026-01-01T00:00:00"), (951_827_696, "2000-02-29T12:34:56"),
      (4_107_542_399, "2100-02-28T23:59:59"), (4_107_542_400, "2100-03-01T00:00:00"), (-1, "1969-12-31T23:59:59"),
    ])
  func text(_ seconds: Int, _ expected: String) {
    #expect(WallClock.text(secondsSince1970: seconds) == "\(expected)Z")
    let store = PayloadPool(slots: 1)
    for (thousandths, digits) in [(0, "000"), (7, "007"), (999, "999")] {
      store.write(0) { WallClock.write(millisecondsSince1970: seconds * 1000 + thousandths, to: &$0) }
      #expect(String(decoding: store[0], as: UTF8.self) == "\(expected).\(digits)Z")
    }
  }
}
