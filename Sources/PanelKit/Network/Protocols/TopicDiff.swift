import HardwareDrivers
import PanelEngine
import PanelLanguage
import Terminal

/// The view of a panel's frames for a broker: finds the changes in a new frame, and writes the values of topics.
///
/// A frame without changes needs no allocation.
final class TopicDiff {
  /// The state of an output, with everything that its text depends on.
  struct Shown: Equatable {
    var appearance: OutputAppearance
    var look: ObservedOutput
    /// The number of the value that is shown; 0 if the output shows no value.
    var number = 0
  }

  let panel: PanelDefinition
  let subjects: [PanelTopics.Subject]
  let show: PanelRendering
  let shown: ModelCache<Shown>
  /// The index in ``shown`` for each topic of an output; and the topic for each index.
  private(set) var outputs: [Int?]
  private let topicsOfOutputs: [Int]
  /// The published number of each topic that has one.
  private(set) var numbers: [Int]
  /// The published elements of each topic of a list.
  private(set) var elements: [Int: [Int]] = [:]
  private let sounds: [(topic: Int, sound: Int)]
  /// Whether the state of each input is a number.
  private let isNumber: [Bool]
  private let troubleTopic: Int?
  private var trouble = "{}"
  /// The names of the lost hardware, and `panel` if the panel has stopped.
  private(set) var troubleNames: [String] = []

  init(of topics: PanelTopics, _ show: PanelRendering, seed: PanelFrame) {
    (panel, subjects, self.show) = (topics.panel, topics.subjects, show)
    var places: [(topic: Int, output: Int)] = []
    var sounds: [(topic: Int, sound: Int)] = []
    for (topic, subject) in topics.subjects.enumerated() {
      switch subject {
      case .output(let output): places.append((topic, output))
      case .sound(let sound): sounds.append((topic, sound))
      default: break
      }
    }
    self.sounds = sounds
    isNumber = topics.panel.inputs.map(\.device.isNumber)
    topicsOfOutputs = places.map(\.topic)
    outputs = topics.subjects.map { _ in nil }
    for (place, of) in places.enumerated() { outputs[of.topic] = place }
    numbers = topics.subjects.map { _ in 0 }
    troubleTopic = topics.place(of: .trouble)
    let told = places.map(\.output)
    shown = ModelCache(of: told, in: show, readsValues: true, seed: seed) { [panel] place, appearance, values in
      let view = OutputView(values: values, age: .zero)
      let look = panel.outputs[told[place]].device.observed.look(of: appearance, in: view)
      if case .value(let value) = appearance {
        return Shown(appearance: appearance, look: look, number: values.frame[value: value])
      }
      return Shown(appearance: appearance, look: look)
    }
    update(to: seed) { _ in }
  }

  /// Calls `changed` with each topic whose value differs from the last frame.
  func update(to frame: PanelFrame, changed: (_ topic: Int) -> Void) {
    for topic in subjects.indices {
      let number: Int
      switch subjects[topic] {
      case .state(let region): number = show.toldState(of: region, in: frame)
      case .value(let value):
        number = frame[value: value]
        if let list = panel.values[value].list,
          elements[topic].map({ !frame.elements(of: list).elementsEqual($0) }) ?? true
        {
          elements[topic] = Array(frame.elements(of: list))
          numbers[topic] = number
          changed(topic)
          continue
        }
      case .input(let input):
        let reading = isNumber[input] ? panel.number(of: input, in: frame) : nil
        number = reading ?? Self.number(ofPosition: frame[position: input])
      case .presence(let input): number = frame[position: input] == Presence.isLost ? 0 : 1
      default: continue
      }
      guard number != numbers[topic] else { continue }
      numbers[topic] = number
      changed(topic)
    }
    shown.update(to: frame) { changed(topicsOfOutputs[$0]) }
    updateSounds(in: frame, changed)
    updateTrouble(in: frame, changed)
  }

  private func updateSounds(in frame: PanelFrame, _ changed: (Int) -> Void) {
    guard !sounds.isEmpty else { return }
    let audible = show.audible(in: frame)
    for (topic, sound) in sounds {
      let number = audible.contains(sound) ? 1 : 0
      guard number != numbers[topic] else { continue }
      numbers[topic] = number
      changed(topic)
    }
  }

  /// The number for the position of an input without a reading. It is lower than that of any reading.
  private static func number(ofPosition position: Int) -> Int { .min + 1 + position }

  /// The position, possibly unknown, for such a number; nil for a reading.
  static func position(ofNumber number: Int) -> Int? {
    let position = number &- (.min + 1)
    return (PanelFrame.unknownPosition..<mostPositions).contains(position) ? position : nil
  }

  /// A limit above the number of positions of any input.
  private static let mostPositions = 1 << 16

  // MARK: - Writing

