import CycleCore
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelNetwork
import PanelRun

/// The actions of a recording's world, each with the events that it caused, so that edits of events become edits of the
/// world.
///
/// If the recording has steps of the world, these are the parts. For a recording of real hardware, the parts are the
/// recorded edges of its lines. For inputs without edges, they are steps that are deduced from events.
struct CausalTimeline {
  /// A step, or an edge of a line.
  private struct Part {
    /// Nanoseconds since the recording's start; nil before the start.
    var time: Int64?
    var words: String
    /// nil for an edge.
    var step: Step?
    /// The line of an edge.
    var line: String?
    var isOff = false
    var isMoved = false
    /// The number of detents to remove from a turn.
    var missing = 0
    /// The order of events, which parts of the same moment keep.
    var order: Int
  }

  private let panel: PanelDefinition
  private let texts: StepText
  private let end: Int64
  private var parts: [Part] = []
  /// The parts that caused each event, by the event's number.
  private var causes: [Int: [Int]] = [:]
  private let originals: [Int: EditedRecordingEvent]
  /// The number of parts that have been searched for the edges of each input.
  private var seenEdges: [Int: Int] = [:]

  /// - Parameters:
  ///   - take: an edited recording of the recording.
  ///   - rows: the meanings of the recording's causes, without edits.
  ///   - first: the first frame of the recording.
  ///   - readsEdges: whether recorded edges of real lines are used.
  ///   - panel: the panel of the recording.
  init(
    _ take: EditedRecording, _ rows: [EditedRecordingEvent], from first: PanelFrame?, of panel: PanelDefinition,
    readsEdges: Bool = true
  ) throws(RecordingTextFault) {
    self.panel = panel
    texts = StepText(of: panel)
    end = take.end
    originals = Dictionary(rows.compactMap { row in row.number.map { ($0, row) } }) { first, _ in first }
    if take.steps.isEmpty {
      let lines = readsEdges ? Set(take.edges.map(\.line)) : []
      if !lines.isEmpty { addEdges(take.edges) }
      deduce(rows, from: first, besides: lines)
    } else {
      try addSteps(take.steps)
      find(rows)
    }
  }

  // MARK: - The parts

  private mutating func addSteps(_ steps: [WorldAction]) throws(RecordingTextFault) {
    let names = Names(panel)
    for step in steps {
      let read: Scenario.PlacedStep?
      do throws(Problems) {
        read = try StepLineReader.read(step.words, line: 0, file: "", names: names)
      } catch {
        let reason = error.list.first?.text ?? "it can't be read"
        throw RecordingTextFault("the step \(step.words): \(reason); use the panel that made the recording")
      }
      // A wait or an expectation isn't a step of the world, and could take forever.
      guard let read, texts.line(read.step) != nil else {
        throw RecordingTextFault("the step \(step.words) is not a step of recordings; use the recording as it was made")
      }
      parts.append(Part(time: step.time, words: step.words, step: read.step, order: parts.count))
    }
  }

  private mutating func addEdges(_ edges: [RecordedEdge]) {
    // A line has its level before the panel requests it.
    var known: Set<String> = []
    for edge in edges {
      let isFirst = known.insert(edge.line).inserted
      if isFirst, edge.sequence > 0 { addEdge(edge.line, isHigh: !edge.isHigh, at: nil) }
      addEdge(edge.line, isHigh: edge.isHigh, at: isFirst && edge.sequence == 0 ? nil : edge.time)
    }
    parts.sort { ($0.time ?? -1, $0.order) < ($1.time ?? -1, $1.order) }
  }

  private mutating func addEdge(_ line: String, isHigh: Bool, at time: Int64?) {
    parts.append(Part(time: time, words: Self.words(line, isHigh: isHigh), line: line, order: parts.count))
  }

  /// An edge as words. No step starts with these words.
  private static func words(_ line: String, isHigh: Bool) -> String { "level \(isHigh ? "high" : "low") \(line)" }

