import CycleCore
import HardwareDrivers
import Terminal

/// Tells a broker, or a receiver of Open Sound Control, what happens on a panel.
///
/// The rules ring it when they have changed a frame; it compares the frame with what it has told when the drivers have shown the frame: for
/// a broker on the network ``PanelTopics/pause`` later, else in the same turn. So nothing on the panel waits for it.
///
/// Used on the thread of the cycle, and by nothing that it calls.
final class PanelTelegraph: @unchecked Sendable {
  /// An event that waited for so long before it was sent is marked as late.
  static let late = Duration.seconds(5)

  let topics: PanelTopics
  private let panel: PanelDefinition
  private let wall: PanelClock
  private(set) var telegraph: Telegraph!
  /// Told once each; nil before the cycle is made.
  private var view: FrameView?
  private let events: [Int?]
  private let refused: Int?
  /// nil for a panel that Home Assistant is not told of.
  private let discovery: Discovery?
  /// How many events have been told.
  private var sequence = 0
  private let started: Int
  /// Calls its argument with the panel's current frame.
  var read: ((_ part: (UnsafePointer<PanelFrame>) -> Void) -> Void)?
  /// The moment of what the rules apply.
  fileprivate var moment = Moment.zero
  private var hasChanged = true
  /// Hears what others ask for.
  var commands: NetworkCommands?

  /// - Parameters:
  ///   - panel: has `mqtt`.
  ///   - place: who the panel is at its broker.
  ///   - show: the panel's.
  ///   - seed: its first frame.
  ///   - wall: the time of day.
  ///   - now: the loop's clock.
  convenience init(
    of panel: PanelDefinition, at place: NetworkPlace, _ show: PanelShow, seed: PanelFrame, _ wall: PanelClock,
    now: @escaping () -> Moment
  ) {
    let started = wall.milliseconds(at: max(.zero, now()))
    var fixed = [(PanelTopics.Subject.info, NetworkInfo(panel, place).payload(started: started))]
    var discovery: Discovery?
    switch panel.mqtt?.discovery {
    case .homeassistant:
      let made = Discovery(of: panel, id: place.id)
      fixed.append((.discovery, made.payload))
      discovery = made
    case NetworkDefinition.Discovery.none?: fixed.append((.discovery, []))
    case nil: break
    }
    self.init(
      PanelTopics(of: panel, id: place.id, fixed: fixed), show, seed: seed, wall, discovery: discovery, now: now)
  }

  /// - Parameters:
  ///   - topics: what is told, and how.
  ///   - show: the panel's.
  ///   - seed: its first frame.
  ///   - wall: the time of day.
  ///   - discovery: what Home Assistant is told; nil for nothing.
  ///   - now: the loop's clock.
  init(
    _ topics: PanelTopics, _ show: PanelShow, seed: PanelFrame, _ wall: PanelClock, discovery: Discovery? = nil,
    now: @escaping () -> Moment
  ) {
    self.discovery = discovery
    (self.topics, panel, self.wall) = (topics, topics.panel, wall)
    started = wall.milliseconds(at: max(.zero, now()))
    events = panel.inputs.indices.map { topics.place(of: .event($0)) }
    refused = topics.place(of: .refused)
    let view = FrameView(of: topics, show, seed: seed)
    self.view = view
    telegraph = Telegraph(
      topics.plan, prepare: { [unowned self] in prepare() },
      hasValue: { [unowned self] in self.topics.form == .mqtt || self.view?.hasValue($0) ?? true },
      disconnected: { [unowned self] in commands?.releaseAll() },
      writeValue: { [unowned self] topic, writer in write(topic, to: &writer, now()) },
      finishEvent: { missed, offered, now, writer in
        // The arguments of a message have their types before them.
        guard topics.form == .mqtt else { return }
        if now - offered > Self.late { writer.write(",\"late\":true") }
        if missed > 0 {
          writer.write(",\"missed\":")
          writer.write(missed)
        }
        writer.write("}")
      })
  }

