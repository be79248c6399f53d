import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import Terminal

/// Publishes the changes and events of a panel, to a broker or to a receiver of Open Sound Control.
///
/// The rules notify it when they have changed a frame. After the drivers have shown the frame, it publishes the
/// differences from the last published frame. For a broker on the network, this happens ``PanelTopics/pause`` later,
/// else in the same turn. So nothing on the panel waits for it.
///
/// Used on the thread of the cycle only, and never while it is already in use.
package final class PanelPublisher: @unchecked Sendable {
  /// The age at which an event that waited to be sent is marked as late.
  static let late = Duration.seconds(5)

  let topics: PanelTopics
  private let panel: PanelDefinition
  private let wall: RealtimeOffset
  package private(set) var messages: MessagePublisher!
  /// Finds the changes of each frame; nil only while this is initialized.
  private var view: TopicDiff?
  private let events: [Int?]
  /// The published inputs whose events carry numbers, and the numbers of the events that the rules apply.
  private let carriers: [Int]
  private var numbers: [Int: Int] = [:]
  private let refused: Int?
  /// The discovery message; nil for a panel without one.
  private let discovery: HomeAssistantDiscovery?
  /// The number of published events.
  private var sequence = 0
  private let started: Int
  /// Calls its argument with the panel's current frame.
  package var read: ((_ part: (UnsafePointer<PanelFrame>) -> Void) -> Void)?
  /// The moment of the event that the rules apply.
  private var moment = Moment.zero
  private var hasChanged = true
  /// Performs received commands.
  var commands: NetworkCommandHandler?

  /// - Parameters:
  ///   - panel: a panel with `mqtt`.
  ///   - place: the panel's broker, and its identity there.
  ///   - show: the panel's show.
  ///   - seed: the panel's first frame.
  ///   - wall: the time of day.
  ///   - now: the loop's clock.
  convenience init(
    of panel: PanelDefinition, at place: MQTTEnvironment, _ show: PanelRendering, seed: PanelFrame,
    _ wall: RealtimeOffset,
    now: @escaping () -> Moment
  ) {
    let started = wall.milliseconds(at: max(.zero, now()))
    var fixed = [(PanelTopics.Subject.info, PanelInfoMessage(panel, place).payload(started: started))]
    var discovery: HomeAssistantDiscovery?
    switch panel.mqtt?.discovery {
    case .homeassistant:
      let made = HomeAssistantDiscovery(of: panel, id: place.id)
      fixed.append((.discovery, made.payload))
      discovery = made
    case MQTTDefinition.Discovery.none?: fixed.append((.discovery, []))
    case nil: break
    }
    self.init(
      PanelTopics(of: panel, id: place.id, fixed: fixed), show, seed: seed, wall, discovery: discovery, now: now)
  }

  /// - Parameters:
  ///   - topics: the topics to publish, and their form.
  ///   - show: the panel's show.
  ///   - seed: the panel's first frame.
  ///   - wall: the time of day.
  ///   - discovery: the discovery message for Home Assistant; nil for none.
  ///   - now: the loop's clock.
  init(
    _ topics: PanelTopics, _ show: PanelRendering, seed: PanelFrame, _ wall: RealtimeOffset,
    discovery: HomeAssistantDiscovery? = nil,
    now: @escaping () -> Moment
  ) {
    self.discovery = discovery
    (self.topics, self.panel, self.wall) = (topics, topics.panel, wall)
    started = wall.milliseconds(at: max(.zero, now()))
    let (panel, events) = (topics.panel, topics.panel.inputs.indices.map { topics.place(of: .event($0)) })
    self.events = events
    carriers = panel.inputs.indices.filter { events[$0] != nil && !panel.inputs[$0].device.carriers.isEmpty }
    refused = topics.place(of: .refused)
    let view = TopicDiff(of: topics, show, seed: seed)
    self.view = view
    messages = MessagePublisher(
      topics.plan, prepare: { [unowned self] in prepare() },
      hasValue: { [unowned self] in self.topics.form == .mqtt || self.view?.hasValue($0) ?? true },
      disconnected: { [unowned self] in commands?.releaseAll() },
      writeValue: { [unowned self] topic, writer in write(topic, to: &writer, now()) },
      finishEvent: { missed, offered, now, writer in
        // The types of a message's arguments precede them, so no argument can be added here.
        guard topics.form == .mqtt else { return }
        if now - offered > Self.late { writer.write(",\"late\":true") }
        if missed > 0 {
          writer.write(",\"missed\":")
          writer.write(missed)
        }
        writer.write("}")
      })
  }

  /// Publishes the changes in the current frame.
  private func prepare() {
    guard hasChanged, let read, let view else { return }
    hasChanged = false
    read { frame in
      view.update(to: frame.pointee) { messages.tell(value: $0) }
    }
  }

  private func write(_ topic: Int, to writer: inout PayloadWriter, _ now: Moment) {
    guard topics.form == .mqtt else {
      view?.writeOSC(topic, to: &writer)
      return
    }
    guard topics.subjects[topic] == .stats else {
      view?.write(topic, to: &writer)
      return
    }
    let account = messages.account
    writer.write("{\"up\":")
    writer.write((wall.milliseconds(at: now) - started) / 1000)
    for (name, number) in [
      ("offered", account.offered), ("delivered", account.delivered), ("superseded", account.superseded),
      ("lost", account.lost), ("pending", account.pending), ("reconnects", messages.reconnections),
    ] {
      writer.write(",\"\(name)\":")
      writer.write(number)
    }
    writer.write("}")
  }

  /// The time for Home Assistant to remove entities, before the message with all current entities is published again.
  static let removalTime = Duration.seconds(5)

  /// Publishes the discovery message. If the panel no longer has some of the earlier entities, a message that removes
  /// them is published first. The documentation of Home Assistant asks for this order.
  ///
  /// - Parameter kept: the earlier discovery message, which the broker has retained; nil for none.
  func tellDiscovery(after kept: [UInt8]?) {
    guard let discovery, let topic = topics.place(of: .discovery) else { return }
    let removed = kept.map { discovery.removed(since: $0) } ?? []
    guard !removed.isEmpty else { return messages.tell(value: topic) }
    messages.tell(value: topic, saying: discovery.payload(removing: removed))
    messages.tell(value: topic, after: Self.removalTime)
  }

  /// Marks the frame as changed after the rules have applied something.
  fileprivate func change() {
    hasChanged = true
    messages.ring()
  }

  /// Keeps what an event needs of the frame that the rules are about to change.
  fileprivate func begin(in frame: PanelFrame) {
    moment = Moment(nanoseconds: Int64(frame.now))
    if !carriers.isEmpty { for input in carriers { numbers[input] = frame[reading: input] } }
  }

  /// The number that an event carries, multiplied by 10 ^ `decimals`; nil for an event without a number.
  private func number(of word: Int, of input: Int) -> (number: Int, decimals: Int)? {
    guard let number = numbers[input], number != .unknown else { return nil }
    let device = panel.inputs[input].device
    guard let scale = device.scale, device.carriers.contains(word) else { return nil }
    return (number, scale.decimals)
  }

  /// Publishes an event of an input.
  fileprivate func tell(_ word: Int, of input: Int) {
    guard let topic = events[input] else { return }
    let name = panel.inputs[input].device.events[word]
    let number = carriers.isEmpty ? nil : number(of: word, of: input)
    guard topics.form == .mqtt else {
      return messages.tell(event: topic) { writer in
        guard let number else { return writer.write(oscArgument: name) }
        writer.write(oscArguments: [.text(name), .number(number.number, decimals: number.decimals)])
      }
    }
    sequence += 1
    let milliseconds = wall.milliseconds(at: moment)
    messages.tell(event: topic) { writer in
      writer.write("{\"event_type\":\"")
      writer.write(name)
      if let number {
        writer.write("\",\"number\":")
        writer.write(Quantity.text(number.number, decimals: number.decimals))
        writer.write(",\"seq\":")
      } else {
        writer.write("\",\"seq\":")
      }
      writer.write(sequence)
      writer.write(",\"at\":\"")
      WallClock.write(millisecondsSince1970: milliseconds, to: &writer)
      writer.write("\"")
    }
  }

  /// Publishes that a command was refused.
  ///
  /// - Parameters:
  ///   - topic: the topic of the command, without the panel's own part.
  ///   - payload: the payload of the command.
  ///   - why: the reason, in a few words.
  func refuse(_ topic: String, _ payload: [UInt8], _ why: String) {
    guard let refused else { return }
    messages.tell(event: refused) { writer in
      writer.write("{\"topic\":")
      writer.write(quoted: topic.shortened(to: 80))
      writer.write(",\"payload\":")
      // Leaves room for the reason. Escaped text is longer than the original.
      writer.write(quoted: String(decoding: payload.prefix(64), as: UTF8.self).shortened(to: 64), leaving: 240)
      writer.write(",\"why\":")
      // Leaves room for the number of lost events, and the end.
      writer.write(quoted: why, leaving: 64)
    }
  }

  /// Sends a message of the panel.
  func send(_ sent: SentOSCMessages.Sent) {
    let message = panel.messages[sent.message]
    guard let address = topics.messageAddresses.firstIndex(of: message.address),
      let topic = topics.place(of: .message(address))
    else { return }
    messages.tell(event: topic) { $0.write(oscArguments: message.arguments(with: sent.results)) }
  }
}