  /// The line and the level of an edge in words; nil for a step.
  static func edge(_ words: String) -> (line: String, level: Level)? {
    for (word, level) in [("level high ", Level.high), ("level low ", .low)] where words.hasPrefix(word) {
      return (String(words.dropFirst(word.count)), level)
    }
    return nil
  }

  /// Finds the step that caused each event: the last matching step that isn't after the event.
  private mutating func find(_ rows: [EditedRecordingEvent]) {
    var count = 0
    for row in rows {
      while count < parts.count, parts[count].time ?? -1 <= row.time { count += 1 }
      guard let number = row.number, !row.isInjected, row.meaning != .answer else { continue }
      if let place = parts.indices[..<count].last(where: { doesTell($0, row) }) { causes[number] = [place] }
    }
    // An injected event has no step.
    for row in rows where row.isInjected { add(row, for: row.number) }
  }

  /// Whether a part can have caused an event.
  private func doesTell(_ place: Int, _ row: EditedRecordingEvent) -> Bool {
    guard let step = parts[place].step else { return false }
    switch (row.meaning, step) {
    case (.contact(let input, 1), .press(let inputs)), (.contact(let input, 0), .release(let inputs)):
      return inputs.contains(input)
    case (.contact(let input, let position), .switch(let other, let isOn)):
      return input == other && (position == 1) == isOn
    case (.contact(let input, let position), .jam(let other, let stuck)): return input == other && position == stuck
    case (.contact(let input, _), .free(let other)): return input == other
    case (.detent(let input, let isClockwise), .turn(let other, let detents)):
      return input == other && isClockwise == (detents > 0)
    case (.event(let input, let event, let number), .event(let other, let cause, let carried)):
      return input == other && event == cause && number == carried
    case (.reading(let input, _), .sense(let other, _)), (.reading(let input, _), .plugSensor(let other)):
      return input == other
    case (.sensorRestored(let input), .sense(let other, _)), (.sensorRestored(let input), .plugSensor(let other)):
      return input == other
    case (.sensorLost(let input), .unplugSensor(let other)): return input == other
    case (.sensorLost(let input), .unplugPort(let port)), (.sensorRestored(let input), .plugPort(let port)),
      (.reading(let input, _), .plugPort(let port)):
      return panel.inputs[input].device.usedPorts.contains { $0.name == port }
    case (.lost, .unplug), (.sensorLost, .unplug), (.restored, .plug), (.sensorRestored, .plug): return true
    case (.remote(let event), .remote(let command)): return command.canTell(event)
    case (.seed, .seed), (.draws, .draw), (.powerCut, .powerCut), (.powerCut, .restart): return true
    default: return false
    }
  }

  /// Deduces the steps from events of real hardware. Events of inputs on these lines are caused by edges instead.
  private mutating func deduce(_ rows: [EditedRecordingEvent], from first: PanelFrame?, besides lines: Set<String>) {
    let edgeCount = parts.count
    if let first { addStart(first, besides: lines) }
    // Each lens reports the loss and the return of its hardware. The first loss and the last return count.
    var lost: [PluggableHardware: [Int]] = [:]
    var restored: [PluggableHardware: [Int]] = [:]
    for hardware in first?.missing ?? [] {
      lost[hardware] = Array(repeating: Self.start, count: first?.missingCount(of: hardware) ?? 0)
    }
    for row in rows {
      guard let number = row.number else { continue }
      if let input = Self.input(of: row.meaning), panel.inputs[input].device.lines.contains(where: lines.contains) {
        causes[number] = edges(of: input, among: edgeCount, before: row)
        continue
      }
      switch row.meaning {
      case .lost(let hardware):
        if let first = lost[hardware]?.first { causes[number] = causes[first] } else { add(row, for: number) }
        lost[hardware, default: []].append(number)
      case .restored(let hardware):
        restored[hardware, default: []].append(number)
        guard restored[hardware]?.count == lost[hardware]?.count else { continue }
        add(row, for: number)
        for earlier in restored[hardware] ?? [] { causes[earlier] = causes[number] }
        (lost[hardware], restored[hardware]) = (nil, nil)
      default: add(row, for: number)
      }
    }
  }