  /// Tells what is otherwise in the current frame.
  private func prepare() {
    guard hasChanged, let read, let view else { return }
    hasChanged = false
    read { frame in
      view.update(to: frame.pointee) { telegraph.tell(value: $0) }
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
    let account = telegraph.account
    writer.write("{\"up\":")
    writer.write((wall.milliseconds(at: now) - started) / 1000)
    for (name, number) in [
      ("offered", account.offered), ("delivered", account.delivered), ("superseded", account.superseded),
      ("lost", account.lost), ("pending", account.pending), ("reconnects", telegraph.reconnections),
    ] {
      writer.write(",\"\(name)\":")
      writer.write(number)
    }
    writer.write("}")
  }

  /// How long Home Assistant has to remove entities before it is told of the others again.
  static let removalTime = Duration.seconds(5)

  /// Tells Home Assistant what there is. Of what it was told before and the panel does not have any more it is told first, as its
  /// documentation asks for.
  ///
  /// - Parameter kept: what it was told before; nil for nothing.
  func tellDiscovery(after kept: [UInt8]?) {
    guard let discovery, let topic = topics.place(of: .discovery) else { return }
    let removed = kept.map { discovery.removed(since: $0) } ?? []
    guard !removed.isEmpty else { return telegraph.tell(value: topic) }
    telegraph.tell(value: topic, saying: discovery.payload(removing: removed))
    telegraph.tell(value: topic, after: Self.removalTime)
  }

  /// The rules have applied something.
  fileprivate func change() {
    hasChanged = true
    telegraph.ring()
  }

  /// An input has told an event.
  fileprivate func tell(_ word: Int, of input: Int) {
    guard let topic = events[input] else { return }
    let name = panel.inputs[input].device.events[word]
    guard topics.form == .mqtt else { return telegraph.tell(event: topic) { $0.write(oscArgument: name) } }
    sequence += 1
    let milliseconds = wall.milliseconds(at: moment)
    telegraph.tell(event: topic) { writer in
      writer.write("{\"event_type\":\"")
      writer.write(name)
      writer.write("\",\"seq\":")
      writer.write(sequence)
      writer.write(",\"at\":\"")
      WallClock.write(millisecondsSince1970: milliseconds, to: &writer)
      writer.write("\"")
    }
  }

  /// Says that something which was asked for is not done.
  ///
  /// - Parameters:
  ///   - topic: on which it was asked for, without the panel's own part.
  ///   - payload: what was asked for.
  ///   - why: in a few words.
  func refuse(_ topic: String, _ payload: [UInt8], _ why: String) {
    guard let refused else { return }
    telegraph.tell(event: refused) { writer in
      writer.write("{\"topic\":")
      writer.write(quoted: topic.shortened(to: 80))
      writer.write(",\"payload\":")
      // For the reason: what has to be escaped is longer than it was.
      writer.write(quoted: String(decoding: payload.prefix(64), as: UTF8.self).shortened(to: 64), leaving: 240)
      writer.write(",\"why\":")
      // For how many were lost before it, and the end.
      writer.write(quoted: why, leaving: 64)
    }
  }

  /// Sends a message of the panel.
  func send(_ sent: SentMessages.Sent) {
    let message = panel.messages[sent.message]
    guard let address = topics.messageAddresses.firstIndex(of: message.address),
      let topic = topics.place(of: .message(address))
    else { return }
    telegraph.tell(event: topic) { $0.write(oscArguments: message.arguments(with: sent.results)) }
  }
}

extension String {
  /// At most so many bytes of it.
  func shortened(to count: Int) -> String {
    utf8.count <= count ? self : String(decoding: Array(utf8.prefix(count)), as: UTF8.self)
  }
}

/// Passes on what the rules do, and has the broker told of it.
final class NetworkRecorder: RulesRecorder, @unchecked Sendable {
  private let telegraph: PanelTelegraph
  private let next: (any RulesRecorder)?

  init(_ telegraph: PanelTelegraph, then next: (any RulesRecorder)?) {
    (self.telegraph, self.next) = (telegraph, next)
  }

  func begin(in frame: PanelFrame) {
    telegraph.moment = Moment(nanoseconds: Int64(frame.now))
    next?.begin(in: frame)
  }
  func end(in frame: PanelFrame) {
    telegraph.change()
    next?.end(in: frame)
  }
  func tell(_ event: PanelEvent) {
    if case .input(let input, let word) = event { telegraph.tell(word, of: input) }
    next?.tell(event)
  }
  var countsConditions: Bool { next?.countsConditions ?? false }
  func ask(_ transition: PanelDefinition.Transition, number: Int, in frame: PanelFrame) {
    next?.ask(transition, number: number, in: frame)
  }
  func take(_ transition: PanelDefinition.Transition, number: Int) { next?.take(transition, number: number) }
  func enter(_ state: Int) { next?.enter(state) }
  func draw(_ chance: Chance) { next?.draw(chance) }
}
