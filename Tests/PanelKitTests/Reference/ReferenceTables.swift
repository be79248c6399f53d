import HardwareLinux
import Terminal

@testable import PanelKinds
@testable import PanelLanguage

/// The tables of `docs/panels/reference.md` that follow from the kinds.
struct ReferenceTables {
  var kinds = KindList.standard

  /// The rows of each table, in Markdown, by the name that stands in the page's marks.
  var all: [(name: String, rows: [String])] {
    [
      (
        "chips",
        table(
          "chip", "is", "example", "has inputs",
          rows: kinds.chips.map { chip in
            [link(chip.word), chip.grammar.summary, code(chip.grammar.sample), chip.hasInputs ? "yes" : "no"]
          })
      ),
      ("settings of chips", settings(of: kinds.chips.map { ($0.word, $0.grammar) })),
      ("inputs", table("input", "is", "example", "events", "positions in conditions", rows: kinds.inputs.map(input))),
      ("settings of inputs", settings(of: kinds.inputs.map { ($0.word, $0.grammar) })),
      (
        "sources of sensors",
        table(
          "source", "is", "example", "unit of the number", "read", "`sense` counts",
          rows: SensorSourceReader(of: kinds).sources.map { source in
            [
              link(source.word, "sensor-\(source.word)"), source.grammar.summary, code(source.grammar.sample),
              unit(of: source),
              source.isPolled
                ? "every `\(Quantity.text(source.usualInterval))`; \(range(source.intervals))"
                : "when the device sends",
              delay(of: source),
            ]
          })
      ),
      ("settings of sources", settings(of: SensorSourceReader(of: kinds).types.map { ($0.word, $0.grammar) })),
      ("outputs", table("output", "is", "example", "shows", "`expect` takes", rows: kinds.outputs.map(output))),
      ("settings of outputs", settings(of: kinds.outputs.map { ($0.word, $0.place) })),
      ("looks", settings(of: kinds.outputs.map { ($0.word, FieldSet(name: "", keys: [shown($0)])) })),
    ]
  }

  // MARK: - Pages of devices

  /// A row for each key of a device: the one that names the kind, the others, and those of maps inside.
  func configuration(of places: [FieldSet]) -> [String] {
    let names = places.map { $0.keys[0].name }
    return table(
      "setting", "type and range", "default", "meaning",
      rows: entries(of: places.map { ($0.keys[0].name, $0) }, isWhole: true).map { path, key, need, words in
        let isOne = names.contains(path)
        let meaning = key.meaning.isEmpty && key.takes.contains(":") ? "example: \(code(key.example))" : key.meaning
        let only = words.count < names.count && !isOne ? "only of \(words.map(code).joined(separator: ", ")): " : ""
        let usual =
          isOne && names.count > 1 ? "one of these is required" : isOne ? "required" : key.isRequired ? need : key.usual
        return [code(path), type(of: key), usual, only + meaning]
      })
  }

  /// What a state can have an output show.
  func looks(of word: any OutputDeclaration.Type) -> [String] {
    let rows = entries(of: [(word.word, FieldSet(name: "", keys: [shown(word)]))])
    var words = "A state can show: \(text(of: word.shown))."
    if word.isGroup {
      let name = word.grammar.sample.prefix { $0 != ":" }
      words += " For a single member, write its number in round brackets: `\(name)(1): on`."
    }
    guard !rows.isEmpty else { return [words] }
    return [words, ""]
      + table(
        "in `show`", "type and range", "default", "meaning",
        rows: rows.map {
          [code($0.path), type(of: $0.key), $0.key.isRequired ? $0.need : $0.key.usual, $0.key.meaning]
        })
  }

  /// The devices of a kind's sample.
  func members(of word: any InputDeclaration.Type) -> [any InputKind]? {
    members(of: word.grammar) { reader, entry in reader.inputs(entry).members.compactMap { $0 } }.1
  }

  /// The devices of a kind's sample.
  func members(of word: any OutputDeclaration.Type) -> [any OutputKind]? {
    members(of: word.grammar) { reader, entry in reader.outputs(entry).members.compactMap { $0 } }.1
  }

  // MARK: - Devices

  private func input(_ word: any InputDeclaration.Type) -> [String] {
    let (name, members) = members(of: word.grammar) { reader, entry in reader.inputs(entry).members.compactMap { $0 } }
    guard let device = members?.first else { return [word.word, "its sample can't be read"] }
    var events = codes(device.events)
    var positions = codes(device.positions.reversed())
    if device.scale != nil { positions += "; else a number" }
    if word.isGroup, let event = device.events.first, let position = device.positions.last {
      events += ", of any (`\(name).\(event)`) or of one (`\(name)(2).\(event)`)"
      positions = "of one: `\(name)(2) == \(position)`; `\(name)` alone is a [number](#conditions-and-numbers)"
    }
    return [link(word.word), word.grammar.summary, code(word.grammar.sample), events, positions]
  }

