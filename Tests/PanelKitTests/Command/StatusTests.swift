import CycleCore
import Testing

@testable import HardwarePlatform
@testable import PanelKit
@testable import PanelLanguage

@Suite("The status of the panels of a machine")
struct StatusTests {
  @Test("running is false only for a panel that does not run, and null if that is not known")
  func running() {
    let panels = RunningPanels(run: "/nowhere", files: "/nowhere", printed: { _ in nil })
    let refusal = ControlClient.Answer.Refusal("error 64 unknown request")
    let denied = DriverError(.notPermitted, cannot: "ask the panel", reason: "permission denied", remedy: "Join it.")
    let closed = DriverError(.lost, cannot: "ask the panel", reason: "it closed the connection", remedy: "Check it.")
    let cases: [(ControlClientGroup.Outcome, Int32, String)] = [
      (
        .answered(ControlClient.Answer(lines: ["idle\t125\t12\tgpio lost\t5"])), 0,
        #"true, "state": "idle", "uptime_s": 125, "state_s": 5, "events": 12, "trouble": "gpio lost""#
      ),
      (.answered(ControlClient.Answer(refusal: refusal)), 64, #"true, "fault": "unknown request""#),
      (.silent, 69, #"true, "fault": "doesn't answer (5 s)""#),
      (.absent, 3, #"false, "fault": "not running; journal: journalctl -u panel@lamp -n 20""#),
      (.failed(denied), 77, #"null, "fault": "permission denied; join the panel's group: sudo adduser $USER panel""#),
      (.failed(closed), 69, #"null, "fault": "can't be asked: it closed the connection""#),
    ]
    for (outcome, status, members) in cases {
      let row = Status.Row("lamp", outcome, panels)
      #expect(Status.json(of: row).line == #"{"panel": "lamp", "running": "# + members + "}")
      #expect(row.status == status)
    }
  }
}
