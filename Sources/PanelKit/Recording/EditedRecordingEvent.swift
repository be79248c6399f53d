import CycleCore
import HardwareDrivers
import PanelEngine
import PanelKinds
import PanelLanguage
import PanelNetwork
import PanelRun

/// A cause of an edited recording, with the frame of the panel in which it occurs.
package struct EditedRecordingEvent: Equatable {
  /// The meaning of a cause for the world.
  enum Meaning: Equatable {
    /// A contact is in a position, by its index in ``InputKind/positions``.
    case contact(Int, position: Int)
    /// A contact was found in a position, in which it has been since before the start.
    case found(Int, position: Int)
    /// A knob has turned by a detent, clockwise or not.
    case detent(Int, isClockwise: Bool)
    /// An input with the control `events` has emitted an event, with the number that it carries.
    case event(Int, event: Int, number: Int?)
    /// A sensor has read a number, in the units of its scale.
    case reading(Int, Int)
    case sensorLost(Int)
    case sensorRestored(Int)
    case lost(PluggableHardware)
    case restored(PluggableHardware)
    /// A remote command.
    case remote(RemoteCommand)
    case seed(UInt64)
    case draws([Int])
    /// The panel has started again, with its first frame.
    case powerCut
    /// A consequence of an earlier model or event of a driver: a timeout, the end of a sound, a press that was a click.
    case answer
    /// A cause that a simulated world never has: lost edges, a call that failed, a frame that was set.
    case other
  }

  /// The number of the cause in the recording; nil for an inserted one.
  package var number: Int?
  /// Nanoseconds since the recording's start.
  package var time: Int64
  /// The text: `bell.pressed`, `after 3s in ringing`.
  package var text: String
  var meaning: Meaning
  /// Whether it answers something that the panel doesn't show at that moment: a timer that isn't running, a sound that
  /// isn't playing.
  var isStale = false
  /// Whether it was injected while the recording was recorded.
  var isInjected = false
  /// The number of the frame after it.
  var frame = 0

  /// A frame that was set from outside.
  static func frameSet(at time: Int64) -> Self { Self(time: time, text: "a frame that was set", meaning: .powerCut) }
}

/// Keeps the meaning of the causes of a replay for the panel.
final class EditedRecordingReader: EventTap {
  private let application: PanelApplication
  private let events: [String: (input: Int, event: Int)]
  private let sensors: [String: Int]
  private var seen: [EditedRecordingEvent] = []
  /// The sensor whose reading is reduced next. The frame after it has the number.
  private var pendingSensor: Int?
  /// The first frame of the edited recording.
  private(set) var first: PanelFrame?

  /// - Parameter application: an application of the recording's panel, not started.
  init(_ application: PanelApplication) {
    self.application = application
    let panel = application.panel
    var events: [String: (input: Int, event: Int)] = [:]
    var sensors: [String: Int] = [:]
    for (number, input) in panel.inputs.enumerated() {
      if input.device.isSensor { sensors[input.name] = number }
      for event in input.device.events.indices { events[panel.name(of: .input(number, event))] = (number, event) }
    }
    (self.events, self.sensors) = (events, sensors)
  }

  /// The causes of the edited recording that occur, and their effects.
  ///
  /// - Parameter sink: receives the lines; whole recordings if `isWhole`.
  func rows(of take: EditedRecording, to sink: (any RecordingSink)? = nil, isWhole: Bool = false) throws -> (
    rows: [EditedRecordingEvent], report: ReplayReport
  ) {
    let observation = application.cycle.tap(self)
    defer { observation.end() }
    let report: ReplayReport
    if isWhole, let sink {
      report = try application.cycle.record(take, to: sink)
    } else {
      report = try application.cycle.play(take, to: sink)
    }
    endReading()
    var rows: [EditedRecordingEvent] = []
    var next = seen[...]
    for (cause, time) in take.played {
      var row = cause.kind == .frameSet || next.isEmpty ? EditedRecordingEvent.frameSet(at: time) : next.removeFirst()
      (row.number, row.time) = (cause.number, time)
      row.isInjected = cause.kind == .injection && cause.number != nil
      rows.append(row)
    }
    return (rows, report)
  }

  /// Returns the row of the cause that a replay has just played.
  func row(of line: ParsedRecordingLine) -> EditedRecordingEvent {
    endReading()
    defer { seen.removeAll() }
    return seen.last ?? .frameSet(at: line.time)
  }

  // MARK: - EventTap