  private func output(_ word: any OutputDeclaration.Type) -> [String] {
    let (_, members) = members(of: word.grammar) { reader, entry in reader.outputs(entry).members.compactMap { $0 } }
    guard let device = members?.first else { return [word.word, "its sample can't be read"] }
    return [
      link(word.word), word.grammar.summary, code(word.grammar.sample), text(of: word.shown),
      // Messages write ranges as Swift does.
      (word.isGroup ? "of one: " : "") + device.expectation.replacing("...", with: ".."),
    ]
  }

  /// What somebody shows, as a key of a place.
  private func shown(_ word: any OutputDeclaration.Type) -> Key { Key(name: "show", takes: "", shape: word.shown) }

  /// The devices that a kind's sample is, and its name.
  private func members<Device>(
    of place: FieldSet, _ read: (DeviceReader, YAMLNode.Entry) -> [Device]?
  ) -> (name: String, [Device]?) {
    let problems = ProblemList()
    guard
      case .map(let entries)? = YAMLTree.read(Array(place.sample.utf8), what: "a sample", problems: problems)?.content,
      let entry = entries.first, let members = read(DeviceReader(kinds: kinds, problems: problems), entry),
      problems.count == 0
    else { return ("", nil) }
    return (entry.key, members)
  }

  /// The source of the sample of its grammar.
  private func sample(of source: any SensorSource.Type) -> (any SensorSource)? {
    let sample = "s: { sensor: \(source.grammar.sample), min: 0, max: 9 }"
    let (_, members) = members(of: FieldSet(name: "", sample: sample, keys: [])) { reader, entry in
      reader.inputs(entry).members.compactMap { $0 as? SensorKind }
    }
    return members?.first?.source
  }

  /// The unit of a source's number before `scale`.
  private func unit(of source: any SensorSource.Type) -> String {
    let units: [(channel: String, divisor: Double, unit: String)]
    switch source {
    case is IIOSource.Type: units = IIOChannel.units
    case is HwmonSource.Type: units = HwmonChannel.units
    default:
      let unit = sample(of: source)?.unit ?? ""
      return unit.isEmpty ? "that of the file" : unit
    }
    return "by the channel: " + units.map { "\($0.unit) (\(code($0.channel)))" }.joined(separator: ", ")
  }

  /// When a scenario's number has been read, if the file doesn't say how often it is.
  private func delay(of source: any SensorSource.Type) -> String {
    let delay = sample(of: source)?.delay(every: source.usualInterval) ?? .zero
    return delay == .zero ? "immediately" : "within \(Quantity.text(delay))"
  }

  // MARK: - Keys

  /// A row for each key behind the one that names the kind, and for each key of a map inside.
  private func settings(of places: [(word: String, place: FieldSet)]) -> [String] {
    table(
      "setting", "of", "type and range", "default", "meaning",
      rows: entries(of: places).map { path, key, need, words in
        [
          code(path), words.map(code).joined(separator: ", "), type(of: key), key.isRequired ? need : key.usual,
          key.meaning,
        ]
      })
  }

  /// Keys of places, with the maps that they are in: each key behind the one that names the kind, and each key of a map
  /// inside.
  ///
  /// - Parameter isWhole: whether the keys that name the kinds are there, too.
  /// - Returns: with each key the text for its default if it is required.
  private func entries(
    of places: [(word: String, place: FieldSet)], isWhole: Bool = false
  ) -> [(path: String, key: Key, need: String, words: [String])] {
    var rows: [(path: String, key: Key, need: String, words: [String])] = []
    func add(_ key: Key, _ path: String, _ need: String, _ word: String) {
      if let known = rows.firstIndex(where: { $0.path == path && $0.key == key }) {
        rows[known].words.append(word)
      } else {
        rows.append((path, key, need, [word]))
      }
    }
    func addAll(of shape: Shape, in parent: Key, isGiven: Bool, behind path: [String], _ word: String) {
      switch shape {
      case .fields(let place):
        for key in place.keys {
          let maps = path.map { "\($0): { " }.joined() + key.name + String(repeating: " }", count: path.count)
          add(key, maps, need(of: place, in: parent, isGiven: isGiven), word)
          addAll(of: key.shape, in: key, isGiven: key.isRequired, behind: path + [key.name], word)
        }
      case .oneOf(let shapes):
        for shape in shapes { addAll(of: shape, in: parent, isGiven: isGiven, behind: path, word) }
      default: break
      }
    }
    for (word, place) in places {
      for (number, key) in place.keys.enumerated() {
        if isWhole || number > 0 { add(key, key.name, "required", word) }
        addAll(
          of: key.shape, in: key, isGiven: number == 0 || key.isRequired, behind: key.name == "show" ? [] : [key.name],
          word)
      }
    }
    return rows
  }

