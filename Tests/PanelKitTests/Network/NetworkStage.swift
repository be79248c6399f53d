import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelRun

/// A panel on a simulated broker, in virtual time. After each frame and each step every message must be accounted for.
final class NetworkStage {
  static let doorbell = """
    panel: Doorbell
    inputs:
      bell: { button: GPIO17 }
      mute: { switch: GPIO27 }
      knob: { encoder: [GPIO5, GPIO6] }
      warm: { sensor: { file: /run/warm }, min: 0, max: 40, decimals: 1 }
    outputs:
      lamp: { led: GPIO23 }
      bar:  { bar: [GPIO12, GPIO13, GPIO16, GPIO19] }
      lock: { relay: GPIO24, active: low }
    sounds: { chime: { tone: 440Hz, for: 500ms } }
    values:
      level: { initial: 7, min: 0, max: 10 }
      rings: { initial: 0, min: 0, max: 999 }
      wait:  { initial: 1s, min: 0s, max: 5s }
      code:  { list: 3, min: 0, max: 9 }
    accept: { set: [ level, wait ], press: [ bell ], turn: [ knob ] }
    mqtt: { publish: all, discovery: homeassistant }
    on:
      knob.clockwise: { set: { level: +1, code: append 3 } }
      warm.lost: { set: { rings: 0 } }
    show: { bar: level }
    initial: idle
    states:
      idle:
        on: { bell.pressed: { go: ringing, if: mute == off } }
      ringing:
        show: { lamp: { blink: 250ms } }
        play: [ chime ]
        enter: { set: { rings: +1 } }
        on: { bell.pressed: ringing }
        after: { wait: idle }

    """

  let stage: Stage
  let broker: SimulatedBroker
  private var seen = 0

  /// - Parameters:
  ///   - text: of a panel file with `mqtt`.
  ///   - prepare: what is done to the broker before the panel starts.
  init(
    _ text: String = doorbell, kinds: KindList = .standard, _ prepare: (SimulatedBroker) -> Void = { _ in }
  ) throws {
    var broker: SimulatedBroker?
    stage = try Stage(panel: text, kinds: kinds) { stage in
      broker = stage.session.platform.simulated(named: "network").first as? SimulatedBroker
      broker.map(prepare)
      stage.session.application.cycle.observe { [publisher = stage.session.application.network?.publisher] _, _ in
        #expect(publisher?.messages.account.isBalanced == true)
      }
    }
    self.broker = try #require(broker)
    try stage.session.bench.settle()
  }

  var network: MQTTConnection { stage.session.application.network! }
  var account: OutboxCounts { network.publisher.messages.account }

  /// Takes steps, after each of which every message must be accounted for, and lets what is told arrive.
  func take(_ steps: String) throws {
    for step in steps.split(separator: ";") {
      let failures = try stage.take(String(step))
      #expect(failures.isEmpty && account.isBalanced, "\(failures) \(account)")
    }
  }

  /// Somebody publishes a message.
  func publish(_ payload: String, to topic: String, isRetained: Bool = false) throws {
    broker.publish(payload, to: topic, isRetained: isRetained)
    try stage.session.bench.settle()
    #expect(account.isBalanced)
  }

  /// What has arrived since the last call: `r` for a retained message, the topic without `panel/doorbell/`, the
  /// payload.
  func arrived() -> [String] {
    defer { seen = broker.messages.count }
    return broker.messages[seen...].map { message in
      let topic = message.topic.hasPrefix("panel/doorbell/") ? String(message.topic.dropFirst(15)) : message.topic
      return "\(message.isRetained ? "r " : "")\(topic) \(message.payload)"
    }
  }
}
