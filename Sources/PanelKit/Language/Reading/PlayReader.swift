import Terminal

/// Reads lists of sounds, in `play` and in expectations of playing sounds.
package struct PlayReader {
  package let names: Names
  package let problems: ProblemList
  package let scope: ExpressionContext

  package init(names: Names, problems: ProblemList, scope: ExpressionContext) {
    (self.names, self.problems, self.scope) = (names, problems, scope)
  }

  /// The sounds that a state plays, with the settings that they have there.
  ///
  /// - Parameter reader: reads the settings.
  func read(
    _ field: Field?, settingsBy reader: SoundSettingsReader
  ) -> (play: [PanelDefinition.Playing], settings: [Int: PanelDefinition.PlaySettings]) {
    guard let field, let nodes = problems.items(field) else { return ([], [:]) }
    var names: [YAMLNode] = []
    var written: [(name: YAMLNode, settings: PanelDefinition.PlaySettings)] = []
    for node in nodes {
      guard case .map(let entries) = node.content else {
        names.append(node)
        continue
      }
      guard let entry = entries.first, entries.count == 1 else {
        problems.add(
          node.position,
          "\"play\" has a map of \(entries.count) sounds; write one sound in each: { chime: { volume: 0.5 } }")
        continue
      }
      let name = entry.keyNode
      names.append(name)
      if let settings = reader.settings(entry, self.names) { written.append((name, settings)) }
    }
    let items = items(names, field)
    var settings: [Int: PanelDefinition.PlaySettings] = [:]
    for (playing, node) in items {
      guard let own = written.first(where: { $0.name.position == node.position })?.settings else { continue }
      switch playing {
      case .sound(let sound): settings[sound] = own
      case .member(let group, _, _): for sound in self.names.soundGroups[group].members { settings[sound] = own }
      }
    }
    return (numbered(items), settings)
  }

  private func numbered(_ items: [(PanelDefinition.Playing, YAMLNode)]) -> [PanelDefinition.Playing] {
    items.map { playing, _ in
      // The number of the choice is set when all states have been read.
      if case .member(let group, let number, _) = playing { .member(group: group, number, choice: 0) } else { playing }
    }
  }

  /// The sounds that a transition starts, all of which end by themselves.
  func readOnce(_ field: Field?) -> [PanelDefinition.Playing] {
    items(field).filter { playing, item in
      let sound: Int? =
        switch playing {
        case .sound(let sound): sound
        case .member(let group, _, _): names.soundGroups[group].members.first
        }
      guard let sound, let settings = names.soundSettings[sound], !settings.ends else { return true }
      let name = quoted(names.sounds[sound])
      let fault =
        settings.loop
        ? "sound \(name) plays in a loop; write loop: false, or play it in a state"
        : "tone \(name) has no length; add for: 500ms, or play it in a state"
      problems.add(item.position, fault)
      return false
    }.map(\.0)
  }

  /// Sounds that are not selected by a number.
  package func readFixed(_ items: [YAMLNode], in field: Field) -> [Int] {
    self.items(items, field).compactMap { playing, item in
      if case .sound(let sound) = playing { return sound }
      problems.add(item.position, "the number of this sound is not constant; write a constant, as notes(1)")
      return nil
    }
  }

  private func items(_ field: Field?) -> [(PanelDefinition.Playing, YAMLNode)] {
    guard let field, let nodes = problems.items(field) else { return [] }
    return items(nodes, field)
  }

  private func items(_ nodes: [YAMLNode], _ field: Field) -> [(PanelDefinition.Playing, YAMLNode)] {
    var read: [(PanelDefinition.Playing, YAMLNode)] = []
    for node in nodes {
      guard let text = problems.text(node, in: field), let playing = playing(text, node) else { continue }
      if read.contains(where: { $0.0 == playing }) {
        problems.add(node.position, "\(quoted(text)) is in the list twice; write it once")
      } else {
        read.append((playing, node))
      }
    }
    return read
  }

  /// A sound, or the member of a group: `notes(3)`, `notes(song(at))`.
  private func playing(_ text: String, _ node: YAMLNode) -> PanelDefinition.Playing? {
    let name = String(text.prefix { $0 != "(" })
    guard name.count < text.count, text.hasSuffix(")"), case .sounds(let group) = names.thing(name) else {
      return names.sound(text, at: node.position, problems).map { .sound($0) }
    }
    // Spaces replace the name and the parentheses, so that the positions of the tokens stay the same.
    let number = String(repeating: " ", count: name.count + 1) + text.dropFirst(name.count + 1).dropLast()
    var reader = ExpressionReader(number, of: node, key: "play", in: scope, names: names, problems: problems)
    guard let place = reader?.place() else { return nil }
    guard case .constant(let member) = place.number else { return .member(group: group, place.number, choice: nil) }
    let members = names.soundGroups[group].members
    guard (1...members.count).contains(member) else {
      problems.add(node.position, "\(quoted(name)) has no member \(member); write 1...\(members.count)")
      return nil
    }
    return .sound(members.lowerBound + member - 1)
  }
}