  /// The number that stands for the first frame in place of an event.
  private static let start = -1

  /// Adds the state before the start: closed contacts, numbers of sensors, and lost hardware.
  private mutating func addStart(_ frame: PanelFrame, besides lines: Set<String>) {
    for (input, definition) in panel.inputs.enumerated() {
      let device = definition.device
      if device.isSensor {
        guard frame[position: input] == Presence.isThere else { continue }
        add(EditedRecordingEvent(time: -1, text: "", meaning: .reading(input, frame[reading: input])))
      } else if type(of: device).control == .selector || !device.lines.contains(where: lines.contains) {
        let (control, position) = (type(of: device).control, frame[position: input])
        let isMoved = position == 1 && (control == .button || control == .switch)
        guard isMoved || control == .selector && device.positions.indices.contains(position) else { continue }
        add(EditedRecordingEvent(time: -1, text: "", meaning: .found(input, position: position)))
      }
    }
    // If all chips are lost, one step unplugs them.
    for hardware in frame.missing where hardware != .gpio || frame.missing.allSatisfy({ !$0.hasLines || $0 == .gpio }) {
      add(EditedRecordingEvent(time: -1, text: "", meaning: .lost(hardware)))
      causes[Self.start] = [parts.count - 1]
    }
  }

  private static func input(of meaning: EditedRecordingEvent.Meaning) -> Int? {
    switch meaning {
    case .contact(let input, _), .detent(let input, _), .found(let input, _), .event(let input, _, _),
      .reading(let input, _):
      input
    default: nil
    }
  }

  /// The edges of an input up to one of its events, without those of earlier events.
  private mutating func edges(of input: Int, among count: Int, before row: EditedRecordingEvent) -> [Int] {
    let lines = panel.inputs[input].device.lines
    let last = row.time - lead(of: row.meaning)
    var place = seenEdges[input] ?? 0
    var found: [Int] = []
    while place < count, parts[place].time ?? -1 <= last {
      if parts[place].time != nil, let line = parts[place].line, lines.contains(line) { found.append(place) }
      place += 1
    }
    seenEdges[input] = place
    return found
  }

  /// Adds the step that can have caused an event.
  private mutating func add(_ row: EditedRecordingEvent, for number: Int? = nil) {
    guard let step = step(for: row.meaning), let words = texts.line(step) else { return }
    let time = row.time - lead(of: row.meaning)
    // Parts before the start have no time.
    parts.append(Part(time: time < 0 ? nil : time, words: words, step: step, order: parts.count))
    if let number { causes[number] = [parts.count - 1] }
  }

  private func step(for meaning: EditedRecordingEvent.Meaning) -> Step? {
    switch meaning {
    case .found(let input, position: 0) where type(of: panel.inputs[input].device).control != .selector: nil
    case .contact(let input, let position), .found(let input, let position):
      switch type(of: panel.inputs[input].device).control {
      case .switch: .switch(input: input, on: position == 1)
      case .selector:
        panel.inputs[input].device.event(of: position).map { .event(input: input, event: $0, number: nil) }
      default: position == 1 ? .press([input]) : .release([input])
      }
    case .detent(let input, let isClockwise): .turn(input: input, detents: isClockwise ? 1 : -1)
    case .reading(let input, let number): .sense(input: input, number)
    case .event(let input, let event, let number): .event(input: input, event: event, number: number)
    case .sensorLost(let input): .unplugSensor(input: input)
    case .sensorRestored(let input): .plugSensor(input: input)
    case .lost(let hardware): .unplug(hardware)
    case .restored(let hardware): .plug(hardware)
    case .remote(let command): .remote(command)
    case .seed(let seed): .seed(seed)
    case .draws(let results): .draw(results)
    case .answer, .powerCut, .other: nil
    }
  }

