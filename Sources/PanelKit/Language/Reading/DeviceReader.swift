import CycleCore
import Terminal

/// Reads the inputs and outputs of a panel file.
struct DeviceReader {
  let kinds: KindList
  let problems: ProblemList
  private let users: LineUsers

  /// - Parameters:
  ///   - chips: the names of all chips that the file declares.
  ///   - isOnHeader: whether the panel's own chip can be that of a Raspberry Pi's header.
  init(kinds: KindList, problems: ProblemList, chips: [String] = [], isOnHeader: Bool = false) {
    self.kinds = kinds
    self.problems = problems
    users = LineUsers(chips: chips, isOnHeader: isOnHeader)
  }

  /// The chip of an entry of `chips`, whose lines can be used after the call; nil if the entry has an error.
  func chip(_ entry: YAMLNode.Entry) -> (any ChipKind)? {
    guard let (word, fields) = problems.kind(of: entry, "chip", among: kinds.chips.map { $0.grammar }),
      let type = kinds.chips.first(where: { $0.word == word }),
      let kind = type.init(reading: DeviceFields(of: entry.key, fields, users, problems, in: kinds)),
      isWired(kind.lines, asInput: false, of: entry)
    else {
      users.define(entry.key, nil)
      return nil
    }
    users.define(entry.key, kind)
    return kind
  }

  /// The number of problems, and of lines whose chip has a problem.
  private var faultCount: Int { problems.count + users.linesOfWrongChips }

  /// Adds a problem for a device that its kind could not read, unless the kind has added one: a kind of another package
  /// may forget it, and the numbers of later devices would be wrong.
  private func addUnlessAdded(since count: Int, of entry: YAMLNode.Entry) {
    guard faultCount == count else { return }
    problems.add(entry.position, "\(quoted(entry.key)) can't be read; check its settings")
  }

  /// Whether all lines of a device are on one chip, which supports their use. If not, adds a problem.
  private func isWired(_ lines: [String], asInput: Bool, of entry: YAMLNode.Entry) -> Bool {
    let chips = lines.map { users.chip(of: $0)?.name }
    for (line, chip) in zip(lines, chips) {
      let position = users.position(of: line) ?? entry.position
      if chip != chips[0] {
        let (one, other) = (chips[0] ?? "the panel's own chip", chip ?? "the panel's own chip")
        problems.add(
          position,
          "\(quoted(entry.key)) is on lines of \(one) and of \(other); a device must be on one chip, choose another line"
        )
        return false
      }
      if asInput, let kind = users.chip(of: line)?.kind, !type(of: kind).hasInputs {
        problems.add(
          position, "\(line) is an output of \(type(of: kind).grammar.name); wire an input to a line of another chip")
        return false
      }
      if !asInput, let kind = users.chip(of: line)?.kind, !type(of: kind).hasOutputs {
        problems.add(
          position,
          "\(line) is an input of \(type(of: kind).grammar.name); it has contacts only, wire an output to a line of another "
            + "chip")
        return false
      }
    }
    return true
  }

  /// The devices of an entry of `inputs`: one, or the members of a group, with their numbers. nil for each device that
  /// could not be read.
  func inputs(_ entry: YAMLNode.Entry) -> (members: [(any InputKind)?], numbers: [Int]?) {
    let before = faultCount
    let read = problems.kind(of: entry, "input", among: kinds.inputs.map { $0.place(in: kinds) })
    let (word, count) = entry.kindMeant(among: kinds.inputs.map { $0.word })
    guard let kind = kinds.inputs.first(where: { $0.word == word }) else { return ([nil], nil) }
    let found = read.flatMap {
      kind.members(reading: DeviceFields(of: entry.key, $0.fields, users, problems, in: kinds))
    }
    if read != nil, found == nil { addUnlessAdded(since: before, of: entry) }
    let isWired = found?.allSatisfy { self.isWired($0.lines, asInput: true, of: entry) } ?? false
    let unread = [(any InputKind)?](repeating: nil, count: kind.isGroup ? count : 1)
    let members = isWired ? (found ?? []).map(Optional.some) : unread
    return (members, kind.isGroup ? members.enumerated().map { $1?.number ?? $0 + 1 } : nil)
  }

  /// The devices of an entry of `outputs`, with the numbers and the own names of a group's members, and the field with
  /// their regions.
  func outputs(
    _ entry: YAMLNode.Entry
  ) -> (members: [(any OutputKind)?], numbers: [Int]?, names: [String]?, shownBy: Field?) {
    let before = faultCount
    let read = problems.kind(of: entry, "output", among: kinds.outputs.map { $0.place })
    let (word, count) = entry.kindMeant(among: kinds.outputs.map { $0.word }, countingNames: true)
    guard let kind = kinds.outputs.first(where: { $0.word == word }) else { return ([nil], nil, nil, nil) }
    let found = read.flatMap {
      kind.members(reading: DeviceFields(of: entry.key, $0.fields, users, problems, in: kinds))
    }
    if read != nil, found == nil { addUnlessAdded(since: before, of: entry) }
    let isWired = found?.allSatisfy { self.isWired($0.lines, asInput: false, of: entry) } ?? false
    let unread = [(any OutputKind)?](repeating: nil, count: kind.isGroup ? count : 1)
    let members = isWired ? (found ?? []).map(Optional.some) : unread
    let names = entry.memberNames(of: kind.word)
    return (
      members, kind.isGroup ? Array(1...members.count) : nil, names?.count == members.count ? names : nil,
      isWired ? read?.fields["shown-by"] : nil
    )
  }
}