  /// Writes the value of a topic.
  func write(_ topic: Int, to writer: inout PayloadWriter) {
    switch subjects[topic] {
    case .state(let region):
      writer.write(show.path(of: numbers[topic], in: region))
    case .value(let value): write(value, told: topic, to: &writer)
    case .input(let input): write(input: input, numbers[topic], to: &writer)
    case .presence: writer.write(numbers[topic] == 1 ? "online" : "offline")
    case .output: if let place = outputs[topic] { write(shown.models[place], to: &writer) }
    case .sound: writer.write(numbers[topic] == 1 ? "playing" : "idle")
    case .trouble: writer.write(trouble)
    case .info, .discovery, .availability, .event, .stats, .refused, .message: break
    }
  }

  private func write(_ value: Int, told topic: Int, to writer: inout PayloadWriter) {
    let definition = panel.values[value]
    guard definition.list != nil else { return write(numbers[topic], of: definition, to: &writer) }
    writer.write("[")
    for (place, element) in (elements[topic] ?? []).enumerated() {
      if place > 0 { writer.write(",") }
      // A duration is a string of the list's JSON.
      if definition.isDuration { writer.write("\"") }
      write(element, of: definition, to: &writer)
      if definition.isDuration { writer.write("\"") }
    }
    writer.write("]")
  }

  private func write(_ number: Int, of value: PanelDefinition.Value, to writer: inout PayloadWriter) {
    if !value.isDuration, !value.isTime, value.decimals == 0 {
      writer.write(number)
    } else {
      writer.write(value.text(of: number))
    }
  }

  private func write(input: Int, _ number: Int, to writer: inout PayloadWriter) {
    let device = panel.inputs[input].device
    let position = Self.position(ofNumber: number)
    if device.isNumber, let scale = device.scale {
      // Home Assistant reads None as unknown. For a sensor with a unit, any other text is an error.
      writer.write(position == nil ? scale.text(of: number) : "None")
    } else if position == PanelFrame.unknownPosition {
      writer.write("None")
    } else if device.positions.count == 2, type(of: device).control != .selector {
      writer.write(position == 1 ? "ON" : "OFF")
    } else if let position, device.positions.indices.contains(position) {
      writer.write(device.positions[position])
    }
  }

  private func write(_ shown: Shown, to writer: inout PayloadWriter) {
    writer.write("{\"state\":\"")
    writer.write(isOn(shown) ? "ON" : "OFF")
    writer.write("\",\"show\":")
    writer.write(quoted: text(of: shown), leaving: 1)
    writer.write("}")
  }

  /// Whether an output looks on.
  func isOn(_ shown: Shown) -> Bool {
    switch shown.look {
    case .off, .count(0), .level(0): false
    case .rows(let rows): rows.contains { !$0.isEmpty }
    default: true
    }
  }

  /// The appearance of an output in short: `blink 250ms`, `level 7`.
  func text(of shown: Shown) -> String {
    switch shown.appearance {
    case .value(let value): return "\(panel.values[value].name) \(panel.values[value].text(of: shown.number))"
    case .writing: return "\(shown.look)"
    default:
      // The text of a panel file, without its brackets.
      return shown.appearance.text.split { " {}:".contains($0) }.joined(separator: " ")
    }
  }

  // MARK: - Trouble

  /// Updates the trouble number: a bit for a panel that has stopped, and one for each lost hardware.
  private func updateTrouble(in frame: PanelFrame, _ changed: (Int) -> Void) {
    guard let topic = troubleTopic else { return }
    var lost = frame.isStopped ? 1 : 0
    for hardware in panel.allHardware where hardware != .network && frame.isMissing(hardware) {
      lost |= 2 << hardware.index(chips: panel.chips.count)
    }
    guard lost != numbers[topic] else { return }
    numbers[topic] = lost
    trouble = troubleText(in: frame)
    troubleNames =
      frame.missing.filter { $0 != .network }.map { panel.name(of: $0) } + (frame.isStopped ? ["panel"] : [])
    changed(topic)
  }

  private func troubleText(in frame: PanelFrame) -> String {
    var members: [JSON.Member] = []
    for hardware in frame.missing where hardware != .network {
      let reasons = frame.troubles.compactMap { trouble -> String? in
        guard case .trouble(.lost(let error), let source) = trouble, let of = source.hardware,
          of == hardware || hardware == .gpio && of.hasLines
        else { return nil }
        return error.reason
      }
      members.append(.init(name: panel.name(of: hardware), value: .text(reasons.last.map { "lost: \($0)" } ?? "lost")))
    }
    if let stop = frame.stop { members.append(.init(name: "panel", value: .text(stop.line(of: panel)))) }
    let text = JSON.object(members).line
    guard text.utf8.count > MessagePublisher.longestPayload else { return text }
    let names = members.map { JSON.Member(name: $0.name, value: .text("lost")) }
    return JSON.object(Array(names.prefix(5))).line
  }
}
