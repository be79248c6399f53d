import CycleCore
import HardwareDrivers
import PanelLanguage
import Terminal

/// Performs the commands from a broker or by Open Sound Control that the panel file accepts. All others are reported as
/// refused.
package final class NetworkCommandHandler {
  /// The minimum time between two requests that publish all values again.
  static let repetition = Duration.seconds(10)

  /// Called with each refused command: its topic without the panel's own part, its payload, and the reason.
  typealias Refuse = (_ topic: String, _ payload: [UInt8], _ why: String) -> Void

  private let panel: PanelDefinition
  private let remote: RemoteCommandInput
  private let prefix: String
  private let holder: RemoteCommandInput.Holder
  private let refuse: Refuse
  private let tellAll: () -> Void
  private let now: () -> Moment
  private var lastRepetition: Moment?
  /// Called with each command that was performed.
  package var done: (RemoteCommand) -> Void = { _ in }

  /// - Parameters:
  ///   - panel: the panel whose file accepts commands.
  ///   - remote: performs the commands.
  ///   - id: the panel's own part of the topics.
  ///   - holder: the sender of presses. Connections of the control socket have the numbers from 0 on.
  ///   - now: the loop's clock.
  ///   - tellAll: publishes all values again.
  ///   - refuse: reports a refused command.
  init(
    of panel: PanelDefinition, by remote: RemoteCommandInput, id: String, as holder: RemoteCommandInput.Holder,
    now: @escaping () -> Moment, tellAll: @escaping () -> Void, refuse: @escaping Refuse
  ) {
    (self.panel, self.remote, prefix, self.holder) = (panel, remote, PanelTopics.prefix(of: id), holder)
    (self.now, self.tellAll, self.refuse) = (now, tellAll, refuse)
  }

  /// Performs the command in a message, or reports why it is refused. Messages for other panels are ignored.
  func receive(_ message: ReceivedMessage) {
    guard message.topic.hasPrefix(prefix) else { return }
    let topic = String(message.topic.dropFirst(prefix.count))
    do throws(RemoteRefusal) {
      try perform(topic, message)
    } catch {
      refuse(topic, message.payload, error.text)
    }
  }

  private func perform(_ topic: String, _ message: ReceivedMessage) throws(RemoteRefusal) {
    guard !message.isRetained else {
      throw RemoteRefusal(.wrongContent, "it is retained, and so may be old; publish it without the retain flag")
    }
    guard message.payload.count <= ReceivedMessage.longestPayload else {
      throw RemoteRefusal(.wrongContent, "it has more than \(ReceivedMessage.longestPayload) bytes")
    }
    if topic == "get" {
      // The zero of a controller's released button is ignored.
      guard !RemoteCommand.isZero(String(decoding: message.payload, as: UTF8.self)) else { return }
      return try repeatAll()
    }
    let command = try RemoteCommand(try Self.words(topic, message.payload), for: panel)
    try remote.perform(command, by: holder)
    done(command)
  }

  /// The words of a command, as on the control socket: those of the topic, and then those of the payload.
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

  /// Releases all buttons that are pressed through the connection, which has been lost.
  func releaseAll() {
    for input in remote.release(allOf: holder) { done(.release(input)) }
  }
}
