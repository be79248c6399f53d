import CycleCore
import Testing

@testable import PanelKit

@Suite("What a panel tells the manager of services")
struct ServiceNotifierTests {
  private final class Rig {
    var said: [String] = []
    var report: ServiceNotifier!
    var now = Moment(nanoseconds: 0)
    var status = "idle; 0 events"
    var lanes = [LaneEventCounts(offered: 0, delivered: 0, lost: 0, pending: 0)]

    init(watchdog: Duration?) {
      report = ServiceNotifier(watchdog: watchdog) { [unowned self] in said.append($0) }
      report.begin(status, at: now)
    }

    func turn(after span: Duration) -> [String] {
      now = now + span
      said = []
      report.turn(at: now, lanes: lanes, status: status)
      return said
    }
  }

  @Test("it is ready with its first status, and is not heard of again while nothing happens")
  func ready() {
    let rig = Rig(watchdog: nil)
    #expect(rig.said == ["READY=1\nSTATUS=idle; 0 events"])
    #expect(rig.report.nextMoment == nil && rig.turn(after: .seconds(3600)) == [])
    rig.said = []
    rig.report.end()
    #expect(rig.said == ["STOPPING=1"])
  }

  @Test("signs of life come at half of the watchdog's time, each after a turn")
  func signs() {
    let rig = Rig(watchdog: .seconds(10))
    #expect(rig.report.nextMoment == Moment(nanoseconds: 5_000_000_000))
    #expect(rig.turn(after: .milliseconds(4_999)) == [])
    #expect(rig.turn(after: .milliseconds(1)) == ["WATCHDOG=1"])
    #expect(rig.report.nextMoment == Moment(nanoseconds: 10_000_000_000))
    // Late: the next one comes as long after it.
    #expect(rig.turn(after: .seconds(7)) == ["WATCHDOG=1"])
    #expect(rig.report.nextMoment == Moment(nanoseconds: 17_000_000_000))
  }

  @Test("there is no sign of life while the events of a lane wait and none of them is reduced")
  func stuckLane() {
    let rig = Rig(watchdog: .seconds(2))
    rig.lanes = [.init(offered: 9, delivered: 5, lost: 0, pending: 4)]
    #expect(rig.turn(after: .seconds(1)) == ["WATCHDOG=1"], "how many there were before is not known")
    #expect(rig.turn(after: .seconds(1)) == [])
    #expect(rig.turn(after: .seconds(1)) == [])
    rig.lanes = [.init(offered: 9, delivered: 6, lost: 0, pending: 3)]
    #expect(rig.turn(after: .seconds(1)) == ["WATCHDOG=1"])
    rig.lanes = [.init(offered: 9, delivered: 9, lost: 0, pending: 0)]
    #expect(rig.turn(after: .seconds(1)) == ["WATCHDOG=1"])
    #expect(rig.turn(after: .seconds(1)) == ["WATCHDOG=1"])
  }

  @Test("a status that has changed is told once a second at most, the newest, and not if it is the same again")
  func status() {
    let rig = Rig(watchdog: nil)
    rig.status = "lit; 1 event"
    rig.report.change()
    #expect(rig.report.nextMoment == Moment(nanoseconds: 1_000_000_000))
    #expect(rig.turn(after: .milliseconds(300)) == [])
    rig.status = "lit; 2 events"
    rig.report.change()
    #expect(rig.turn(after: .milliseconds(700)) == ["STATUS=lit; 2 events"])
    #expect(rig.report.nextMoment == nil)
    rig.report.change()
    #expect(rig.turn(after: .seconds(5)) == [])
    rig.status = "a\nWATCHDOG=1"
    rig.report.change()
    #expect(rig.turn(after: .seconds(5)) == ["STATUS=a\\nWATCHDOG=1"])
  }
}
