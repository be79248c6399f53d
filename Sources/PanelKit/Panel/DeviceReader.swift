import Terminal

/// Reads the inputs and outputs of a panel file.
struct DeviceReader {
  let kinds: KindList
  let problems: ProblemList
  private let users = LineUsers()

  init(kinds: KindList, problems: ProblemList) {
    self.kinds = kinds
    self.problems = problems
  }

  /// The devices of an entry of `inputs`: one, or the members of a group; nil for each that could not be read.
  func inputs(_ entry: YAMLNode.Entry) -> (members: [(any InputKind)?], isGroup: Bool) {
    let read = problems.kind(of: entry, "input", among: kinds.inputs.map { $0.place(in: kinds) })
    let (word, count) = entry.kindMeant(among: kinds.inputs.map { $0.word })
    guard let kind = kinds.inputs.first(where: { $0.word == word }) else { return ([nil], false) }
    let members = read.flatMap {
      kind.members(reading: DeviceFields(of: entry.key, $0.fields, users, problems, in: kinds))
    }
    return (members ?? Array(repeating: nil, count: kind.isGroup ? count : 1), kind.isGroup)
  }

  /// The devices of an entry of `outputs`, and their regions as they are written.
  func outputs(_ entry: YAMLNode.Entry) -> (members: [(any OutputKind)?], isGroup: Bool, shownBy: Field?) {
    let read = problems.kind(of: entry, "output", among: kinds.outputs.map { $0.place })
    let (word, count) = entry.kindMeant(among: kinds.outputs.map { $0.word })
    guard let kind = kinds.outputs.first(where: { $0.word == word }) else { return ([nil], false, nil) }
    let members = read.flatMap {
      kind.members(reading: DeviceFields(of: entry.key, $0.fields, users, problems, in: kinds))
    }
    return (
      members ?? Array(repeating: nil, count: kind.isGroup ? count : 1), kind.isGroup,
      members == nil ? nil : read?.fields["shown-by"]
    )
  }
}

extension YAMLNode.Entry {
  /// As many members as a group has of which the file doesn't say how many: more than most have.
  private static let unknownCount = 16
  private static let mostMembers = 64

  /// The kind that an entry names or, misspelt, means, and how many members it has if it is a group; no kind where there is none.
  /// What is wrong with it is not asked: other parts of the file can still name it.
  func kindMeant(among kinds: [String]) -> (kind: String?, count: Int) {
    guard case .map(let entries) = value.content else { return (nil, 1) }
    let named = entries.first { kinds.contains($0.key) }.map { ($0.key, $0.value) }
    let meant = entries.lazy.compactMap { entry in nearest(to: entry.key, among: kinds).map { ($0, entry.value) } }
    guard let (kind, value) = named ?? meant.first else { return (nil, 1) }
    guard case .list(let items) = value.content, !items.isEmpty else { return (kind, Self.unknownCount) }
    return (kind, min(items.count, Self.mostMembers))
  }
}

extension ProblemList {
  /// The kind of a device or sound and its fields. Its key that is the first key of one of `places` names the kind.
  func kind(
    of entry: YAMLNode.Entry, _ noun: String, among places: [Place]
  ) -> (word: String, fields: Fields)? {
    let kinds = places.map { $0.keys[0].name }
    guard case .map(let entries) = entry.value.content else {
      if entry.value.content != .refused {
        let example = places[0].keys[0]
        let kind = entry.value.kind
        add(
          entry.value.content == .nothing ? entry.position : entry.value.position,
          "\(kind) for \(noun) \(quoted(entry.key)); write a map, as { \(example.name): \(example.example) }"
        )
      }
      return nil
    }
    let found = entries.filter { kinds.contains($0.key) }
    if found.count == 1, let place = places.first(where: { $0.keys[0].name == found[0].key }) {
      return fields(entry.value, place, at: entry.position).map { (found[0].key, $0) }
    }
    if found.count > 1 {
      add(
        found[1].position, "\(noun) \(quoted(entry.key)) is a \(found[0].key) and a \(found[1].key); write one of them")
    } else if let near = entries.first(where: { nearest(to: $0.key, among: kinds) != nil }) {
      add(near.position, "unknown key \(quoted(near.key)); \(suggestion(for: near.key, among: kinds, called: "kinds"))")
    } else {
      add(entry.position, "\(noun) \(quoted(entry.key)) doesn't say what it is; give it one of \(listed(kinds))")
    }
    return nil
  }
}
