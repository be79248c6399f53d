import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import Terminal

/// A panel's side of Open Sound Control: a client for each receiver, all with the same messages, and one that receives
/// commands.
package final class OSCConnection {
  /// A client without events: a command is performed immediately, and is an event of the remote lens.
  package typealias Client = MessagingDriver<Never>

  /// The publisher for each receiver.
  package let publishers: [PanelPublisher]
  /// Performs received commands; nil if the panel doesn't receive any.
  package let commands: NetworkCommandHandler?
  /// The clients of the receivers, then the one that receives commands, in the order of ``OSCDefinition/lensNames``.
  package let clients: [Client]
  /// The publisher of the receiving client, which sends nothing.
  package let listener: MessagePublisher?
  /// Counts and logs the refused messages.
  package let refusals: RefusalLog

  /// Returns nil for a panel without `osc`.
  ///
  /// - Parameters:
  ///   - id: the panel's own part of all addresses.
  ///   - platform: provides the receivers and the listener, real or simulated.
  ///   - remote: performs commands.
  ///   - chance: the seed for the retry times of simulated hardware.
  package init?(
    of panel: PanelDefinition, id: String, on platform: Platform, asking remote: RemoteCommandInput, chance: UInt64
  ) {
    guard let osc = panel.osc else { return nil }
    let now: () -> Moment = { [bench = platform.bench] in bench.now }
    let (show, seed) = (PanelRendering(panel: panel), PanelRules(panel: panel).seed)
    let topics = PanelTopics(forReceiverOf: panel, id: id)
    func client(_ port: OSCPort, _ publisher: MessagePublisher, _ receive: @escaping (ReceivedMessage) -> Void)
      -> Client
    {
      let generator: any RandomNumberGenerator =
        platform.simulated(at: port) != nil ? SeededGenerator(seed: chance) : SystemRandomNumberGenerator()
      return Client(
        platform.hardware(at: port), publisher: publisher, chance: generator,
        parse: { message in
          receive(message)
          return nil
        })
    }
    publishers = osc.receivers.map { _ in PanelPublisher(topics, show, seed: seed, RealtimeOffset(of: now), now: now) }
    var clients = zip(osc.receivers, publishers).map { receiver, publisher in
      client(OSCPort(sendingTo: receiver), publisher.messages) { _ in }
    }
    let refusals = RefusalLog(now: now)
    self.refusals = refusals
    guard let endpoint = osc.listening else {
      (commands, listener, self.clients) = (nil, nil, clients)
      return
    }
    let told = publishers
    let commands = NetworkCommandHandler(
      of: panel, by: remote, id: id, as: .init(number: -2), now: now,
      tellAll: { for publisher in told { publisher.messages.tellAll() } },
      refuse: { refusals.note($0, $1, $2) })
    let listener = MessagePublisher(.init(topics: []), writeValue: { _, _ in }, finishEvent: { _, _, _, _ in })
    clients.append(
      client(OSCPort(listeningAt: endpoint), listener) { message in
        guard !message.topic.isEmpty else {
          return refusals.note("a datagram", [], "not OSC: \(String(decoding: message.payload, as: UTF8.self))")
        }
        if let message = Self.command(message) { commands.receive(message) }
      })
    (self.commands, self.listener, self.clients) = (commands, listener, clients)
  }

  /// The numbers of received messages that were refused, and of those dropped because of the rate limit.
  package var heard: [MessageCount] {
    [("refused", refusals.count, true), ("ignored", listener?.ignored ?? 0, true)]
  }

  /// Sends a message of the panel to all receivers.
  package func send(_ message: SentOSCMessages.Sent) { for publisher in publishers { publisher.send(message) } }

  /// Converts a message to the form of a broker: without the slash at the start of its address, and with words for its
  /// arguments. Unused arguments are dropped.
  ///
  /// - Returns: nil if the text is not an address.
  static func command(_ message: ReceivedMessage) -> ReceivedMessage? {
    guard message.topic.hasPrefix("/") else { return nil }
    let topic = String(message.topic.dropFirst())
    let parts = topic.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let words = words(for: parts.count > 2 ? parts[2] : "", message.arguments)
    return ReceivedMessage(topic: topic, payload: Array(words.utf8.prefix(ReceivedMessage.longestPayload + 1)))
  }

  /// The words of a command for its arguments. A number of any sign sets a value. A button and an event accept the
  /// arguments that show control programs send when a button is pressed or released.
  private static func words(for command: Substring, _ arguments: [OSCArgument]) -> String {
    switch (command, arguments.first) {
    // `= -4` and `hold 2s`, as one text or as two texts.
    case (_, .text(let text)?) where text == "=" || text == "hold":
      return ([text] + arguments.dropFirst().prefix(1).compactMap(\.word)).joined(separator: " ")
    case ("set", let argument?) where argument.isNumber:
      return argument.word.map { $0.hasPrefix("-") ? "= \($0)" : $0 } ?? ""
    case ("press", .nothing?), ("do", .nothing?), ("get", .nothing?): return "0"
    // An argument that can't be a word counts as 1.
    case ("press", let argument?), ("do", let argument?): return argument.word ?? "1"
    case (_, let argument): return argument?.word ?? ""
    }
  }
}

/// The log of refused messages. It counts them, and logs a line every 10 s at most, because anyone may send anything.
package final class RefusalLog {
  static let pause = Duration.seconds(10)

  private let now: () -> Moment
  private var limit = LogLimit(each: RefusalLog.pause)
  /// The number of refused messages.
  package private(set) var count = 0
  /// Called with each line to log.
  package var write: (_ line: String) -> Void = { _ in }

  /// - Parameter now: the loop's clock.
  init(now: @escaping () -> Moment) { self.now = now }

  /// Counts and logs a refused message: its topic, its payload, and the reason.
  func note(_ topic: String, _ payload: [UInt8], _ why: String) {
    count += 1
    if let line = limit.admit(Self.line(topic, payload, why), at: now()) { write(line) }
  }

  private static func line(_ topic: String, _ payload: [UInt8], _ why: String) -> String {
    let words = "\(topic) \(String(decoding: payload.prefix(64), as: UTF8.self))".shortened(to: 128)
    return "osc refused: \(visible(words.hasSuffix(" ") ? String(words.dropLast()) : words)): \(visible(why))"
  }
}
