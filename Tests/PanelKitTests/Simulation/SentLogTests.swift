import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("Messages that scenarios expect")
struct SentLogTests {
  @Test("sent takes exactly the messages since the last one, in their order")
  func expected() throws {
    let stage = try OSCStage()
    #expect(try stage.stage.take("expect sent=/idle") == [])
    #expect(try stage.stage.take("click bell; expect sent=/cue/5/start,/cue/6/start; expect sent=") == [])
    #expect(
      try stage.stage.take("wait 2s; expect sent=/over")
        == ["expected to send /over; it has sent /cue/5/stop, /over, /idle"])
    #expect(try stage.stage.take("expect sent=/over") == ["expected to send /over; it has sent nothing"])
  }

  @Test("a panel that starts anew has sent what it sends at its start")
  func restart() throws {
    let stage = try OSCStage()
    try stage.take("click bell; power-cut 1s; expect sent=/idle; restart after=stop; expect sent=/idle")
  }

  @Test("an address that the panel never sends, and a panel that sends none, are told")
  func wrong() throws {
    let stage = try OSCStage()
    let problems = thrown(Problems.self) { _ = try stage.stage.take("expect sent=/cue/5/strat") }
    #expect(problems?.list.map(\.text) == [#"the panel never sends "/cue/5/strat"; did you mean "/cue/5/start"?"#])
    let silent = try Stage("initial: a\nstates: { a: }\n")
    let others = thrown(Problems.self) { _ = try silent.take("expect sent=/go") }
    #expect(others?.list.map(\.text) == [#"the panel sends no messages; leave "sent" out"#])
  }

  @Test("a simulation tells what is sent, and nothing new must be sent in a step nothing")
  func simulation() throws {
    let stage = try OSCStage()
    let session = stage.stage.session
    _ = session.changes()
    try stage.take("click bell")
    #expect(session.changes().contains { $0.subject == .sent && $0.text == "/cue/5/start, /cue/6/start" })
    #expect(session.view.wholeLine.contains(text: "sent=/cue/6/start"))
    let failures = try stage.stage.take("wait 10ms; nothing 3s")
    #expect(failures.count == 1, "\(failures)")
  }
}
