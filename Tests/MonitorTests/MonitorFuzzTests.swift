import CycleCore
import Glibc
import HardwareSimulation
import TestSupport
import Testing

@testable import Monitor

/// `FUZZ_REQUESTS` is the number of random requests; `FUZZ_SEED` is their seed.
@Suite("Random requests")
struct MonitorFuzzTests {
  private static func number(_ name: String, or standard: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? standard
  }

  private static let methods = ["GET", "POST", "PUT", "HEAD", "OPTIONS", "", "G\u{0}T", "get"]
  private static let targets = [
    "/", "/api/panel", "/api/account", "/api/inject", "/api/world", "/api/show", "/api/note", "/api/approve",
    "/api/save",
    "/api/takes", "/api/takes/1/edits", "/api/takes/1/rehearse", "/api/takes/1/film", "/api/film?from=1&to=3",
    "/api/film.recording", "/api/frame/0", "/api/events?from=1",
  ]
  private static let bodies = [
    #"{"lens":0,"event":"pressed"}"#, #"{"step":"press key"}"#, #"{"step":"release key"}"#, #"{"frame":0}"#,
    #"{"set":{"count":3,"isBeeping":true}}"#, #"{"event":1,"text":"a"}"#, #"{"event":1,"approved":false}"#,
    #"{"as":"recording","from":1,"to":2}"#, #"{"edits":["off 1"]}"#, "{}", "",
  ]

  /// A text of the list with some of its bytes changed, taken out or repeated; mostly none.
  private static func mutated(_ texts: [String], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(texts.randomElement(using: &random)!.utf8)
    for _ in 0..<max(0, Int.random(in: -14...4, using: &random)) where !bytes.isEmpty {
      let place = bytes.indices.randomElement(using: &random)!
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(Array("{}[]\",:0-9e\\u".utf8).randomElement(using: &random)!, at: place)
      case 3: bytes += bytes[place...]
      default: bytes.insert(contentsOf: repeatElement(bytes[place], count: 40), at: place)
      }
    }
    return Array(bytes.prefix(64 << 10))
  }

  @Test("each random request is answered with a status and a sentence")
  func requests() throws {
    let seed = UInt64(Self.number("FUZZ_SEED", or: Int.random(in: 0..<1 << 32)))
    let count = Self.number("FUZZ_REQUESTS", or: 20_000)
    var random = SeededGenerator(seed: seed)
    try withRig { rig in
      let tokens = [MonitorRig.watchToken, MonitorRig.controlToken]
      var answered: [Int: Int] = [:]
      for number in 0..<count {
        var head = RequestHead(
          Self.text(
            Self.mutated(Int.random(in: 0...9, using: &random) == 0 ? Self.methods : ["GET", "POST"], &random)),
          Self.text(Self.mutated(Self.targets, &random)))
        head.host = Self.text(Self.mutated(["localhost", "127.0.0.1:8377", "[::1]"], &random))
        if Bool.random(using: &random) { head.origin = Self.text(Self.mutated(["http://localhost", "null"], &random)) }
        head.authorization = Self.text(Self.mutated(tokens.map { "Bearer \($0)" }, &random))
        head.contentType = Self.text(Self.mutated(["application/json", "application/json; charset=utf-8"], &random))
        head.contentLength = Self.text(Self.mutated(["2", "100", "70000"], &random))
        let body = Self.mutated(Self.bodies, &random)
        let answer = Self.answer(to: head, body, of: rig.monitor)
        answered[answer.status, default: 0] += 1
        let isRefusal = answer.status >= 400
        guard isRefusal else { continue }
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.hasPrefix(#"{"error":""#) && text.hasSuffix("\"}"), "seed \(seed), request \(number): \(text)")
      }
      print(
        "seed \(seed): \(answered.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", "))"
      )
      #expect(answered[200, default: 0] > count / 100)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// What the monitor answers, as over a connection, but for the limit of commands in a second.
  private static func answer(to head: RequestHead, _ body: [UInt8], of monitor: Monitor) -> HTTPAnswer {
    do {
      let (route, access) = try monitor.rules.check(head)
      let reply = body.withUnsafeBufferPointer { monitor.reply(to: route, access, $0) }
      switch reply {
      case .now(let answer): return answer
      case .later(let job): return job()(monitor)
      }
    } catch {
      return error.answer
    }
  }

  @Test("random bytes on a connection end with an answer or its end, and the monitor continues")
  func connections() throws {
    let seed = UInt64(Self.number("FUZZ_SEED", or: Int.random(in: 0..<1 << 32)))
    var random = SeededGenerator(seed: seed)
    try withRig { rig in
      let whole =
        Self.targets.dropLast().map { MonitorRig.request("GET", $0) }
        + Self.bodies.map { MonitorRig.request("POST", "/api/inject", token: MonitorRig.controlToken, body: $0) }
      for _ in 0..<Self.number("FUZZ_REQUESTS", or: 20_000) / 50 {
        let client = HTTPClient(path: rig.path)
        client.send(Self.mutated(Array(whole), &random))
        for _ in 0..<3 {
          rig.turn(within: 1)
          client.pump()
        }
      }
      #expect(rig.exchange("GET", "/api/panel")?.status == 200, "seed \(seed)")
    }
  }
}
