import CycleCore
import Glibc
import Monitor
import TestSupport
import Testing

@testable import HardwarePlatform

@Suite("Takes that are played in another process")
struct ReplaySubprocessTests {
  private func refusal(_ body: () throws(MonitorRefusal) -> Void) -> String {
    do throws(MonitorRefusal) {
      try body()
      return "done"
    } catch {
      return "\(error.status) \(error.text)"
    }
  }

  private func refusal(ofProcess words: String, within limit: Duration = .seconds(60)) -> String {
    let takes = ReplaySubprocess(command: ["sh", "-c", words], within: limit)
    return refusal { () throws(MonitorRefusal) in
      _ = try takes.play(recording: Array("{}\n".utf8), edits: ["off 1"], isResimulated: false)
    }
  }

  @Test("whatever happens to that process is a refusal: a trap, a wrong end, silence, nonsense, too much, too late")
  func processes() {
    let rest =
      ". The panel continues. Download the recording, and open it with panel recording edit or panel recording replay."
    #expect(
      refusal(ofProcess: "kill -ILL $$")
        == "422 this can't be played: the process that played it was ended by signal \(SIGILL)" + rest)
    #expect(
      refusal(ofProcess: "exit 3") == "422 this can't be played: the process that played it ended with 3" + rest)
    #expect(
      refusal(ofProcess: "cat >/dev/null") == "422 this can't be played: the process that played it gave no reply"
        + rest)
    #expect(refusal(ofProcess: "cat >/dev/null; echo '{\"played\":7}'").hasPrefix("422 this can't be played"))
    #expect(
      refusal(ofProcess: "yes").hasPrefix("422 this can't be played: the process that played it printed more than"))
    #expect(
      refusal(ofProcess: "sleep 600", within: .milliseconds(50)) == "422 playing this needs more than 0.05 seconds"
        + rest)
    let missing = ReplaySubprocess(command: ["/no/such/program"], within: .seconds(60))
    #expect(
      refusal { () throws(MonitorRefusal) in _ = try missing.frame(1, of: []) }.hasPrefix(
        "409 edited recordings can't be played here: this program can't be started a second time."))
  }

  @Test("the process gets the request, and what it answers is the result")
  func answers() throws {
    let played = PlayedRecording(
      recording: Array("{\"film\":1}\n[\"x\"]\n".utf8), digest: FNV1aHash(), events: 3, frame: 2, first: 1,
      ghosts: [4: 0, 2: 7])
    try withFiles(["answer": String(decoding: ReplayReply.played(played).bytes, as: UTF8.self)]) { folder in
      let takes = ReplaySubprocess(
        command: ["sh", "-c", "cat > \(folder)/request; cat \(folder)/answer"], within: .seconds(60))
      let recording = Array("{\"film\":1}\n".utf8)
      #expect(try takes.play(recording: recording, edits: ["note 1 \"a\nb\""], isResimulated: true) == played)
      let request = try ReplayRequest(#require(bytes(of: "\(folder)/request")))
      #expect(
        request == ReplayRequest(act: .play, edits: ["note 1 \"a\nb\""], isResimulated: true, recording: recording))
    }
  }

  @Test("each answer reads back as it was written")
  func messages() throws {
    for answer: ReplayReply in [
      .refused(MonitorRefusal(422, "there is\nno event 9")), .saved("scenario: x\n"), .frame(nil),
      .frame(PlayedFrame(value: #"{"count":1}"#, models: [nil, #"{"level":1}"#])),
      .played(PlayedRecording(recording: [], digest: FNV1aHash(), events: 0, frame: 0, first: 0)),
    ] {
      #expect(try ReplayReply(answer.bytes) == answer)
    }
    for wrong in [
      "", "{}", "{}\n", "{\"refused\":\"x\"}\n", "{\"played\":\"0000000000000000\",\"numbers\":[1]}\n", "[[[[\n",
    ] {
      #expect(throws: RecordingTextFault.self, "\(wrong)") { try ReplayReply(Array(wrong.utf8)) }
    }
    #expect(throws: RecordingTextFault.self) { try ReplayRequest(Array("{\"act\":\"kill\"}\n".utf8)) }
  }

  @Test("the other side does what is asked for, and answers what can't be read with a refusal")
  func player() {
    struct Echo: MonitorRecordingEditor {
      func play(recording: [UInt8], edits: [String], isResimulated: Bool) throws(MonitorRefusal) -> PlayedRecording {
        guard edits.isEmpty else { throw MonitorRefusal(422, edits.joined()) }
        return PlayedRecording(
          recording: recording, digest: FNV1aHash(), events: 0, frame: 0, first: isResimulated ? 1 : 0)
      }
      func save(recording: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String {
        "\(form) \(events)"
      }
      func frame(_ number: Int, of recording: [UInt8]) throws(MonitorRefusal) -> PlayedFrame? {
        PlayedFrame(value: "\(number)", models: [])
      }
    }
    func answer(_ request: ReplayRequest) -> ReplayReply { ReplaySubprocessMain.answer(to: request.bytes, Echo()) }
    #expect(
      answer(ReplayRequest(act: .play, isResimulated: true, recording: [7]))
        == .played(PlayedRecording(recording: [7], digest: FNV1aHash(), events: 0, frame: 0, first: 1)))
    #expect(
      answer(ReplayRequest(act: .play, edits: ["off 1"], recording: [])) == .refused(MonitorRefusal(422, "off 1")))
    #expect(
      answer(ReplayRequest(act: .save, form: .scenario, from: 2, to: 5, recording: [])) == .saved("scenario 2...5"))
    #expect(
      answer(ReplayRequest(act: .frame, from: 3, to: 3, recording: [])) == .frame(PlayedFrame(value: "3", models: [])))
    guard case .refused(let refusal) = ReplaySubprocessMain.answer(to: Array("what?".utf8), Echo()) else {
      Issue.record("it was done")
      return
    }
    #expect(refusal.status == 400)
  }

  @Test("a process that was not started for it plays nothing")
  func others() {
    struct None: MonitorRecordingEditor {
      func play(recording: [UInt8], edits: [String], isResimulated: Bool) throws(MonitorRefusal) -> PlayedRecording {
        throw MonitorRefusal(0, "")
      }
      func save(recording: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String {
        ""
      }
    }
    #expect(ReplaySubprocessMain.run(None()) == nil)
  }
}
