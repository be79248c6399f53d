import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A panel's connection to its broker: the driver of its lens, what it tells, and what others ask of it.
final class NetworkConnection {
  /// What others ask for is done at once, and is an event of the lens that does it.
  typealias Client = BrokerClient<Never>

  let telegraph: PanelTelegraph
  let commands: NetworkCommands
  let client: Client
  /// Whether the broker has accepted the connection, and it stands as far as is known.
  var isConnected: Bool { telegraph.telegraph.isConnected }

  var numbers: [TelegraphNumber] { telegraph.telegraph.numbers }

  /// Nil for a panel without `mqtt`.
  ///
  /// - Parameters:
  ///   - place: where the broker is; nil for one in memory.
  ///   - platform: gives the broker.
  ///   - remote: does what others ask for.
  ///   - chance: what it depends on when a connection to a simulated broker is tried again.
  init?(
    of panel: PanelDefinition, at place: NetworkPlace?, on platform: Platform, asking remote: PanelRemote,
    chance: UInt64
  ) {
    guard panel.mqtt != nil else { return nil }
    let place = place ?? NetworkPlace(simulated: panel)
    let broker = platform.hardware(at: place.port)
    let isSimulated = platform.simulated(at: place.port) != nil
    let now: () -> Moment = { [bench = platform.bench] in bench.now }
    telegraph = PanelTelegraph(
      of: panel, at: place, PanelShow(panel: panel), seed: PanelRules(panel: panel).seed,
      isSimulated ? .simulated : PanelClock(of: now), now: now)
    let chance: any RandomNumberGenerator =
      isSimulated ? SeededGenerator(seed: chance) : SystemRandomNumberGenerator()
    let (told, topics) = (telegraph, telegraph.topics)
    let commands = NetworkCommands(
      of: panel, by: remote, id: place.id, as: .init(number: -1), now: now,
      tellAll: { [unowned told] in told.telegraph.tellAll() },
      refuse: { [unowned told] in told.refuse($0, $1, $2) })
    self.commands = commands
    telegraph.commands = commands
    let homeAssistant = HomeAssistantGreeting(telegraph, by: chance)
    client = Client(
      broker,
      greeting: BrokerGreeting(
        client: place.client, will: .init(topic: topics.name(of: .availability), payload: "offline"),
        subscriptions: topics.subscriptions, kept: topics.kept),
      telegraph: telegraph.telegraph, chance: chance, read: { [unowned told] in told.tellDiscovery(after: $0) },
      hear: { message in
        if message.topic == PanelTopics.homeAssistant { homeAssistant.hear(message) } else { commands.hear(message) }
        return nil
      })
  }
}

/// Tells Home Assistant of the panel when it says that it has started, and so knows nothing.
private final class HomeAssistantGreeting {
  /// It is told by chance within so long: other panels have the same to say.
  private static let spread = Duration.seconds(5)

  private unowned let telegraph: PanelTelegraph
  private var chance: any RandomNumberGenerator

  init(_ telegraph: PanelTelegraph, by chance: any RandomNumberGenerator) {
    (self.telegraph, self.chance) = (telegraph, chance)
  }

  func hear(_ message: BrokerMessage) {
    guard !message.isRetained, message.payload.elementsEqual("online".utf8),
      let topic = telegraph.topics.place(of: .discovery)
    else { return }
    let wait = chance.next().multipliedFullWidth(by: UInt64(Self.spread.wholeNanoseconds)).high
    telegraph.telegraph.tell(value: topic, after: .nanoseconds(Int64(wait)))
  }
}

/// A number of what has become of messages, and whether it only grows.
typealias TelegraphNumber = (name: String, number: Int, isTotal: Bool)

extension Telegraph {
  /// What has become of all messages since the start. `ignored` are those of others that were not looked at, because too many came at once.
  var numbers: [TelegraphNumber] {
    let account = account
    return [
      ("offered", account.offered, true), ("delivered", account.delivered, true),
      ("superseded", account.superseded, true), ("lost", account.lost, true), ("pending", account.pending, false),
      ("reconnects", reconnections, true), ("ignored", ignored, true),
    ]
  }
}