  func receive<Event: Sendable>(found event: Event, of lens: Int, at moment: Moment) {
    endReading()
    let text = application.journals[lens].text(event) ?? application.cycle.name(of: lens)
    guard let (input, word, _) = namedEvent(text),
      [.button, .switch, .selector].contains(type(of: application.panel.inputs[input].device).control),
      let position = application.panel.inputs[input].device.position(after: word)
    else { return add("\(text), as found", .other) }
    let (device, name) = (application.panel.inputs[input].device, application.panel.inputs[input].name)
    add("\(name) is \(device.word(ofPosition: position))", .found(input, position: position))
  }

  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment) {
    endReading()
    let journal = application.journals[lens]
    let name = application.cycle.name(of: lens)
    let text = journal.text(event) ?? name
    let meaning = meaning(of: event, text, lens: name)
    add(EditedRecordingEvent(time: 0, text: text, meaning: meaning, isStale: isStale(event)))
  }

  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment) {
    endReading()
    let source = application.journals[lens].source
    let sensor = sensors[application.cycle.name(of: lens)]
    let text = PanelTrouble.trouble(trouble, source).text
    switch (trouble, source.hardware) {
    case (.lost, nil): add(text, sensor.map { .sensorLost($0) } ?? .other)
    case (.restored, nil): add(text, sensor.map { .sensorRestored($0) } ?? .other)
    case (.lost, let hardware?): add(text, .lost(hardware))
    case (.restored, let hardware?): add(text, .restored(hardware))
    case (.failed, _), (.eventsLost, _): add(text, .other)
    }
  }

  private func add(_ text: String, _ meaning: EditedRecordingEvent.Meaning) {
    add(EditedRecordingEvent(time: 0, text: text, meaning: meaning))
  }

  private func add(_ row: EditedRecordingEvent) { seen.append(row) }

  /// Keeps the effect of the event before.
  private func endReading() {
    if first == nil { first = application.frame }
    guard !seen.isEmpty else { return }
    seen[seen.count - 1].frame = application.cycle.frameNumber
    guard let input = pendingSensor else { return }
    pendingSensor = nil
    let number = application.frame[reading: input]
    guard application.frame[position: input] == Presence.isThere else {
      seen[seen.count - 1].meaning = .sensorLost(input)
      return
    }
    seen[seen.count - 1].meaning = .reading(input, number)
    if let scale = application.panel.inputs[input].device.scale {
      seen[seen.count - 1].text = "\(application.panel.inputs[input].name) reads \(scale.text(of: number))"
    }
  }

  private func meaning(of event: Any, _ text: String, lens: String) -> EditedRecordingEvent.Meaning {
    switch event {
    case let event as RemoteCommandInput.Event:
      return event.command(in: application.panel).map { .remote($0) } ?? .answer
    case RandomControl.Event.seed(let seed): return .seed(seed)
    case RandomControl.Event.prescribe(let results): return .draws(results)
    case is Timer<PanelDeadline>.Event, is AudioPlayer.Event,
      is KeptValuesDriver<KeptValuesFolder>.Event:
      return .answer
    default: break
    }
    if let input = sensors[lens] {
      pendingSensor = input
      return .other
    }
    guard let (input, word, number) = namedEvent(text) else { return .other }
    let device = application.panel.inputs[input].device
    switch type(of: device).control {
    case .knob: return .detent(input, isClockwise: word == EncoderKind.clockwise)
    case .button, .switch: return device.position(after: word).map { .contact(input, position: $0) } ?? .answer
    case .selector, .events: return .event(input, event: word, number: number)
    case .sensor, .none: return .other
    }
  }

  /// The event that a journal names, with the number that it carries: `reader.read 4711`.
  private func namedEvent(_ text: String) -> (input: Int, event: Int, number: Int?)? {
    let words = text.split(separator: " ", maxSplits: 1)
    guard let first = words.first, let (input, event) = events[String(first)] else { return nil }
    guard words.count == 2 else { return (input, event, nil) }
    guard let scale = application.panel.inputs[input].device.scale,
      let number = Quantity.fixed(String(words[1]), decimals: scale.decimals)
    else { return nil }
    return (input, event, number)
  }

  private func isStale(_ event: Any) -> Bool {
    let (show, frame) = (application.show, application.frame)
    switch event {
    case Timer<PanelDeadline>.Event.due(let deadline):
      return deadline.owner != .begin && !show.deadlines(in: frame).contains { $0.id == deadline }
    case AudioPlayer.Event.started(let key), AudioPlayer.Event.finished(let key, .ended),
      AudioPlayer.Event.finished(let key, .failed):
      return !show.playing(in: frame).contains { application.panel.sounds[$0].name == key }
    default: return false
    }
  }
}
