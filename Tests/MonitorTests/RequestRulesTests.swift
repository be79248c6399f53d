import Testing

@testable import Monitor

@Suite("addresses and requests")
struct RequestRulesTests {
  @Test("an address is a number with a port, or the path of a socket")
  func addresses() {
    #expect(ListenAddress("127.0.0.1:8377") == .network(host: "127.0.0.1", port: 8377))
    #expect(ListenAddress("[::1]:0") == .network(host: "::1", port: 0))
    #expect(ListenAddress("unix:/run/panel.sock") == .unix("/run/panel.sock"))
    for text in [
      "", "8377", "localhost:8377", "127.0.0.1", "127.0.0.1:65536", "::1:80", "1.2.3:80", "unix:run", "127.0.0.1:-1",
    ] {
      #expect(ListenAddress(text) == nil, "\(text)")
    }
    #expect(ListenAddress("127.3.2.1:80")?.isLocal == true)
    #expect(ListenAddress("[::1]:80")?.isLocal == true)
    #expect(ListenAddress("0.0.0.0:80")?.isLocal == false)
    #expect(ListenAddress("192.168.1.7:80")?.hosts.contains("192.168.1.7") == true)
  }

  @Test(
    "a Host is a name with a port of digits, or without one; anything else behind a colon belongs to the name",
    arguments: [
      ("localhost", "localhost"), ("LOCALHOST:8377", "localhost"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"),
      ("127.0.0.1:evil.example", "127.0.0.1:evil.example"), ("localhost:80.evil.example", "localhost:80.evil.example"),
      ("localhost:", "localhost:"), ("localhost:123456", "localhost:123456"), ("localhost:-1", "localhost:-1"),
    ])
  func hosts(host: String, name: String) { #expect(RequestRules.name(of: host) == name) }

  @Test("each request has its route; other targets and methods are refused")
  func routes() throws {
    #expect(try Route("GET", "/?anything") == .page)
    #expect(try Route("GET", "/api/events?from=12") == .events(from: 12))
    #expect(try Route("GET", "/api/film?from=3&to=7") == .recording(from: 3, to: 7))
    #expect(try Route("POST", "/api/takes/12/rehearse") == .resimulate(12))
    let refused: [(String, String, Int)] = [
      ("GET", "/../etc/passwd", 404), ("GET", "/api", 404), ("GET", "//api/panel", 404), ("GET", "", 404),
      ("GET", "/api/frame/", 404), ("GET", "/api/frame/-1", 404), ("GET", "/api/frame/1e3", 404),
      ("GET", "/api/frame/99999999999999999999", 404), ("GET", "/api/takes/1/erase", 404),
      ("POST", "/", 405), ("HEAD", "/api/panel", 405), ("DELETE", "/api/takes/1/film", 405),
      ("GET", "/api/events?from=", 400), ("GET", "/api/events?from=1&from=2", 400), ("GET", "/api/events?until=2", 400),
      ("GET", "/api/panel?x=1", 400), ("GET", "/api/events?from", 400),
    ]
    for (method, target, status) in refused {
      do {
        let route = try Route(method, target)
        Issue.record("\(method) \(target) is \(route)")
      } catch {
        #expect(error.status == status, "\(method) \(target): \(error.text)")
      }
    }
  }

  @Test("tokens are compared as a whole")
  func tokens() {
    let tokens = MonitorTokens.random(hasControl: true)
    #expect(tokens.access(with: tokens.watch) == .watch)
    #expect(tokens.access(with: tokens.control!) == .control)
    #expect(tokens.access(with: "") == .none)
    #expect(
      tokens.access(with: tokens.watch.uppercased()) == (tokens.watch.uppercased() == tokens.watch ? .watch : .none))
    #expect(MonitorTokens(watch: tokens.watch, control: nil).access(with: tokens.control!) == .none)
    #expect(MonitorTokens.random(hasControl: false).watch != tokens.watch)
  }
}
