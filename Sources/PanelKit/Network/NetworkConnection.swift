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

  /// What has become of all messages since the start, with whether it only grows. `ignored` are those of others that were not looked at,
  /// because too many came at once.
  var numbers: [(name: String, number: Int, isTotal: Bool)] {
    let account = telegraph.telegraph.account
    return [
      ("offered", account.offered, true), ("delivered", account.delivered, true),
      ("superseded", account.superseded, true), ("lost", account.lost, true), ("pending", account.pending, false),
      ("reconnects", telegraph.telegraph.reconnections, true), ("ignored", telegraph.telegraph.ignored, true),
    ]
  }

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
    let commands = NetworkCommands(of: panel, by: remote, refusingTo: telegraph, chance: chance, now: now)
    self.commands = commands
    telegraph.commands = commands
    let topics = telegraph.topics
    client = Client(
      broker,
      greeting: BrokerGreeting(
        client: place.client, will: .init(topic: topics.name(of: .availability), payload: "offline"),
        subscriptions: topics.subscriptions),
      telegraph: telegraph.telegraph, chance: chance,
      hear: { message in
        commands.hear(message)
        return nil
      })
  }
}
