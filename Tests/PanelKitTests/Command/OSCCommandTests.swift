import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import TestSupport
import Testing

@testable import PanelKit

/// A program beside the panel: hears what the panel sends, and sends to it, over UDP on this machine.
private final class ShowProgram {
  let receiver: OSCEndpoint
  /// A port that nobody has, for the panel.
  let panel: OSCEndpoint
  private let listener: OSCListener
  private let sender: OSCSender
  private let clock = WorkClock(at: .zero)
  private var heard: [String] = []

  init() throws {
    (receiver, listener) = try Self.listening()
    let (free, other) = try Self.listening()
    other.close()
    panel = free
    sender = OSCSender(to: free)
    try sender.open(on: clock)
  }

  static func listening() throws -> (OSCEndpoint, OSCListener) {
    for _ in 0..<100 {
      let endpoint = OSCEndpoint(host: "127.0.0.1", port: .random(in: 20000...32000))
      let listener = OSCListener(at: endpoint)
      if (try? listener.open(on: WorkClock(at: .zero))) != nil {
        return (endpoint, listener)
      }
    }
    throw DriverError(.absent, of: "127.0.0.1", cannot: "find a free port", reason: "all are taken", remedy: "")
  }

  func send(_ datagram: [UInt8]) throws {
    // As the sender writes it: the address, then the rest.
    let end = datagram.firstIndex(of: 0) ?? datagram.count
    let rest = Array(datagram.dropFirst((end / 4 + 1) * 4))
    let address = String(decoding: datagram.prefix(end), as: UTF8.self)
    try rest.withUnsafeBytes { try sender.send($0, to: address) }
  }

  /// Waits until a message has come, in words; a minute at most.
  ///
  /// - Parameter datagram: is sent again and again meanwhile.
  func hears(_ words: String, sending datagram: [UInt8]? = nil) throws -> Bool {
    for _ in 0..<600 {
      if let datagram { try send(datagram) }
      try listener.receive(on: clock) { message in
        let payload = String(decoding: message.payload, as: UTF8.self)
        heard.append(payload.isEmpty ? message.topic : "\(message.topic) \(payload)")
      }
      if heard.contains(words) { return true }
      var polled = listener.descriptors.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
      poll(&polled, nfds_t(polled.count), 100)
    }
    return false
  }
}

@Suite("A panel that speaks Open Sound Control on this machine", .serialized)
struct OSCCommandTests {
  private func text(_ receiver: OSCEndpoint, _ panel: OSCEndpoint) -> String {
    """
    panel: Show
    inputs: { bell: { button: GPIO1 } }
    outputs: { lamp: { led: GPIO10 } }
    values: { level: { initial: 7, min: 0, max: 10 } }
    accept: { set: [ level ], press: [ bell ], event: [ dark ] }
    osc: { send: [ "\(receiver.text)" ], accept: "\(panel.text)" }
    initial: idle
    states:
      idle: { on: { bell.pressed: lit } }
      lit: { show: { lamp: on }, enter: { send: { osc: "/cue/5/start", with: [ "{level}" ] } }, on: { network.dark: idle } }

    """
  }

  @Test("it tells a receiver, does what is accepted, and logs what is refused")
  func show() throws {
    let program = try ShowProgram()
    try withFiles(["show.panel.yaml": text(program.receiver, program.panel)]) { folder in
      let process = PanelProcess(
        ["run", "--gpio", "simulated", "\(folder)/show.panel.yaml"], environment: ["PANEL_ID=stage"])
      #expect(try program.hears("/panel/stage/state/main idle"))
      // Nobody knows when the panel listens.
      let nine = OSCMessage("/panel/stage/set/level", [.real(9)]).datagram
      #expect(try program.hears("/panel/stage/value/level 9", sending: nine))
      try program.send(OSCMessage("/panel/stage/press/bell").datagram)
      #expect(try program.hears("/cue/5/start 9"))
      #expect(try program.hears("/panel/stage/event/bell released"))
      try program.send(OSCMessage("/panel/stage/do/dark", [.integer(1)]).datagram)
      #expect(try program.hears("/panel/stage/output/lamp 0 off"))
      try program.send(OSCMessage("/panel/stage/set/level", [.integer(99)]).datagram)
      #expect(process.readErrorLine() == "Show: osc refused: set/level 99: level is 0 to 10; 99 is outside")
      process.send(SIGTERM)
      #expect(process.finish() == .init(status: 0, output: "", errors: ""))
    }
  }

  @Test("a port that another program has, and a receiver that nobody knows, are logged, and the panel works")
  func trouble() throws {
    let (taken, other) = try ShowProgram.listening()
    defer { other.close() }
    let nowhere = OSCEndpoint(host: "nowhere.invalid", port: 9)
    withFiles(["show.panel.yaml": text(nowhere, taken)]) { folder in
      let process = PanelProcess(
        ["run", "--gpio", "simulated", "--log-level", "info", "\(folder)/show.panel.yaml"])
      let lines = [process.readErrorLine(), process.readErrorLine(), process.readErrorLine()]
      #expect(lines.contains { $0.hasPrefix("Show: running: ") }, "\(lines)")
      #expect(
        lines.contains {
          $0.hasPrefix(
            "Show: osc at \(taken.text) lost: cannot listen for OSC at \(taken.text): another program uses this port")
        }, "\(lines)")
      #expect(
        lines.contains {
          $0.hasPrefix(
            "Show: osc to nowhere.invalid:9 lost: cannot send OSC to nowhere.invalid:9: the name nowhere.invalid is not known"
          )
        }, "\(lines)")
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
    }
  }

  @Test("with --network simulated nothing is sent and nothing is heard")
  func simulated() throws {
    let (taken, other) = try ShowProgram.listening()
    defer { other.close() }
    withFiles(["show.panel.yaml": text(taken, taken)]) { folder in
      let process = PanelProcess(
        [
          "run", "--gpio", "simulated", "--network", "simulated", "--log-level", "info", "\(folder)/show.panel.yaml",
        ])
      #expect(process.readErrorLine().hasPrefix("Show: running: "))
      process.send(SIGTERM)
      let result = process.finish()
      #expect(result.status == 0 && result.errors == "Show: stopped\n", "\(result)")
    }
  }
}
