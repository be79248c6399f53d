import CycleCore
import TestSupport
import Testing

@testable import Monitor

@Suite("commands")
struct MonitorCommandTests {
  @Test("an event that is put in makes a frame, and its record says where it comes from")
  func inject() throws {
    try withRig { rig in
      try rig.tap()
      let client = rig.watcher(from: 4)
      let answer = try #require(rig.command("/api/inject", #"{"lens":0,"event":"pressed"}"#))
      #expect(answer.text == #"{"event":4}"#)
      #expect(rig.frame == .init(count: 2, isBeeping: true))
      #expect(rig.run([client]) { client.ids == [4] })
      #expect(client.data(of: "message") == [#"["i",4,200000000,0,"pressed",3,"94ead5cb9c911552"]"#])
      // The driver's own events are events as before.
      try rig.tap()
      #expect(rig.run([client]) { client.ids == [4, 5, 6, 7] })
      #expect(client.data(of: "message")[1].hasPrefix(#"["e",5,"#))
    }
  }

  @Test("what can't be put in is refused with the reason, and changes nothing")
  func wrongEvents() throws {
    try withRig { rig in
      let cases: [(String, Int, String)] = [
        (#"{"lens":1,"event":"pressed"}"#, 422, "there is no lens 1; there are 1, from 0 on"),
        (#"{"lens":0,"event":"melted"}"#, 422, "melted"),
        (#"{"lens":0,"event":7}"#, 422, ""),
        (#"{"lens":-1,"event":"pressed"}"#, 400, "is a number from 0 on"),
        (#"{"lens":0}"#, 400, "event"),
        (#"{"lens":0,"event":"pressed","by":"me"}"#, 400, "is not a key of this command"),
        (#"{"lens":0,"lens":0,"event":"pressed"}"#, 400, "there twice"),
        ("[]", 400, "an object is missing"), ("", 400, ""), ("{", 400, ""),
        (#"{"lens":0,"event":"# + String(repeating: "[", count: 40), 400, "more than 32"),
      ]
      for (body, status, text) in cases {
        let answer = try #require(rig.command("/api/inject", body), "\(body)")
        #expect(answer.status == status, "\(body): \(answer.text)")
        #expect(answer.text.contains(text), "\(body): \(answer.text)")
      }
      #expect(rig.recorder.offered == 0)
    }
  }

  @Test("a step of the world is done on simulated devices only")
  func world() throws {
    try withRig { rig in
      #expect(rig.command("/api/world", #"{"step":"press key"}"#)?.text == #"{"event":1}"#)
      #expect(rig.frame.isBeeping)
      #expect(rig.command("/api/world", #"{"step":"lick key"}"#)?.status == 422)
      #expect(rig.command("/api/world", #"{"step":"release key"}"#)?.status == 200)
      #expect(!rig.frame.isBeeping)
    }
    try withRig(isSimulated: false) { rig in
      let answer = rig.command("/api/world", #"{"step":"press key"}"#)
      #expect(answer?.status == 409)
      #expect(answer?.text == #"{"error":"the devices are not simulated; operate them by hand"}"#)
    }
  }

  @Test("a frame is set by its values, or shown again by its number")
  func show() throws {
    try withRig { rig in
      try rig.tap()
      #expect(rig.command("/api/show", #"{"set":{"count":7}}"#)?.text == #"{"event":4,"frame":3}"#)
      #expect(rig.frame == .init(count: 7, isBeeping: false))
      #expect(rig.command("/api/show", #"{"frame":0}"#)?.text == #"{"event":5,"frame":4}"#)
      #expect(rig.frame == .init(count: 0, isBeeping: false))
      #expect(rig.command("/api/show", #"{"frame":2}"#)?.status == 404)
      #expect(rig.command("/api/show", #"{"set":{"size":7}}"#)?.status == 422)
      #expect(rig.command("/api/show", #"{"set":{"count":"many"}}"#)?.status == 422)
      #expect(rig.command("/api/show", "{}")?.status == 400)
      let client = rig.watcher(from: 4)
      #expect(rig.run([client]) { client.ids == [4, 5] })
      #expect(client.data(of: "message")[0].hasPrefix(#"["s",4,200000000,{"count":7,"isBeeping":false},3,"#))
    }
  }

  @Test("notes and approvals are lines of the recording, and need no control token")
  func notes() throws {
    try withRig { rig in
      try rig.tap()
      let watch = MonitorRig.watchToken
      let client = rig.watcher(from: 4)
      #expect(rig.command("/api/note", #"{"event":1,"text":"a \"knock\""}"#, token: watch)?.text == "{}")
      #expect(rig.command("/api/approve", #"{"event":2,"approved":true}"#, token: watch)?.text == "{}")
      #expect(rig.run([client]) { client.data(of: "message").count == 2 })
      #expect(client.data(of: "message") == [#"["n",200000000,1,"a \"knock\""]"#, #"["a",2,true]"#])
      #expect(
        rig.command("/api/note", #"{"event":9,"text":""}"#)?.text == #"{"error":"there is no event 9; the last is 3"}"#)
      #expect(
        rig.command("/api/note", #"{"event":1,"text":""# + String(repeating: "x", count: 2_000) + "\"}")?.status == 400)
    }
  }

  @Test("lines, frames and the whole recording come from the ring")
  func recording() throws {
    try withRig { rig in
      try rig.tap(2)
      let part = try #require(rig.exchange("GET", "/api/film?from=2&to=4")?.text)
      #expect(
        part.split(separator: "\n").map { String($0.prefix(6)) } == [
          #"["f",0"#, #"["e",1"#, #"["e",2"#, #"["e",3"#, #"["e",4"#,
        ])
      #expect(rig.exchange("GET", "/api/frame/0")?.text == #"{"frame":0,"value":{"count":0,"isBeeping":false}}"#)
      #expect(rig.exchange("GET", "/api/frame/99")?.status == 404)
      let recording = try #require(rig.exchange("GET", "/api/film.recording"))
      #expect(recording.headers["content-disposition"] == #"attachment; filename="panel.recording""#)
      let lines = recording.text.split(separator: "\n")
      #expect(lines.count == 8)
      #expect(lines[0].hasPrefix(#"{"film":1,"app":"tap""#))
      #expect(rig.exchange("GET", "/api/film?from=-1")?.status == 400)
      #expect(rig.exchange("GET", "/api/films")?.status == 404)
    }
  }

  @Test("an answer that goes out in blocks is whole, and says how long it is")
  func longRecording() throws {
    try withRig { rig in
      // Three events of 40 bytes each: several blocks of 16 KiB.
      try rig.tap(1_000)
      let recording = try #require(rig.exchange("GET", "/api/film.recording"))
      #expect(recording.text.utf8.count > 6 * Monitor.longestAtOnce)
      #expect(recording.headers["content-length"] == "\(recording.text.utf8.count)")
      #expect(recording.text.split(separator: "\n").filter { $0.hasPrefix("[\"e\"") }.count == 3_000)
      #expect(recording.text.hasSuffix("]\n"))
    }
  }

  @Test("a panel says what runs")
  func panel() throws {
    try withRig { rig in
      try rig.tap()
      let text = try #require(rig.exchange("GET", "/api/panel", token: MonitorRig.controlToken)?.text)
      #expect(text.hasPrefix(#"{"api":1,"run":""#))
      #expect(text.contains(#""control":true,"simulated":true,"newest":3,"frame":2,"film":{"film":1,"app":"tap""#))
      #expect(text.contains(#""account":{"lenses":[[3,3,0,0]]"#))
    }
  }

  @Test("takes are played on a thread, kept for a while, and refused with the application's words")
  func takes() throws {
    try withRig(takes: StubTakes()) { rig in
      try rig.tap()
      let watch = MonitorRig.watchToken
      let answer = rig.command("/api/takes", #"{"edits":["off 1"]}"#, token: watch)
      #expect(
        answer?.text == #"{"take":1,"mode":"recorded","digest":"cbf29ce484222325","events":3,"frame":2,"first":1}"#)
      #expect(rig.exchange("GET", "/api/takes/1/film")?.text == "off 1\n")
      #expect(
        rig.command("/api/takes/1/edits", #"{"edits":["on 1"]}"#, token: watch)?.text.hasPrefix(#"{"take":2,"#) == true)
      #expect(rig.exchange("GET", "/api/takes/2/film")?.text == "off 1\non 1\n")
      #expect(rig.command("/api/takes/2/rehearse", "{}", token: watch)?.text.contains("rehearsed") == true)
      #expect(rig.command("/api/takes", #"{"edits":["wrong"]}"#)?.text == #"{"error":"there is no edit wrong"}"#)
      #expect(rig.command("/api/takes/9/rehearse", "{}")?.status == 404)
      #expect(
        rig.command("/api/save", #"{"as":"recording","from":1,"to":3,"take":1}"#)?.text == "recording 1 3 of off 1\n")
      #expect(rig.command("/api/save", #"{"as":"recording","from":1,"to":3,"take":99}"#)?.status == 404)
      // What would not have been is marked for the page, and not in the recording that is saved.
      #expect(rig.command("/api/takes", #"{"edits":["ghost"]}"#)?.status == 200)
      #expect(
        rig.exchange("GET", "/api/takes/4/film")?.text
          == "[\"e\",1,0,0,\"due\",0]\n[\"e\",2,0,0,\"due\",0,{\"src\":7,\"mark\":\"ghost\"}]\n")
      #expect(rig.exchange("GET", "/api/takes/4/frame/1")?.text == #"{"frame":1,"value":2,"models":[null,"on"]}"#)
      #expect(rig.exchange("GET", "/api/takes/4/frame/2")?.status == 404)
      for _ in 0..<10 { #expect(rig.command("/api/takes", #"{"edits":[]}"#)?.status == 200) }
      #expect(rig.command("/api/save", #"{"as":"scenario","from":1,"to":3}"#)?.text == "scenario 1 3")
      #expect(rig.command("/api/save", #"{"as":"opera","from":1,"to":3}"#)?.status == 422)
    }
    try withRig { rig in #expect(rig.command("/api/takes", #"{"edits":[]}"#)?.status == 409) }
  }

  /// Says what it was asked.
  private struct StubTakes: MonitorRecordingEditor {
    func play(recording: [UInt8], edits: [String], isResimulated: Bool) throws(MonitorRefusal) -> PlayedRecording {
      if edits.contains("wrong") { throw MonitorRefusal(422, "there is no edit wrong") }
      if edits == ["ghost"] {
        let text = "[\"e\",1,0,0,\"due\",0]\n[\"e\",2,0,0,\"due\",0]\n"
        return PlayedRecording(
          recording: Array(text.utf8), digest: FNV1aHash(), events: 2, frame: 0, first: 2, ghosts: [2: 7])
      }
      let lines = edits.map { $0 + "\n" }.joined()
      return PlayedRecording(recording: Array(lines.utf8), digest: FNV1aHash(), events: 3, frame: 2, first: 1)
    }

    func save(recording: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String {
      let part = "\(form.rawValue) \(events.lowerBound) \(events.upperBound)"
      return form == .recording ? part + " of " + String(decoding: recording, as: UTF8.self) : part
    }

    func frame(_ number: Int, of recording: [UInt8]) throws(MonitorRefusal) -> PlayedFrame? {
      number == 1 ? PlayedFrame(value: "\(recording.count(where: { $0 == 10 }))", models: [nil, "\"on\""]) : nil
    }
  }
}
