import CycleCore
import Glibc
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelNetwork

/// Recordings and edits that ended the program which played them.
@Suite("A recording that has numbers which no panel has")
struct OutsideCasesTests {
  private static let cellar = "\(checkoutRoot)/Examples/cellar-light"

  /// The recording of the cellar light with another text in it.
  private static func recording(_ text: String, with other: String) throws -> String {
    var recording = String(decoding: try #require(bytes(of: "\(cellar)/left-in-the-dark.recording")), as: UTF8.self)
    let place = try #require(recording.firstPlace(of: text))
    recording.replaceSubrange(place, with: other)
    // The checks behind it would be found first.
    return recording.split(separator: "\n").filter { !$0.hasPrefix("[\"c\"") && !$0.hasPrefix("[\"z\"") }.joined(
      separator: "\n")
      + "\n"
  }

  @Test("is refused by replay, take and scenario with a sentence: the case recording crash")
  func recordingCrash() throws {
    let cases = [
      (#",0,[0,"pressed"],1,"#, #",0,[9,"pressed"],1,"#, "buttons: there is no device 9; devices are 0 to 1"),
      (#",0,[1,"pressed"],3,"#, #",0,[-1,"pressed"],3,"#, "buttons: there is no device -1; devices are 0 to 1"),
      (#",2,[0,2,0,2,0],5,"#, #",2,[0,65536,0,2,0],5,"#, "timer: there is no deadline 0 of a state 65536"),
      (#",2,[0,2,0,2,0],5,"#, #",2,[0,2,1,2,0],5,"#, "timer: there is no deadline 1 of a state 2"),
      (#",2,[0,2,0,2,0],5,"#, #",2,[1,2,0,2,0],5,"#, "timer: there is no deadline 0 of an input 2"),
    ]
    for (text, other, sentence) in cases {
      withFiles(["a.recording": try Self.recording(text, with: other)]) { folder in
        let recording = "\(folder)/a.recording"
        for words in [
          ["replay", recording], ["edit", recording], ["scenario", recording], ["edit", recording, "--resimulate"],
        ] {
          let result = PanelProcess.run(["recording"] + words)
          #expect(
            result.status == 65 && result.errors.contains(sentence), "\(words): \(result.status) \(result.errors)")
        }
      }
    }
  }

  @Test("is refused where a whole frame or a header has them")
  func frames() throws {
    withFiles([
      "frame.recording": try Self.recording(#"["f",0,0,[1,1,"#, with: #"["f",7,0,[99,1,"#),
      "start.recording": try Self.recording(#""start":0,"#, with: #""start":9223372036854775807,"#),
    ]) { folder in
      let frame = PanelProcess.run(["recording", "replay", "\(folder)/frame.recording"])
      #expect(frame.status == 65 && frame.errors.contains("state is 99, and can be -1, 1, 2"), "\(frame.errors)")
      let start = PanelProcess.run(["recording", "replay", "\(folder)/start.recording"])
      #expect(start.status == 65 && start.errors.contains("\"start\" is not a moment of a clock"), "\(start.errors)")
    }
  }

  @Test(
    "is refused as an edit, with 65",
    arguments: [
      (#"edit 1 [9,"pressed"]"#, "there is no device 9"), (#"edit 1 [-1,"pressed"]"#, "there is no device -1"),
      (#"edit 1 [0,{"edgesLost":-1}]"#, "-1 is not a number of lost edges"),
      (#"edit 1 [9223372036854775807,"pressed"]"#, "9223372036854775807 is too far from 0"),
      (#"insert after 1 at 50ms timer [0,99,0,1,0]"#, "there is no deadline 0 of a state 99"),
      (#"insert after 1 at 50ms timer [1,2,0,1,0]"#, "there is no deadline 0 of an input 2"),
      ("frame 1 state 99", "state is 99, and can be -1, 1, 2"), ("frame 1 state -2", "state is -2"),
      ("frame 1 state.entries -1", "state.entries is -1, and can be 0 to 9007199254740992"),
      ("frame 1 state.entries 9223372036854775807", "9223372036854775807 is too far from 0"),
      ("frame 1 top 2", "top is 2, and can be -1 to 1"), ("frame 1 now 5", "now is 5"),
      ("frame 1 stopped 2", "stopped is 2"),
    ])
  func edits(_ edit: String, _ sentence: String) {
    let result = PanelProcess.run(["recording", "edit", "\(Self.cellar)/left-in-the-dark.recording", edit])
    #expect(result.status == 65 && result.errors.contains(sentence), "\(result.status) \(result.errors)")
  }

  @Test("can't reach a panel by its monitor, with neither token: the case watch token")
  func watchToken() throws {
    let text = """
      panel: Acc
      inputs:
        bell: { button: GPIO17 }
        knob: { encoder: [ GPIO5, GPIO6 ] }
      outputs:
        lamp: { led: GPIO23 }
      values:
        level: { initial: 3, min: 0, max: 10 }
      accept: { press: [ bell ], set: [ level ], turn: [ knob ], event: [ light ] }
      initial: off
      states:
        off:
          on: { bell.pressed: lit, network.light: lit }
        lit:
          show: { lamp: on }
          on: { bell.released: off }

      """
    try withFiles(["acc.panel.yaml": text]) { folder in
      let socket = folder + "/panel.sock"
      let process = PanelProcess([
        "run", "\(folder)/acc.panel.yaml", "--gpio", "simulated", "--audio", "simulated", "--monitor",
        "--monitor-address", "unix:\(socket)",
        "--monitor-control",
      ])
      let watch = process.readErrorLine().split(separator: "=").last.map(String.init) ?? ""
      let control = process.readErrorLine().split(separator: "=").last.map(String.init) ?? ""
      func ask(_ path: String, _ body: String, _ token: String) -> HTTPClient.Response? {
        // Twenty commands a second are taken.
        while true {
          let client = HTTPClient(path: socket)
          let lines = [
            "\(body.isEmpty ? "GET" : "POST") \(path) HTTP/1.1", "Host: localhost", "Authorization: Bearer \(token)",
            "Content-Type: application/json",
            "Content-Length: \(body.utf8.count)",
          ]
          client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
          let response = client.awaitResponse()
          if response?.status != 429 { return response }
          sched_yield()
        }
      }
      #expect(ask("/api/world", #"{"step":"press bell"}"#, control)?.status == 200)
      // The press counts when it has been stable for the debounce time.
      var line: Substring?
      while line == nil {
        line = ask("/api/film?from=1&to=1", "", watch)?.text.split(separator: "\n").first { $0.hasPrefix(#"["e",1,"#) }
      }
      let moment = "\(try #require(line).split(separator: ",")[2])ns"
      for (edit, sentence) in [
        (#"edit 1 [1,\"pressed\"]"#, "there is no device 1"), (#"edit 1 [99,\"pressed\"]"#, "there is no device 99"),
        (#"edit 1 [-1,\"pressed\"]"#, "there is no device -1"),
        (#"insert after 1 at \#(moment) buttons [9,\"pressed\"]"#, "there is no device 9"),
        (#"insert after 1 at \#(moment) remote {\"asked\":{\"_0\":99}}"#, "no event 99 is accepted"),
        (#"insert after 1 at \#(moment) remote {\"set\":{\"value\":99,\"to\":1}}"#, "no value 99 is accepted"),
        (#"insert after 1 at \#(moment) remote {\"input\":{\"_0\":99,\"event\":0}}"#, "no input 99 is accepted"),
        ("frame 1 state 99", "state is 99, and can be -1, 1, 2"),
        ("frame 1 state 9223372036854775807", "is too far from 0"),
        ("frame 1 state.entries 9223372036854775807", "is too far from 0"),
        ("frame 1 state.entries -1", "state.entries is -1"),
      ] {
        let answer = ask("/api/takes", "{\"edits\":[\"\(edit)\"]}", watch)
        #expect(
          answer?.status == 422 && answer?.text.contains(sentence) == true, "\(edit): \(answer?.text ?? "no answer")")
      }
      for (path, body, sentence) in [
        ("/api/inject", #"{"lens":0,"event":[1,"pressed"]}"#, "there is no device 1"),
        ("/api/inject", #"{"lens":3,"event":{"asked":{"_0":99}}}"#, "no event 99 is accepted"),
        ("/api/inject", #"{"lens":3,"event":{"change":{"value":0,"by":9223372036854775807}}}"#, "is too far from 0"),
        (
          "/api/inject", #"{"lens":3,"event":{"change":{"value":0,"by":4611686018427387904}}}"#,
          "is out of range for level"
        ),
        ("/api/show", #"{"set":{"state":99}}"#, "state is 99"),
        ("/api/show", #"{"set":{"state.entries":9223372036854775807}}"#, "is too far from 0"),
        ("/api/show", #"{"set":{"state.entries":9007199254740993}}"#, "state.entries is 9007199254740993"),
      ] {
        let answer = ask(path, body, control)
        #expect(
          answer?.status == 422 && answer?.text.contains(sentence) == true,
          "\(path) \(body): \(answer?.text ?? "no answer")")
      }
      #expect(ask("/api/takes", #"{"edits":["off 1"]}"#, watch)?.status == 200)
      #expect(ask("/api/takes/1/rehearse", "{}", watch)?.status == 200)
      #expect(ask("/api/save", #"{"as":"test","from":1,"to":1}"#, watch)?.status == 200)
      #expect(ask("/api/world", #"{"step":"release bell"}"#, control)?.status == 200)
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
    }
  }

  @Test("a change from outside stops at the ends of a value's range, however large it is")
  func change() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: Level
        values: { level: { initial: 3, min: -5, max: 10 } }
        accept: { set: [ level ] }
        initial: off
        states: { off: {} }

        """.utf8), file: "test")
    let rules = PanelRules(panel: panel)
    for (difference, level) in [(Int.max, 10), (Int.min, -5), (9_999_999_999, 10), (-1, 2)] {
      var frame = rules.seed
      rules.hear(.change(value: 0, by: difference), at: .zero, in: &frame)
      #expect(frame[value: 0] == level)
    }
    var frame = PanelFrame(FrameSizes(regions: 1, inputs: 1), values: [])
    frame.noteLoss(of: .max, at: 0)
    frame.noteLoss(of: .max, at: 0)
    #expect(frame.lossCount == .max)
  }
}
