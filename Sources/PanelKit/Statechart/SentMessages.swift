import CycleCore
import HardwareDrivers

/// The messages that a panel has sent, as far as a frame knows them: how many, and the last ones. It is a model like any other: a driver
/// sends those that are new in it, each once.
struct SentMessages: Equatable, Sendable {
  /// How many are kept. More than these between two renderings are counted as lost.
  static let capacity = 32

  /// A message that has been sent.
  struct Sent: Equatable, Sendable {
    /// The place of the message in ``PanelDefinition/messages``.
    var message: Int
    /// What was computed for it: the results of ``PanelMessage/numbers``.
    var results: ArraySlice<Int>
  }

  /// How many have been sent since the start.
  let count: Int
  private let perMessage: Int
  private let slots: [Int]

  /// Nothing to send: what the panel has come to is not shown.
  static let none = SentMessages(count: 0, perMessage: 0, slots: [])

  fileprivate init(count: Int, perMessage: Int, slots: [Int]) {
    (self.count, self.perMessage, self.slots) = (count, perMessage, slots)
  }

  /// What has been sent when so many had been, in its order, and how many more are not known any more.
  func since(_ before: Int) -> (sent: [Sent], lost: Int) {
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
  /// How many messages have been sent since the start.
  var sentCount: Int { places.perMessage == 0 ? 0 : self[number: Int(places.sent)] }

  /// The messages that have been sent. Of a panel that has stopped because of its start, or of transitions without end, they are
  /// ``SentMessages/none``.
  var sentMessages: SentMessages {
    guard places.perMessage > 0 else { return .none }
    switch stop {
    case nil, .chattering: break
    case .violated(_, let cause, _): if cause == .start { return .none }
    case .endless, .restless: return .none
    }
    // A copy: the frame's own numbers are written over when it is used again.
    let slots = Array(filmNumbers[places.sentMessages].dropFirst())
    return SentMessages(count: sentCount, perMessage: places.perMessage, slots: slots)
  }

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - message: its place in ``PanelDefinition/messages``.
  ///   - results: what was computed for it.
  mutating func send(_ message: Int, _ results: [Int]) {
    let (layout, count) = (places, sentCount)
    let slot = Int(layout.sent) + 1 + count % SentMessages.capacity * layout.perMessage
    self[number: slot] = message
    for place in 1..<layout.perMessage { self[number: slot + place] = place <= results.count ? results[place - 1] : 0 }
    self[number: Int(layout.sent)] = count + 1
  }

  /// Takes back what has been sent since an earlier frame.
  mutating func takeBackSent(since before: PanelFrame) {
    for place in places.sentMessages { self[number: place] = before[number: place] }
  }
}

/// Sends the messages of a panel: hands those that are new in its model to all receivers.
struct MessageSender: Driver {
  typealias Model = SentMessages
  typealias Event = Never

  private let tell: (SentMessages.Sent) -> Void
  private var context: DriverContext<Never>?
  /// How many have been handed over.
  private var told = 0

  /// - Parameter tell: hands a message over.
  init(tell: @escaping (SentMessages.Sent) -> Void) { self.tell = tell }

  /// At the end nothing is sent.
  var safeModel: SentMessages { .none }

  mutating func start(showing model: SentMessages, in context: DriverContext<Never>) throws(DriverError) {
    self.context = context
    try render(model, replacing: nil)
  }

  mutating func render(_ model: SentMessages, replacing previous: SentMessages?) throws(DriverError) {
    let (sent, lost) = model.since(told)
    for message in sent { tell(message) }
    if lost > 0 { context?.report(.eventsLost(lost)) }
    told = max(told, model.count)
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {}
  mutating func stop() { context = nil }
}
