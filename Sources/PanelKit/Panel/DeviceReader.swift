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

  /// The devices of an entry of `inputs`: one, or the members of a group.
  ///
  /// - Returns: nil if something is wrong with them.
  func inputs(_ entry: YAMLNode.Entry) -> (members: [any InputKind], isGroup: Bool)? {
    guard let (word, fields) = problems.kind(of: entry, "input", among: kinds.inputs.map { $0.place(in: kinds) }),
      let kind = kinds.inputs.first(where: { $0.word == word })
    else { return nil }
    return kind.members(reading: DeviceFields(of: entry.key, fields, users, problems, in: kinds)).map {
      ($0, kind.isGroup)
    }
  }

  /// The devices of an entry of `outputs`, and their regions as they are written.
  func outputs(_ entry: YAMLNode.Entry) -> (members: [any OutputKind], isGroup: Bool, shownBy: Field?)? {
    guard let (word, fields) = problems.kind(of: entry, "output", among: kinds.outputs.map { $0.place }),
      let kind = kinds.outputs.first(where: { $0.word == word })
    else { return nil }
    return kind.members(reading: DeviceFields(of: entry.key, fields, users, problems, in: kinds)).map {
      ($0, kind.isGroup, fields["shown-by"])
    }
  }
}

extension ProblemList {
  /// The kind of a device or sound and its fields. Its key that is the first key of one of `places` names the kind.
  func kind(of entry: YAMLNode.Entry, _ noun: String, among places: [Place]) -> (String, Fields)? {
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
