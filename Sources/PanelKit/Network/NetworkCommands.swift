import CycleCore
import HardwareDrivers
import Terminal

/// Does what others ask a panel for through its broker, as far as its file accepts it; what is not done is said so.
final class NetworkCommands {
  /// Who presses buttons through the broker; a connection of the control socket has a number from 0 on.
  static let holder = PanelRemote.Holder(number: -1)
  /// How often all values are told anew at most.
  static let repetition = Duration.seconds(10)
  /// Home Assistant is told of the panel by chance within so long after its start: other panels have the same to say.
  static let spread = Duration.seconds(5)

  private let panel: PanelDefinition
  private let remote: PanelRemote
  private unowned let telegraph: PanelTelegraph
  private var chance: any RandomNumberGenerator
  private let now: () -> Moment
  private var lastRepetition: Moment?
  /// Called with each command that is done.
  var done: (RemoteCommand) -> Void = { _ in }

  /// - Parameters:
  ///   - panel: decides what is accepted.
  ///   - remote: does it.
  ///   - telegraph: says what is not done.
  ///   - chance: decides when Home Assistant is told of the panel.
  ///   - now: the loop's clock.
  init(
    of panel: PanelDefinition, by remote: PanelRemote, refusingTo telegraph: PanelTelegraph,
    chance: any RandomNumberGenerator, now: @escaping () -> Moment
  ) {
    (self.panel, self.remote, self.telegraph, self.chance, self.now) = (panel, remote, telegraph, chance, now)
  }

  /// Does what a message asks for, or says on `refused` why not.
  func hear(_ message: BrokerMessage) {
    let prefix = telegraph.topics.prefix
    if message.topic == PanelTopics.homeAssistant { return meetHomeAssistant(message) }
    guard message.topic.hasPrefix(prefix) else { return }
    let topic = String(message.topic.dropFirst(prefix.count))
    do throws(RemoteRefusal) {
      try perform(topic, message)
    } catch {
      telegraph.refuse(topic, message.payload, error.text)
    }
  }

  private func perform(_ topic: String, _ message: BrokerMessage) throws(RemoteRefusal) {
    guard !message.isRetained else {
      throw RemoteRefusal(.wrongContent, "it is retained, and so may be old; publish it without the retain flag")
    }
    guard message.payload.count <= BrokerMessage.longestPayload else {
      throw RemoteRefusal(.wrongContent, "it has more than \(BrokerMessage.longestPayload) bytes")
    }
    if topic == "get" { return try repeatAll() }
    let parts = topic.split(separator: "/", maxSplits: 1).map(String.init)
    let payload = String(decoding: message.payload, as: UTF8.self).split { $0.isWhitespace }.map(String.init)
    guard parts.count == 2, payload.count == 1 else {
      throw RemoteRefusal(.wrongUsage, "it takes one word: 9, press, release, click or -3")
    }
    let words: [String]
    switch (parts[0], payload[0]) {
    case ("press", "press"), ("press", "release"), ("press", "click"): words = [payload[0], parts[1]]
    case ("press", _): throw RemoteRefusal(.wrongUsage, "it takes press, release or click")
    default: words = [parts[0], parts[1], payload[0]]
    }
    let command = try RemoteCommand(words, for: panel)
    try remote.perform(command, by: Self.holder)
    done(command)
  }

  private func repeatAll() throws(RemoteRefusal) {
    let now = now()
    if let lastRepetition, now - lastRepetition < Self.repetition {
      throw RemoteRefusal(.busy, "all was told less than \(Quantity.text(Self.repetition)) ago")
    }
    lastRepetition = now
    telegraph.telegraph.tellAll()
  }

  /// Home Assistant has started, and knows nothing.
  private func meetHomeAssistant(_ message: BrokerMessage) {
    guard !message.isRetained, message.payload.elementsEqual("online".utf8),
      let topic = telegraph.topics.place(of: .discovery)
    else { return }
    let wait = chance.next().multipliedFullWidth(by: UInt64(Self.spread.wholeNanoseconds)).high
    telegraph.telegraph.tell(value: topic, after: .nanoseconds(Int64(wait)))
  }

  /// There is no connection any more: what is pressed through it is released.
  func releaseAll() {
    for input in remote.release(allOf: Self.holder) { done(.release(input)) }
  }
}
