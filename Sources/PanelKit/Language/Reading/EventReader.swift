import CycleCore
import Terminal

/// Reads the names of events: `bell.pressed`, `chime.finished`, `gpio.lost`.
package struct EventReader {
  package let names: Names
  package let problems: ProblemList

  package init(names: Names, problems: ProblemList) {
    (self.names, self.problems) = (names, problems)
  }

  /// The events of a key of `on`: one, or several that are separated by `|`.
  func events(_ entry: YAMLNode.Entry) -> [(event: PanelEvent, text: String, position: Position)] {
    // A single event is one word.
    if entry.key.utf8.contains(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "|") }
    ),
      isRefused(entry)
    {
      return []
    }
    guard entry.key.contains("|") else {
      return event(entry.key, at: entry.position).map { [($0, entry.key, entry.position)] } ?? []
    }
    var offset = 0
    return entry.key.split(separator: "|", omittingEmptySubsequences: false).compactMap { part in
      let blanks = part.prefix { $0 == " " }.count
      let text = String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      let position = entry.position(at: offset + blanks)
      offset += part.unicodeScalars.count + 1
      return event(text, at: position).map { ($0, text, position) }
    }
  }

  /// Adds a problem for several events in one key that are not separated by `|`. Returns false for any other key.
  private func isRefused(_ entry: YAMLNode.Entry) -> Bool {
    var words = entry.key.split { $0 == " " || $0 == "," || $0 == "&" || $0 == "|" }.map(String.init)
    let (count, isBoth) = (words.count, words.contains("and") || entry.key.contains("&"))
    words.removeAll { $0 == "or" || $0 == "and" }
    guard words.count > 1, words.allSatisfy({ $0.contains(".") }) else { return false }
    let isJoined = entry.key.contains("|") && !entry.key.contains(text: "||") && !entry.key.contains(",")
    guard isBoth || words.count < count || !isJoined else { return false }
    problems.add(
      entry.position,
      isBoth
        ? "\(quoted(entry.key)) is two events, which never occur together; use a chord of the buttons, or \(words[0]) with an if"
        : "\(quoted(entry.key)) is not an event; to react to any of them write \(words.joined(separator: " | "))")
    return true
  }

  /// The event with that name. For an unknown name, adds a problem that lists the known events, and returns nil.
  package func event(_ text: String, at position: Position) -> PanelEvent? {
    if text.utf8.contains(where: { "=<>".utf8.contains($0) }) {
      problems.add(position, "\(quoted(text)) is a condition, not an event; write when: { \(text): STATE }")
      return nil
    }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    if parts.count == 1, (try? Quantity.duration(text)) != nil {
      problems.add(position, "\(quoted(text)) is a time, not an event; write after: { \(text): STATE }")
      return nil
    }
    guard parts.count == 2 else {
      problems.add(position, "\(quoted(text)) is not an event; write a device, a dot and an event: bell.pressed")
      return nil
    }
    if name == "network", let event = names.acceptedEvents.firstIndex(of: parts[1]) { return .asked(event) }
    if let hardware = names.hardware(name) {
      switch parts[1] {
      case "lost": return .lost(hardware)
      case "restored": return .restored(hardware)
      default:
        let others = hardware == .network ? names.acceptedEvents : []
        return addNoEvent(parts[1], of: name, known: ["lost", "restored"] + others, at: position)
      }
    }
    switch names.thing(name) {
    case .input(let index): return event(parts[1], ofInput: index, name, at: position)
    case .output(let output) where names.reports[output] != nil:
      return names.reports[output].flatMap { event(parts[1], ofInput: $0, name, at: position) }
    case .inputs(let group):
      guard let first = names.inputGroups[group].members.first, let device = names.inputDevices[first] else {
        return nil
      }
      if let event = device.events.firstIndex(of: parts[1]) { return .anyInput(group: group, event) }
      return addNoEvent(parts[1], of: "\(type(of: device).word) \(quoted(name))", known: device.events, at: position)
    case .sound(let index): return isFinished(parts[1], index, name, at: position) ? .finished(sound: index) : nil
    case .sounds(let group):
      let first = names.soundGroups[group].first
      return isFinished(parts[1], first, name, at: position) ? .anyFinished(group: group) : nil
    case .chip: problems.add(position, names.faultOfWired(name))
    // An output that has errors may report events.
    case .output(let output) where names.outputDevices[output] == nil: break
    case .output, .outputs, .value, .texts:
      let noun = names.thing(name)?.noun ?? ""
      problems.add(position, "\(quoted(name)) is \(noun) and has no events; name an input, a sound, audio or gpio")
    case nil where names.faultOfEach(name) != nil: problems.add(position, names.faultOfEach(name) ?? "")
    case nil where name == "network" && !names.acceptedEvents.isEmpty:
      return addNoEvent(parts[1], of: name, known: names.acceptedEvents, at: position)
    case nil where name == "network" && !["lost", "restored"].contains(parts[1]):
      problems.add(position, "unknown event source \"network\"; write accept: { event: [ \(parts[1]) ] } in the file")
    case nil where name == "network":
      problems.add(position, "unknown event source \"network\"; add mqtt: { publish: all } to the file")
    case nil:
      let known = Array((names.inputs + names.sounds + names.hardwareWords).prefix(200))
      let suggestion = problems.suggestion(for: name, among: known, called: "sources of events")
      problems.add(position, "unknown event source \(quoted(name)); \(suggestion)")
    }
    return nil
  }

  private func event(_ word: String, ofInput input: Int, _ name: String, at position: Position) -> PanelEvent? {
    guard let device = names.inputDevices[input] else { return nil }
    // Scenarios name the times of day that have occurred.
    if device is any ClockInputKind, names.panel == nil {
      let time = ClockReader.timeMeant(by: word) ?? "06:30"
      problems.add(position, "the clock has no events; write at: { \"\(time)\": STATE }")
      return nil
    }
    if let event = device.events.firstIndex(of: word) { return .input(input, event) }
    let subject = "\(type(of: device).word) \(quoted(name))"
    return addNoEvent(word, of: subject, known: device.events, at: position)
  }

  /// Whether the event is the end of a sound. A sound in a loop has no end, which adds a problem; a tone without a
  /// length adds a note.
  private func isFinished(_ event: String, _ sound: Int, _ name: String, at position: Position) -> Bool {
    guard event == "finished" else {
      _ = addNoEvent(event, of: "sound \(quoted(name))", known: ["finished"], at: position)
      return false
    }
    guard let settings = names.soundSettings[sound], !settings.ends else { return true }
    guard settings.loop else {
      problems.note(position, "a tone without a length never finishes; add for: 80ms")
      return true
    }
    problems.add(position, "sound \(quoted(name)) plays in a loop and never finishes; use after: or loop: false")
    return false
  }

  private func addNoEvent(_ event: String, of subject: String, known: [String], at position: Position) -> PanelEvent? {
    problems.add(position, "\(subject) has no event \(quoted(event)); it has \(listed(known))")
    return nil
  }
}
