import Glibc
import TestSupport
import Testing

@Suite("The option --monitor")
struct MonitorOptionTests {
  private static let doorbell = "Examples/doorbell/doorbell.panel.yaml"

  @Test("options that need another, and addresses that are none, are refused")
  func misuse() {
    for (arguments, text) in [
      (["--monitor-control"], "--monitor-control needs --monitor"),
      (["--monitor-address", "127.0.0.1:0"], "--monitor-address needs --monitor"),
      (["--monitor", "unix:/tmp/x"], "--monitor takes no value; did you mean --monitor-address unix:/tmp/x?"),
      (["--monitor=unix:/tmp/x"], "--monitor takes no value; did you mean --monitor-address unix:/tmp/x?"),
      (["--monitor-tokens", "/tmp/x"], "--monitor-tokens needs --monitor"),
      (
        ["--monitor", "--monitor-address", "8377"],
        "--monitor-address must be 127.0.0.1:PORT or unix:PATH, not \"8377\""
      ),
      (
        ["--monitor", "--monitor-address", "0.0.0.0:8377"],
        "other machines can reach this address; add --monitor-listen to allow that (nothing is encrypted)"
      ),
    ] {
      let result = PanelProcess.run(["run", Self.doorbell, "--gpio", "simulated"] + arguments)
      #expect(result.status == 64)
      #expect(result.errors.contains(text), "\(result.errors)")
    }
  }

  @Test("a panel that runs is watched and operated at the addresses that it writes, until it ends")
  func watched() throws {
    try withFiles { folder in
      let socket = folder + "/panel.sock"
      let process = PanelProcess([
        "run", Self.doorbell, "--gpio", "simulated", "--audio", "simulated", "--monitor", "--monitor-address",
        "unix:\(socket)",
        "--monitor-control",
      ])
      let watch = process.readErrorLine()
      #expect(watch.hasPrefix("monitor: watch  unix:\(socket) http://localhost/#token="), "\(watch)")
      let control = process.readErrorLine()
      let token = control.split(separator: "=").last.map(String.init) ?? ""
      func ask(_ request: String, body: String? = nil) -> HTTPClient.Response? {
        let client = HTTPClient(path: socket)
        var lines = ["\(request) HTTP/1.1", "Host: localhost", "Authorization: Bearer \(token)"]
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        return client.awaitResponse()
      }
      let panel = try #require(ask("GET /api/panel"))
      #expect(panel.status == 200)
      #expect(panel.text.contains(#""control":true,"simulated":true,"#))
      #expect(panel.text.contains(#""panel":{"name":"#))
      #expect(ask("POST /api/world", body: #"{"step":"press bell"}"#)?.status == 200)
      #expect(ask("POST /api/takes", body: #"{"edits":["off 1"]}"#).map { [200, 422].contains($0.status) } == true)
      let page = try #require(ask("GET /"))
      #expect(page.headers["content-encoding"] == "gzip")
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
      #expect(access(socket, F_OK) != 0)
    }
  }

  @Test("an address that another program has is refused with what to do")
  func busy() throws {
    withFiles { folder in
      let socket = "unix:\(folder)/panel.sock"
      let first = PanelProcess([
        "run", Self.doorbell, "--gpio", "simulated", "--audio", "simulated", "--monitor", "--monitor-address",
        "\(socket)",
      ])
      #expect(first.readErrorLine().hasPrefix("monitor: watch"))
      let second = PanelProcess.run(
        [
          "run", Self.doorbell, "--gpio", "simulated", "--audio", "simulated", "--monitor", "--monitor-address",
          "\(socket)",
        ])
      #expect(second.status == 69)
      #expect(second.errors.contains("cannot listen on \(socket): another program uses this port"), "\(second.errors)")
      first.send(SIGTERM)
      #expect(first.finish().status == 0)
    }
  }
}
