import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// A panel's connection to its broker: the driver of its lens, the messages that it publishes, and the commands that it
/// receives.
package final class MQTTConnection {
  /// A client without events: a command is performed immediately, and is an event of the remote lens.
  package typealias Client = MessagingDriver<Never>

  package let publisher: PanelPublisher
  package let commands: NetworkCommandHandler
  package let client: Client
  /// Whether the broker has accepted the connection, and no loss of it is known.
  package var isConnected: Bool { publisher.messages.isConnected }

  package var numbers: [MessageCount] { publisher.messages.numbers }

  /// Returns nil for a panel without `mqtt`.
  ///
  /// - Parameters:
  ///   - place: the place of the broker; nil for one in memory.
  ///   - platform: provides the broker.
  ///   - remote: performs commands.
  ///   - chance: the seed for the retry times of a simulated broker.
  package init?(
    of panel: PanelDefinition, at place: MQTTEnvironment?, on platform: Platform, asking remote: RemoteCommandInput,
    chance: UInt64
  ) {
    guard panel.mqtt != nil else { return nil }
    let place = place ?? MQTTEnvironment(simulated: panel)
    let broker = platform.hardware(at: place.port)
    let isSimulated = platform.simulated(at: place.port) != nil
    let now: () -> Moment = { [bench = platform.bench] in bench.now }
    publisher = PanelPublisher(
      of: panel, at: place, PanelRendering(panel: panel), seed: PanelRules(panel: panel).seed,
      isSimulated ? .simulated : RealtimeOffset(of: now), now: now)
    let chance: any RandomNumberGenerator =
      isSimulated ? SeededGenerator(seed: chance) : SystemRandomNumberGenerator()
    let (told, topics) = (publisher, publisher.topics)
    let commands = NetworkCommandHandler(
      of: panel, by: remote, id: place.id, as: .init(number: -1), now: now,
      tellAll: { [unowned told] in told.messages.tellAll() },
      refuse: { [unowned told] in told.refuse($0, $1, $2) })
    self.commands = commands
    publisher.commands = commands
    let homeAssistant = HomeAssistantGreeting(publisher, by: chance)
    client = Client(
      broker,
      greeting: BrokerGreeting(
        client: place.client, will: .init(topic: topics.name(of: .availability), payload: "offline"),
        subscriptions: topics.subscriptions, kept: topics.kept),
      publisher: publisher.messages, chance: chance, read: { [unowned told] in told.tellDiscovery(after: $0) },
      parse: { message in
        if message.topic == PanelTopics.homeAssistant {
          homeAssistant.receive(message)
        } else {
          commands.receive(message)
        }
        return nil
      })
  }
}

/// Publishes the discovery message when Home Assistant reports that it has started.
private final class HomeAssistantGreeting {
  /// The maximum random delay of the message, so that not all panels publish at the same time.
  private static let spread = Duration.seconds(5)

  private unowned let publisher: PanelPublisher
  private var chance: any RandomNumberGenerator

  init(_ publisher: PanelPublisher, by chance: any RandomNumberGenerator) {
    (self.publisher, self.chance) = (publisher, chance)
  }

  func receive(_ message: ReceivedMessage) {
    guard !message.isRetained, message.payload.elementsEqual("online".utf8),
      let topic = publisher.topics.place(of: .discovery)
    else { return }
    let wait = chance.next().multipliedFullWidth(by: UInt64(Self.spread.wholeNanoseconds)).high
    publisher.messages.tell(value: topic, after: .nanoseconds(Int64(wait)))
  }
}

/// A count of messages, and whether it can only increase.
package typealias MessageCount = (name: String, number: Int, isTotal: Bool)

extension MessagePublisher {
  /// The counts of all messages since the start. `ignored` are received messages that were dropped because of the rate
  /// limit.
  package var numbers: [MessageCount] {
    let account = account
    return [
      ("offered", account.offered, true), ("delivered", account.delivered, true),
      ("superseded", account.superseded, true), ("lost", account.lost, true), ("pending", account.pending, false),
      ("reconnects", reconnections, true), ("ignored", ignored, true),
    ]
  }
}
