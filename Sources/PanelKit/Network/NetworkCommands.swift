import CycleCore
import HardwareDrivers
import Terminal

/// Does what others ask a panel for through its broker or by Open Sound Control, as far as its file accepts it; what is not done is said so.
final class NetworkCommands {
  /// How often all values are told anew at most.
  static let repetition = Duration.seconds(10)

  /// Called with each thing that is not done: on which topic it was asked for, without the panel's own part, what was asked for, and why not.
  typealias Refuse = (_ topic: String, _ payload: [UInt8], _ why: String) -> Void

  private let panel: PanelDefinition
  private let remote: PanelRemote
  private let prefix: String
  private let holder: PanelRemote.Holder
  private let refuse: Refuse
  private let tellAll: () -> Void
  private let now: () -> Moment
  private var lastRepetition: Moment?
  /// Called with each command that is done.
  var done: (RemoteCommand) -> Void = { _ in }

  /// - Parameters:
  ///   - panel: decides what is accepted.
  ///   - remote: does it.
  ///   - id: the panel's own part of the topics.
  ///   - holder: who presses buttons; a connection of the control socket has a number from 0 on.
  ///   - now: the loop's clock.
  ///   - tellAll: tells all values anew.
  ///   - refuse: says what is not done.
  init(
    of panel: PanelDefinition, by remote: PanelRemote, id: String, as holder: PanelRemote.Holder,
    now: @escaping () -> Moment, tellAll: @escaping () -> Void, refuse: @escaping Refuse
  ) {
    (self.panel, self.remote, prefix, self.holder) = (panel, remote, PanelTopics.prefix(of: id), holder)
    (self.now, self.tellAll, self.refuse) = (now, tellAll, refuse)
  }

  /// Does what a message asks for, or says why not. What is for another panel is nothing.
  func hear(_ message: BrokerMessage) {
    guard message.topic.hasPrefix(prefix) else { return }
    let topic = String(message.topic.dropFirst(prefix.count))
    do throws(RemoteRefusal) {
      try perform(topic, message)
    } catch {
      refuse(topic, message.payload, error.text)
    }
  }

  private func perform(_ topic: String, _ message: BrokerMessage) throws(RemoteRefusal) {
    guard !message.isRetained else {
      throw RemoteRefusal(.wrongContent, "it is retained, and so may be old; publish it without the retain flag")
    }
    guard message.payload.count <= BrokerMessage.longestPayload else {
      throw RemoteRefusal(.wrongContent, "it has more than \(BrokerMessage.longestPayload) bytes")
    }
    if topic == "get" {
      // A controller's button that goes up asks for nothing.
      guard !RemoteCommand.isZero(String(decoding: message.payload, as: UTF8.self)) else { return }
      return try repeatAll()
    }
    let command = try RemoteCommand(try Self.words(topic, message.payload), for: panel)
    try remote.perform(command, by: holder)
    done(command)
  }

  /// The words of a command, as over the control socket: those of the topic, with those of the payload behind them.
  private static func words(_ topic: String, _ payload: [UInt8]) throws(RemoteRefusal) -> [String] {
    let parts = topic.split(separator: "/", maxSplits: 1).map(String.init)
    let words = String(decoding: payload, as: UTF8.self).split { $0.isWhitespace }.map(String.init)
    guard parts.count == 2, ["set", "press", "turn", "do"].contains(parts[0]) else {
      throw RemoteRefusal(.wrongUsage, "there is no such command; write set/NAME, press/NAME, turn/NAME or do/NAME")
    }
    switch (parts[0], words.count) {
    case ("press", 0): return ["click", parts[1]]
    case ("set", 0): throw RemoteRefusal(.wrongUsage, "it needs a number: 9, +1, -1 or = -4")
    case ("turn", let count) where count != 1: throw RemoteRefusal(.wrongUsage, "it needs a number: 3 or -3")
    default: return parts + words
    }
  }

  private func repeatAll() throws(RemoteRefusal) {
    let now = now()
    if let lastRepetition, now - lastRepetition < Self.repetition {
      throw RemoteRefusal(.busy, "everything was published less than \(Quantity.text(Self.repetition)) ago")
    }
    lastRepetition = now
    tellAll()
  }

  /// There is no connection any more: what is pressed through it is released.
  func releaseAll() {
    for input in remote.release(allOf: holder) { done(.release(input)) }
  }
}
