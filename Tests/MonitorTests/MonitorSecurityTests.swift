import CycleCore
import Glibc
import TestSupport
import Testing

@testable import Monitor

@Suite("who may use the monitor (S1)")
struct MonitorSecurityTests {
  private let inject = #"{"lens":0,"event":"pressed"}"#

  @Test("without a token, with a wrong one or half of one, only the page is there")
  func tokens() throws {
    try withRig { rig in
      #expect(rig.exchange("GET", "/api/panel", token: nil)?.status == 401)
      #expect(rig.exchange("GET", "/api/panel", token: String(MonitorRig.watchToken.dropLast()))?.status == 401)
      #expect(rig.exchange("GET", "/api/panel", token: MonitorRig.watchToken + "a")?.status == 401)
      #expect(rig.exchange("GET", "/api/panel", token: nil, headers: ["Authorization: Basic YTph"])?.status == 401)
      #expect(rig.exchange("GET", "/api/panel?token=\(MonitorRig.watchToken)", token: nil)?.status == 400)
      #expect(rig.exchange("GET", "/api/panel")?.status == 200)
      let page = try #require(rig.exchange("GET", "/", token: nil))
      #expect(page.status == 200)
      #expect(page.headers["set-cookie"] == nil)
    }
  }

  @Test("another Host is refused, on the loopback too")
  func host() throws {
    try withRig { rig in
      for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "[::2]"] {
        #expect(rig.exchange("GET", "/", host: host)?.status == 421, "\(host)")
      }
      for host in ["localhost", "LOCALHOST:8377", "127.0.0.1:9000", "[::1]:8377"] {
        #expect(rig.exchange("GET", "/", host: host)?.status == 200, "\(host)")
      }
    }
  }

  @Test("another site's Origin is refused, and no answer has a CORS header")
  func origin() throws {
    try withRig { rig in
      for origin in ["http://evil.example", "null", "http://localhost:9000", "http://localhost@evil.example"] {
        #expect(rig.exchange("GET", "/api/panel", headers: ["Origin: \(origin)"])?.status == 403, "\(origin)")
      }
      let own = try #require(rig.exchange("GET", "/api/panel", headers: ["Origin: http://localhost"]))
      #expect(own.status == 200)
      #expect(!own.headers.keys.contains { $0.hasPrefix("access-control") })
      #expect(rig.exchange("OPTIONS", "/api/inject", headers: ["Origin: http://localhost"])?.status == 405)
    }
  }

  @Test("a command is POST with application/json, and needs the control token")
  func commands() throws {
    try withRig { rig in
      let control = MonitorRig.controlToken
      #expect(rig.exchange("POST", "/api/inject", token: control, body: inject, type: "text/plain")?.status == 415)
      #expect(
        rig.exchange("POST", "/api/inject", token: control, body: "a=b", type: "application/x-www-form-urlencoded")?
          .status == 415)
      #expect(rig.exchange("GET", "/api/inject", token: control)?.status == 405)
      #expect(rig.exchange("GET", "/api/inject?lens=0&event=pressed", token: control)?.status == 400)
      let refused = try #require(rig.command("/api/inject", inject, token: MonitorRig.watchToken))
      #expect(refused.status == 403)
      #expect(refused.text == #"{"error":"the watch token may only watch"}"#)
      #expect(rig.recorder.offered == 0)
      #expect(rig.command("/api/inject", inject)?.text == #"{"event":1}"#)
    }
  }

  @Test("without --monitor-control there is no control token")
  func noControl() throws {
    try withRig(hasControl: false) { rig in
      #expect(
        rig.command("/api/inject", inject, token: MonitorRig.watchToken)?.text
          == #"{"error":"remote control is off; start the program with --monitor-control"}"#)
      #expect(rig.command("/api/inject", inject)?.status == 401)
    }
  }

  @Test("a body of 65 KiB, one of unknown length and headers of more than 16 KiB are refused")
  func sizes() throws {
    try withRig { rig in
      let large = String(repeating: " ", count: 65 << 10)
      #expect(rig.command("/api/inject", large)?.status == 413)
      #expect(
        rig.exchange(
          "POST", "/api/inject", token: MonitorRig.controlToken,
          headers: ["Content-Type: application/json", "Transfer-Encoding: chunked"])?.status == 411)
      let long = rig.exchange("GET", "/", headers: ["X-Long: " + String(repeating: "x", count: 24 << 10)])
      #expect(long.map { $0.status == 431 } ?? true)
      #expect(rig.exchange("GET", "/", headers: ["Host: evil.example"])?.status == 400)
      #expect(rig.exchange("GET", "/api/panel")?.status == 200)
    }
  }

  @Test("a seventeenth connection is closed, and the first sixteen go on")
  func connections() throws {
    try withRig { rig in
      var clients: [HTTPClient] = []
      for _ in 0..<16 { clients.append(HTTPClient(path: rig.path)) }
      rig.run(clients) { rig.monitor.connections == 16 }
      let another = HTTPClient(path: rig.path)
      another.send(MonitorRig.request("GET", "/"))
      rig.run([another]) { another.isClosed }
      #expect(another.isClosed)
      #expect(another.received.isEmpty)
      for client in clients { #expect(rig.exchange("GET", "/api/panel", over: client)?.status == 200) }
    }
  }

  @Test("a ninth watcher is refused")
  func watchers() throws {
    try withRig { rig in
      let clients = (0..<8).map { _ in rig.watcher() }
      #expect(clients.allSatisfy { $0.head()?.response.status == 200 })
      #expect(rig.exchange("GET", "/api/events")?.status == 503)
    }
  }

  @Test("more than 20 commands in a second are refused")
  func commandRate() {
    var budget = CommandBudget()
    var now = Moment(nanoseconds: 5_000_000_000)
    func taken(of count: Int) -> Int { (0..<count).count { _ in budget.take(at: now) } }
    #expect(taken(of: 21) == 20)
    now = now + .milliseconds(49)
    #expect(taken(of: 2) == 0)
    now = now + .milliseconds(2)
    #expect(taken(of: 2) == 1)
    now = now + .seconds(100)
    #expect(taken(of: 30) == 20)
  }

  @Test("the page may load nothing, and what is sent is not kept")
  func headers() throws {
    try withRig { rig in
      let headers = try #require(rig.exchange("GET", "/", token: nil)?.headers)
      let policy = try #require(headers["content-security-policy"])
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(headers["cache-control"] == "no-store")
      #expect(headers["x-content-type-options"] == "nosniff")
      #expect(headers["referrer-policy"] == "no-referrer")
    }
  }

  @Test("the socket is its owner's only, and is removed at the end")
  func socket() throws {
    try withFiles { folder in
      let rig = try MonitorRig(in: folder)
      var status = stat()
      #expect(lstat(rig.path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      rig.end()
    }
  }

  @Test("tokens in a file stay the same, and nobody else may read them")
  func tokenFile() throws {
    try withFiles { folder in
      let path = folder + "/tokens"
      let first = try MonitorTokens.kept(in: path, hasControl: true)
      #expect(try MonitorTokens.kept(in: path, hasControl: true) == first)
      #expect(try MonitorTokens.kept(in: path, hasControl: false).control == nil)
      #expect(first.watch.utf8.count == 32 && first.control != first.watch)
      chmod(path, 0o644)
      #expect(throws: (any Error).self) { try MonitorTokens.kept(in: path, hasControl: true) }
    }
  }
}
