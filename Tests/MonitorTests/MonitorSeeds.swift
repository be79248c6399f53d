import CycleCore
import TestSupport
import Testing

@testable import Monitor

/// What CycleMonitor and an application say to each other.
@Suite("The monitor: every case")
struct MonitorSeeds {
  @Test("M8: from outside an event is played on the device, and a state is shown on it")
  func commands() throws {
    try withRig { rig in
      try rig.tap()
      let client = rig.watcher(from: 4)
      #expect(rig.command("/api/inject", #"{"lens":0,"event":"pressed"}"#)?.text == #"{"event":4}"#)
      #expect(rig.frame == .init(count: 2, isBeeping: true))
      #expect(rig.command("/api/show", #"{"set":{"count":40}}"#)?.text == #"{"event":5,"frame":4}"#)
      #expect(rig.frame == .init(count: 40, isBeeping: true))
      #expect(rig.command("/api/show", #"{"frame":0}"#)?.text == #"{"event":6,"frame":5}"#)
      #expect(rig.frame == .init(count: 0, isBeeping: false))
      #expect(rig.run([client]) { client.ids == [4, 5, 6] })
      #expect(client.data(of: "message").map { $0.prefix(5) } == [#"["i","#, #"["s","#, #"["s","#])
    }
  }

  @Test(
    "M9: each panel has its own recording and its own tokens: nobody records another one's events, and who watches sends none"
  )
  func peers() throws {
    try withRig { rig in
      try withRig { other in
        let client = rig.watcher(from: 1)
        try other.tap()
        try rig.tap()
        #expect(rig.run([client]) { client.ids == [1, 2, 3] })
        #expect(rig.recorder.offered == 3 && other.recorder.offered == 3)
        #expect(rig.monitor.run != other.monitor.run)
        let stranger = String(repeating: "c", count: 32)
        #expect(rig.exchange("GET", "/api/panel", token: stranger)?.status == 401)
        for (path, body) in [("inject", #"{"lens":0,"event":"pressed"}"#), ("show", #"{"frame":0}"#)] {
          #expect(rig.command("/api/\(path)", body, token: MonitorRig.watchToken)?.status == 403)
        }
        #expect(rig.recorder.offered == 3)
      }
    }
  }

  @Test("M24: a farewell is read, and does nothing")
  func farewell() throws {
    try withRig { rig in
      let client = rig.watcher(from: 1)
      #expect(rig.command("/api/inject", #"{"action":"disconnect"}"#)?.text == "{}")
      #expect(rig.recorder.offered == 0)
      #expect(rig.command("/api/inject", #"{"action":"explode"}"#)?.status == 422)
      try rig.tap()
      #expect(rig.run([client]) { client.ids == [1, 2, 3] })
    }
  }
}