  /// The text for a required key of a map inside a device.
  ///
  /// - Parameters:
  ///   - place: the map.
  ///   - parent: the key whose value the map is.
  ///   - isGiven: whether each such device has the parent.
  private func need(of place: FieldSet, in parent: Key, isGiven: Bool) -> String {
    if mapCount(of: parent.shape) > 1 { return "required in \(place.name)" }
    if parent.shape != .fields(place) { return "required if \(code(parent.name)) is a map" }
    return isGiven ? "required" : "required if \(code(parent.name)) is written"
  }

  /// The number of different maps that a shape accepts.
  private func mapCount(of shape: Shape) -> Int {
    switch shape {
    case .fields: 1
    case .oneOf(let shapes): shapes.reduce(0) { $0 + mapCount(of: $1) }
    default: 0
    }
  }

  /// What a key takes. Of a text it is the words in front of the example.
  private func type(of key: Key) -> String {
    guard [.text, .any].contains(key.shape) else { return text(of: key.shape) }
    let words = key.takes.prefix { $0 != ":" }
    return ["a ", "an ", "the "].first { words.hasPrefix($0) }.map { String(words.dropFirst($0.count)) }
      ?? String(words)
  }

  private func text(of shape: Shape) -> String {
    switch shape {
    case .any: "anything"
    case .settable: "value, or element of a list"
    case .nothing: "nothing"
    case .text: "text"
    case .name, .member: "name"
    case .statePath: "name of a state, or `REGION.STATE`"
    case .value: "name of a value, or a length such as `code.count`"
    case .duration: "duration"
    case .span(let range): "duration \(self.range(range))"
    case .spans(let range): "two durations \(self.range(range)), with `..` between them"
    case .numbers(let range):
      "two numbers \(short(range.lowerBound)) to \(short(range.upperBound)), with `..` between them"
    case .delay: "duration, range of durations, or a value's name"
    case .frequency: "frequency"
    case .decibels: "decibels (`-6dB`)"
    case .colour: "colour (its name, or six digits such as `\"#FF8000\"`)"
    case .tone: "tone (`A4`)"
    case .line: "line"
    case .event: "event"
    case .flag: "`true` `false`"
    case .number(let range):
      abs(range.upperBound) < 1e6 ? "number \(short(range.lowerBound)) to \(short(range.upperBound))" : "number"
    case .whole(let range): "whole number \(range.lowerBound) to \(range.upperBound)"
    case .words(let words): codes(words)
    case .list(let element, 1...1): "list of one \(text(of: element))"
    case .list(let element, let count): "list of \(self.count(count)) \(plural(of: element))"
    case .map: "map"
    case .fields(let place): "map (keys: \(place.keys.map { code($0.name) }.joined(separator: ", ")))"
    case .oneOf(let shapes): shapes.map { text(of: $0) }.joined(separator: ", or ")
    case .part(.look): "what one lamp can show"
    case .part(.row): "text"
    case .part(let part): "\(part.rawValue)"
    }
  }

  private func plural(of shape: Shape) -> String {
    switch shape {
    case .text, .name, .member, .line, .duration, .event, .part(.row): "\(text(of: shape))s"
    case .frequency: "frequencies"
    case .colour: "colours"
    case .whole(let range): "whole numbers \(range.lowerBound) to \(range.upperBound)"
    case .number(let range) where abs(range.upperBound) < 1e6:
      "numbers \(short(range.lowerBound)) to \(short(range.upperBound))"
    case .list(let element, let count): "lists of \(self.count(count)) elements (\(text(of: element)))"
    default: "elements (\(text(of: shape)))"
    }
  }

  private func count(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  private func range(_ range: ClosedRange<Duration>) -> String {
    "\(Quantity.text(range.lowerBound)) to \(Quantity.text(range.upperBound))"
  }

  private func short(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }

  // MARK: - Markdown

  private func code(_ text: String) -> String { "`\(text)`" }
  /// A word that leads to its page.
  private func link(_ word: String, _ page: String? = nil) -> String { "[\(code(word))](devices/\(page ?? word).md)" }
  private func codes(_ texts: [String]) -> String { texts.map(code).joined(separator: " ") }

  private func table(_ titles: String..., rows: [[String]]) -> [String] {
    Markdown.table(titles, rows: rows)
  }
}

/// Pieces of Markdown pages.
enum Markdown {
  /// The lines of a table. A cell without text takes one blank.
  static func table(_ titles: [String], rows: [[String]]) -> [String] {
    ["| \(titles.joined(separator: " | ")) |", "|\(titles.map { _ in "---|" }.joined())"]
      + rows.map { "| \($0.joined(separator: " | ")) |".split(separator: " ").joined(separator: " ") }
  }
}