  /// The time from the start of a step to its event, in nanoseconds. A contact counts after it has been stable for the
  /// debounce time. A detent is emitted with its last quarter, 3 ms after its first.
  private func lead(of meaning: EditedRecordingEvent.Meaning) -> Int64 {
    switch meaning {
    case .contact(let input, let position):
      panel.inputs[input].device.settlingTime(to: position).wholeNanoseconds
    case .event(let input, let event, _):
      panel.inputs[input].device.position(after: event).map {
        panel.inputs[input].device.settlingTime(to: $0).wholeNanoseconds
      } ?? 0
    case .detent: 3_000_000
    // The position is that of before the start.
    case .found: .max
    default: 0
    }
  }

  // MARK: - Edits

  /// The steps after the edits of an edited recording, in the order of their moments.
  ///
  /// - Parameters:
  ///   - take: the edited recording with edits.
  ///   - rows: the meanings of its causes, with edits.
  /// - Throws: ``RecordingTextFault`` for an edit that the world can't make.
  func steps(of take: EditedRecording, _ rows: [EditedRecordingEvent]) throws(RecordingTextFault) -> [WorldAction] {
    var track = self
    for case .frame(let number, _, _) in take.edits {
      throw RecordingTextFault(
        "a re-simulation computes its frames, and can't set one after event \(number); leave out --resimulate"
      )
    }
    for number in take.off.sorted() { try track.checkCause(of: number) }
    for ((cause, _), row) in zip(take.played, rows) {
      if cause.kind == .frameSet, causes[cause.number ?? 0] == nil {
        throw RecordingTextFault(
          "event \(cause.number ?? 0) sets a frame, which a re-simulation can't do; remove it with off")
      }
      if row.isInjected, let number = cause.number { try track.checkCause(of: number) }
      try track.follow(row, isEdited: cause.isEdited)
    }
    for number in take.off { track.removeParts(of: number) }
    let left = track.parts.filter { !$0.isOff }.sorted { ($0.time ?? -1, $0.order) < ($1.time ?? -1, $1.order) }
    return left.map { WorldAction(time: $0.time, words: $0.words) }
  }

  /// Throws for an event that the world did not cause.
  private func checkCause(of number: Int) throws(RecordingTextFault) {
    guard causes[number] == nil, let row = originals[number] else { return }
    if row.meaning == .answer {
      throw RecordingTextFault(
        "event \(number), \(row.text), is a derived event, which the re-simulation computes again; edit the event that it follows from"
      )
    }
    throw RecordingTextFault(
      "event \(number), \(row.text), has no cause among the recorded inputs; leave out --resimulate")
  }

  /// Moves the parts of an event to its time in the edited recording, or replaces them if the event was edited.
  private mutating func follow(_ row: EditedRecordingEvent, isEdited: Bool) throws(RecordingTextFault) {
    let original = row.number.flatMap { originals[$0] }
    if let number = row.number, isEdited { try checkCause(of: number) }
    if isEdited || original == nil {
      guard step(for: row.meaning) != nil else {
        throw RecordingTextFault("\(row.text) is not an input; insert an event of an input")
      }
      if let number = row.number { removeParts(of: number) }
      return add(row)
    }
    guard let number = row.number, let original, row.time != original.time else { return }
    for part in causes[number] ?? [] where !parts[part].isMoved {
      guard let time = parts[part].time else { continue }
      parts[part].time = min(end, max(0, time + row.time - original.time))
      parts[part].isMoved = true
    }
  }

  private mutating func removeParts(of number: Int) {
    for part in causes[number] ?? [] {
      guard let (input, detents, isRemote) = parts[part].step?.turned else {
        parts[part].isOff = true
        continue
      }
      parts[part].missing += 1
      let left = detents.signum() * (abs(detents) - parts[part].missing)
      if left == 0 { parts[part].isOff = true }
      let step = isRemote ? Step.remote(.turn(input, by: left)) : .turn(input: input, detents: left)
      parts[part].words = texts.line(step) ?? parts[part].words
    }
  }
}

extension Step {
  /// The encoder that the step turns, the number of detents, and whether by a remote command; nil for any other step.
  fileprivate var turned: (input: Int, detents: Int, isRemote: Bool)? {
    switch self {
    case .turn(let input, let detents): (input, detents, false)
    case .remote(.turn(let input, let detents)): (input, detents, true)
    default: nil
    }
  }
}
