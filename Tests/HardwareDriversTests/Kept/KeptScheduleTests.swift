import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("When kept values are saved")
struct KeptScheduleTests {
  private func at(_ seconds: Int) -> Moment { .zero + .seconds(seconds) }

  @Test("of urgent changes 20 a minute are saved at once, also when one in between needed no save")
  func urgent() {
    var schedule = KeptSchedule()
    for second in 1...20 {
      schedule.changeUrgently(at: at(second))
      #expect(schedule.due == at(second))
      schedule.save(at: at(second))
    }
    schedule.changeUrgently(at: at(21))
    #expect(schedule.due == at(61))
    schedule.skip()
    #expect(schedule.due == nil)
    schedule.changeUrgently(at: at(22))
    #expect(schedule.due == at(61))
  }

  @Test("a change waits for a second of rest, for the span at most, and for the span after the save before")
  func rested() {
    var schedule = KeptSchedule()
    schedule.change(at: at(10), within: .seconds(30))
    #expect(schedule.due == at(11))
    schedule.change(at: at(39), within: .seconds(30))
    #expect(schedule.due == at(40))
    schedule.change(at: at(40), within: .seconds(30))
    #expect(schedule.due == at(40))
    schedule.save(at: at(40))
    #expect(schedule.due == nil)
    schedule.change(at: at(41), within: .seconds(30))
    #expect(schedule.due == at(70))
  }
}
