import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// A panel's side of Open Sound Control: a client for each receiver, which is told the same as the others, and one that hears commands.
final class OSCConnection {
  /// What others ask for is done at once, and is an event of the lens that does it.
  typealias Client = BrokerClient<Never>

  /// For each receiver what it is told.
  let telegraphs: [PanelTelegraph]
  /// What others ask for; nil where nothing is heard.
  let commands: NetworkCommands?
  /// Those of the receivers, then that which hears, in the order of ``OSCDefinition/lensNames``.
  let clients: [Client]
  /// Nothing is sent by it.
  let listener: Telegraph?
  /// How many messages were refused, and which.
  let refusals: RefusalLog

  /// Nil for a panel without `osc`.
  ///
  /// - Parameters:
  ///   - id: the panel's own part of all addresses.
  ///   - platform: gives what is sent to and heard, real or simulated.
  ///   - remote: does what others ask for.
  ///   - chance: what it depends on when something simulated is tried again.
  init?(
    of panel: PanelDefinition, id: String, on platform: Platform, asking remote: PanelRemote, chance: UInt64
  ) {
    guard let osc = panel.osc else { return nil }
    let now: () -> Moment = { [bench = platform.bench] in bench.now }
    let (show, seed) = (PanelShow(panel: panel), PanelRules(panel: panel).seed)
    let topics = PanelTopics(forReceiverOf: panel, id: id)
    func client(_ port: OSCPort, _ telegraph: Telegraph, _ hear: @escaping (BrokerMessage) -> Void) -> Client {
      let generator: any RandomNumberGenerator =
        platform.simulated(at: port) != nil ? SeededGenerator(seed: chance) : SystemRandomNumberGenerator()
      return Client(
        platform.hardware(at: port), greeting: BrokerGreeting(client: ""), telegraph: telegraph, chance: generator,
        hear: { message in
          hear(message)
          return nil
        })
    }
    telegraphs = osc.receivers.map { _ in PanelTelegraph(topics, show, seed: seed, PanelClock(of: now), now: now) }
    var clients = zip(osc.receivers, telegraphs).map { receiver, telegraph in
      client(OSCPort(sendingTo: receiver), telegraph.telegraph) { _ in }
    }
    let refusals = RefusalLog(now: now)
    self.refusals = refusals
    guard let endpoint = osc.listening else {
      (commands, listener, self.clients) = (nil, nil, clients)
      return
    }
    let told = telegraphs
    let commands = NetworkCommands(
      of: panel, by: remote, id: id, as: .init(number: -2), now: now,
      tellAll: { for telegraph in told { telegraph.telegraph.tellAll() } },
      refuse: { refusals.note($0, $1, $2) })
    let listener = Telegraph(.init(topics: []), writeValue: { _, _ in }, finishEvent: { _, _, _, _ in })
    clients.append(
      client(OSCPort(listeningAt: endpoint), listener) { message in
        guard !message.topic.isEmpty else {
          return refusals.note("a datagram", [], "it is no OSC: \(String(decoding: message.payload, as: UTF8.self))")
        }
        if let message = Self.command(message) { commands.hear(message) }
      })
    (self.commands, self.listener, self.clients) = (commands, listener, clients)
  }

  /// How many messages of others were refused, and how many were not looked at, because too many came at once.
  var heard: [TelegraphNumber] {
    [("refused", refusals.count, true), ("ignored", listener?.ignored ?? 0, true)]
  }

  /// Sends a message of the panel to all receivers.
  func send(_ message: SentMessages.Sent) { for telegraph in telegraphs { telegraph.send(message) } }

  /// A message as the broker would have it: without the slash at the begin of its address, and with words for the arguments that are wanted. More
  /// arguments are dropped.
  ///
  /// - Returns: nil for an address that is none.
  static func command(_ message: BrokerMessage) -> BrokerMessage? {
    guard message.topic.hasPrefix("/") else { return nil }
    let topic = String(message.topic.dropFirst())
    let parts = topic.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let words = words(for: parts.count > 2 ? parts[2] : "", message.arguments)
    return BrokerMessage(topic: topic, payload: Array(words.utf8.prefix(BrokerMessage.longestPayload + 1)))
  }

  /// What arguments mean for a command: a number sets a value, whatever its sign; a button and an event take what the programs of show control send when
  /// a button of theirs goes down and up.
  private static func words(for command: Substring, _ arguments: [OSCArgument]) -> String {
    switch (command, arguments.first) {
    // `= -4` and `hold 2s`, as one text or as two.
    case (_, .text(let text)?) where text == "=" || text == "hold":
      return ([text] + arguments.dropFirst().prefix(1).compactMap(\.word)).joined(separator: " ")
    case ("set", let argument?) where argument.isNumber:
      return argument.word.map { $0.hasPrefix("-") ? "= \($0)" : $0 } ?? ""
    case ("press", .nothing?), ("do", .nothing?), ("get", .nothing?): return "0"
    // What says no number says that something happens.
    case ("press", let argument?), ("do", let argument?): return argument.word ?? "1"
    case (_, let argument): return argument?.word ?? ""
    }
  }
}

/// What others were refused: counted, and told in the log, each 10 s at most, because anybody may send anything.
final class RefusalLog {
  static let pause = Duration.seconds(10)

  private let now: () -> Moment
  private var last: Moment?
  private var untold = 0
  /// How many messages were refused.
  private(set) var count = 0
  /// Gets each line.
  var write: (_ line: String) -> Void = { _ in }

  /// - Parameter now: the loop's clock.
  init(now: @escaping () -> Moment) { self.now = now }

  /// Something was refused: what was asked for, and why it is not done.
  func note(_ topic: String, _ payload: [UInt8], _ why: String) {
    count += 1
    let now = now()
    if let last, now - last < Self.pause {
      untold += 1
      return
    }
    let words = "\(topic) \(String(decoding: payload.prefix(64), as: UTF8.self))".shortened(to: 128)
    let more = untold > 0 ? "; \(untold) more before that" : ""
    write("osc refused: \(visible(words.hasSuffix(" ") ? String(words.dropLast()) : words)): \(visible(why))\(more)")
    (last, untold) = (now, 0)
  }
}
