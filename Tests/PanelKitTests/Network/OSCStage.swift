import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelRun

/// A panel that speaks Open Sound Control with programs in memory, in virtual time. After each step every message must
/// be accounted for.
final class OSCStage {
  static let show = """
    panel: Show
    inputs:
      bell: { button: GPIO17 }
      mute: { switch: GPIO27 }
      knob: { encoder: [GPIO5, GPIO6] }
      warm: { sensor: { file: /run/warm }, min: 0, max: 40, decimals: 1 }
    outputs: { lamp: { led: GPIO23 } }
    sounds: { chime: { tone: 440Hz, for: 500ms } }
    values:
      level: { initial: 7, min: 0, max: 10 }
      wait:  { initial: 1s, min: 0s, max: 5s }
      code:  { list: 3, min: 0, max: 9 }
    accept: { set: [ level, wait ], press: [ bell ], turn: [ knob ], event: [ light ] }
    osc: { send: [ "qlab.lan:53000", "desk.lan:8000" ], accept: "0.0.0.0:9000" }
    on:
      knob.clockwise: { set: { level: +1, code: append 3 }, send: { osc: /fader/1, with: [ "{level * 10}", 0.5, go, true, "{warm}", "{wait}" ] } }
      warm.lost: { set: { level: 0 } }
      network.light: { send: { osc: /light } }
    initial: idle
    states:
      idle: { enter: { send: { osc: /idle } }, on: { bell.pressed: { go: ringing, if: mute == off } } }
      ringing:
        show: { lamp: { blink: 250ms } }
        play: [ chime ]
        enter: { send: [ { osc: "/cue/5/start" }, { osc: /cue/6/start } ] }
        exit: { send: { osc: "/cue/5/stop" } }
        on: { bell.pressed: ringing }
        after: { wait: { go: idle, send: { osc: /over } } }

    """

  let stage: Stage
  let receivers: [SimulatedOSC]
  /// What sends commands to the panel.
  let desk: SimulatedOSC?
  private var seen = 0

  /// - Parameters:
  ///   - text: of a panel file with `osc`.
  ///   - prepare: what is done to what the panel speaks with, before it starts.
  init(_ text: String = show, _ prepare: ([SimulatedOSC]) -> Void = { _ in }) throws {
    var all: [SimulatedOSC] = []
    stage = try Stage(panel: text) { stage in
      all = stage.session.platform.simulated(named: "network").compactMap { $0 as? SimulatedOSC }
      prepare(all)
    }
    let osc = try #require(stage.session.panel.osc)
    receivers = Array(all.prefix(osc.receivers.count))
    desk = osc.listening == nil ? nil : all.last
    try stage.session.bench.settle()
  }

  var connection: OSCConnection { stage.session.application.osc! }

  /// Takes steps, after each of which every message must be accounted for.
  func take(_ steps: String) throws {
    for step in steps.split(separator: ";") {
      let failures = try stage.take(String(step))
      #expect(failures.isEmpty, "\(failures)")
      for publisher in connection.publishers {
        #expect(publisher.messages.account.isBalanced, "\(publisher.messages.account)")
      }
    }
  }

  /// Somebody sends a message to the panel.
  func send(_ address: String, _ arguments: OSCArgument...) throws {
    desk?.send(OSCMessage(address, arguments))
    try stage.session.bench.settle()
  }

  /// What the first receiver has got since the last call, in words, without `/panel/show`.
  func arrived() -> [String] {
    defer { seen = receivers[0].arrivals.count }
    return receivers[0].arrivals[seen...].map { arrival in
      let words = arrival.message.words
      return words.hasPrefix("/panel/show/") ? String(words.dropFirst(11)) : words
    }
  }
}
