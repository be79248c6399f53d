import CycleCore
import HardwareDrivers

/// The messages that a panel has sent, as far as a frame contains them: their number, and the last ones. It is a model
/// like any other. A driver sends each new message in it once.
package struct SentOSCMessages: Equatable, Sendable {
  /// The number of messages that are kept. If more are sent between two renderings, the rest count as lost.
  static let capacity = 32

  /// A sent message.
  package struct Sent: Equatable, Sendable {
    /// The place of the message in ``PanelDefinition/messages``.
    package var message: Int
    /// The results of ``PanelMessage/numbers`` for the message.
    package var results: ArraySlice<Int>
  }

  /// The number of messages since the start.
  package let count: Int
  private let perMessage: Int
  private let slots: [Int]

  /// No messages, for a panel whose last changes are not shown.
  static let none = SentOSCMessages(count: 0, perMessage: 0, slots: [])

  fileprivate init(count: Int, perMessage: Int, slots: [Int]) {
    (self.count, self.perMessage, self.slots) = (count, perMessage, slots)
  }

  /// The messages after the first `before` ones, in order, and the number of older messages that are lost.
  package func since(_ before: Int) -> (sent: [Sent], lost: Int) {
    guard count > before else { return ([], 0) }
    let first = max(before, count - Self.capacity)
    let sent = (first..<count).map { number in
      let place = number % Self.capacity * perMessage
      return Sent(message: slots[place], results: slots[place + 1..<place + perMessage])
    }
    return (sent, first - before)
  }
}

extension PanelFrame {
  /// The number of messages since the start.
  package var sentCount: Int { places.perMessage == 0 ? 0 : self[number: Int(places.sent)] }

  /// The sent messages. They are ``SentOSCMessages/none`` if the panel has stopped because of its start or of an
  /// endless loop of transitions.
  package var sentMessages: SentOSCMessages {
    guard places.perMessage > 0 else { return .none }
    switch stop {
    case nil, .chattering: break
    case .violated(_, let cause, _): if cause == .start { return .none }
    case .endless, .restless: return .none
    }
    // A copy, because the frame's own numbers are overwritten when it is reused.
    let slots = Array(recordingNumbers[places.sentMessages].dropFirst())
    return SentOSCMessages(count: sentCount, perMessage: places.perMessage, slots: slots)
  }

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - message: its place in ``PanelDefinition/messages``.
  ///   - results: the results that were computed for the message.
  mutating func send(_ message: Int, _ results: [Int]) {
    let (layout, count) = (places, sentCount)
    let slot = Int(layout.sent) + 1 + count % SentOSCMessages.capacity * layout.perMessage
    self[number: slot] = message
    for place in 1..<layout.perMessage { self[number: slot + place] = place <= results.count ? results[place - 1] : 0 }
    self[number: Int(layout.sent)] = count + 1
  }

  /// Removes the messages that were sent after an earlier frame.
  mutating func takeBackSent(since before: PanelFrame) {
    for place in places.sentMessages { self[number: place] = before[number: place] }
  }
}

/// Sends the messages of a panel: passes each new message of its model to all receivers.
package struct MessageSender: Driver {
  package typealias Model = SentOSCMessages
  package typealias Event = Never

  private let tell: (SentOSCMessages.Sent) -> Void
  private var context: DriverContext<Never>?
  /// The number of messages that were passed on.
  private var told = 0

  /// Creates a sender that passes each message to `tell`.
  package init(tell: @escaping (SentOSCMessages.Sent) -> Void) { self.tell = tell }

  /// The model at the end sends nothing.
  package var safeModel: SentOSCMessages { .none }

  package mutating func start(showing model: SentOSCMessages, in context: DriverContext<Never>) throws(DriverError) {
    self.context = context
    try render(model, replacing: nil)
  }

  package mutating func render(_ model: SentOSCMessages, replacing previous: SentOSCMessages?) throws(DriverError) {
    let (sent, lost) = model.since(told)
    for message in sent { tell(message) }
    if lost > 0 { context?.report(.eventsLost(lost)) }
    told = max(told, model.count)
  }

  package mutating func wake(_ wake: Wake) throws(DriverError) {}
  package mutating func stop() { context = nil }
}