extension YAMLNode.Entry {
  /// The assumed number of members of a group without a number in the file. Most groups have fewer.
  private static let unknownCount = 16
  private static let mostMembers = 64

  /// The kind that an entry names, also if misspelt, and the number of members of a group. The kind is nil if the entry
  /// names none. Errors in the entry are not reported: other parts of the file can still refer to it.
  ///
  /// - Parameter countingNames: whether a map has the names of a group's members.
  func kindMeant(among kinds: [String], countingNames: Bool = false) -> (kind: String?, count: Int) {
    guard case .map(let entries) = value.content else { return (nil, 1) }
    let named = entries.first { kinds.contains($0.key) }.map { ($0.key, $0.value) }
    let meant = entries.lazy.compactMap { entry in nearest(to: entry.key, among: kinds).map { ($0, entry.value) } }
    guard let (kind, value) = named ?? meant.first else { return (nil, 1) }
    let members =
      switch value.content {
      case .list(let items): items.count
      case .map(let entries) where countingNames: entries.count
      default: 0
      }
    return (kind, members == 0 ? Self.unknownCount : min(members, Self.mostMembers))
  }

  /// The names of the members that a group declares as a map: `leds: { red: GPIO9, green: GPIO11 }`; nil for a list.
  func memberNames(of word: String) -> [String]? {
    guard case .map(let entries) = value.content,
      case .map(let members)? = entries.first(where: { $0.key == word })?.value.content
    else { return nil }
    return members.map(\.key)
  }
}

extension ProblemList {
  /// The kind of which a key is the plural, as `switches` is of `switch`; nil for any other key.
  private static func kind(ofGroup key: String, among kinds: [String]) -> String? {
    kinds.first { key == $0 + "s" || key == $0 + "es" }
  }

  /// The kind of a device or sound, and its fields. The kind is the key that is the first key of one of `places`.
  func kind(
    of entry: YAMLNode.Entry, _ noun: String, among places: [FieldSet]
  ) -> (word: String, fields: Fields)? {
    let kinds = places.map { $0.keys[0].name }
    guard case .map(let entries) = entry.value.content else {
      if entry.value.content != .refused {
        let example = places[0].keys[0]
        let kind = entry.value.content == .nothing ? "empty" : entry.value.kind
        add(
          entry.value.content == .nothing ? entry.position : entry.value.position,
          "\(noun) \(quoted(entry.key)) is \(kind); write a map, as { \(example.name): \(example.example) }"
        )
      }
      return nil
    }
    let found = entries.filter { kinds.contains($0.key) }
    if found.count == 1, let place = places.first(where: { $0.keys[0].name == found[0].key }) {
      return fields(entry.value, place, at: entry.position, advice: { KindAdvice.of($0.key, amongKeysOf: place) })
        .map { (found[0].key, $0) }
    }
    if found.count > 1 {
      let names = found.map { entry in places.first { $0.keys[0].name == entry.key }?.name ?? entry.key }
      add(
        found[1].position, "\(noun) \(quoted(entry.key)) is \(names[0]) and \(names[1]); write one of them")
    } else if let plural = entries.first(where: { Self.kind(ofGroup: $0.key, among: kinds) != nil }),
      let kind = Self.kind(ofGroup: plural.key, among: kinds)
    {
      let example = places.first { $0.keys[0].name == kind }.map { $0.keys[0].example } ?? "…"
      add(
        plural.position,
        "unknown key \(quoted(plural.key)); there is no group of them, write \(noun)s of their own: { \(kind): \(example) }"
          + (kind == "switch" ? ", or a group of buttons, which are pressed while their contacts are closed" : ""))
    } else if let near = entries.first(where: { nearest(to: $0.key, among: kinds) != nil }) {
      add(near.position, "unknown key \(quoted(near.key)); \(suggestion(for: near.key, among: kinds, called: "kinds"))")
    } else if Grammar.panel.keys.contains(where: { $0.name == entry.key }) {
      add(
        entry.position,
        "\(quoted(entry.key)) among the \(noun)s is a key of the file; start it in the first column"
      )
    } else if let type = entries.first(where: { entry in !places.contains { $0.keys.contains { $0.name == entry.key } }
    }) {
      add(
        type.position,
        "unknown \(noun) type \(quoted(type.key)); \(KindAdvice.of(type, noun) ?? "use \(alternatives(kinds))")")
    } else {
      add(entry.position, "\(noun) \(quoted(entry.key)) has no type; use one of \(listed(kinds))")
    }
    return nil
  }
}