extension String {
  /// At most `count` bytes of the text.
  func shortened(to count: Int) -> String {
    utf8.count <= count ? self : String(decoding: Array(utf8.prefix(count)), as: UTF8.self)
  }
}

/// Forwards the calls of the rules, and publishes what they do.
package final class NetworkRecorder: RulesRecorder, @unchecked Sendable {
  private let publisher: PanelPublisher
  private let next: (any RulesRecorder)?

  package init(_ publisher: PanelPublisher, then next: (any RulesRecorder)?) {
    (self.publisher, self.next) = (publisher, next)
  }

  package func begin(in frame: PanelFrame) {
    publisher.begin(in: frame)
    next?.begin(in: frame)
  }
  package func end(in frame: PanelFrame) {
    publisher.change()
    next?.end(in: frame)
  }
  package func tell(_ event: PanelEvent) {
    if case .input(let input, let word) = event { publisher.tell(word, of: input) }
    next?.tell(event)
  }
  package var countsConditions: Bool { next?.countsConditions ?? false }
  package func ask(_ transition: PanelDefinition.Transition, number: Int, in frame: PanelFrame) {
    next?.ask(transition, number: number, in: frame)
  }
  package func take(_ transition: PanelDefinition.Transition, number: Int) { next?.take(transition, number: number) }
  package func enter(_ state: Int) { next?.enter(state) }
  package func draw(_ chance: Chance) { next?.draw(chance) }
}
