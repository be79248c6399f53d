import Terminal

/// Reads what outputs show: the maps of `show` and `safe`.
struct ShowReader {
  let names: Names
  let problems: ProblemList
  let scope: ExpressionScope

  /// - Parameter isSafe: whether this is `safe`, which must last without a program: it can't blink, dim or follow a
  ///   value.
  func shows(_ field: Field?, isSafe: Bool = false) -> [(show: PanelDefinition.Show, position: Position)] {
    problems.entries(field).flatMap { entry -> [(show: PanelDefinition.Show, position: Position)] in
      guard entry.value.content != .refused else { return [] }
      guard case .outputs(let group) = names.thing(entry.key) else {
        guard let output = names.output(entry.key, at: entry.position, problems),
          let appearance = appearance(of: output, entry, isSafe: isSafe)
        else { return [] }
        return [(.init(output: output, appearance: appearance), entry.position)]
      }
      return shows(of: names.outputGroups[group], entry, isSafe: isSafe).map { ($0, entry.position) }
    }
  }

  private func appearance(of output: Int, _ entry: YAMLNode.Entry, isSafe: Bool) -> Appearance? {
    guard let device = names.outputDevices[output],
      let appearance = device.appearance(reading: ShowField(entry: entry, names: names, problems: problems))
    else { return nil }
    guard isSafe, !appearance.staysWithoutProgram else { return appearance }
    problems.add(
      entry.value.position,
      "\(quoted(entry.key)) in safe can't look like that, as nothing drives it when the program has ended; "
        + "write on, off, a number of lamps, or a text without values"
    )
    return nil
  }

  /// What the members of a group show: all the same, or the one that a number says, and the others are off.
  private func shows(
    of group: PanelDefinition.Group, _ entry: YAMLNode.Entry, isSafe: Bool
  ) -> [PanelDefinition.Show] {
    guard case .map(let entries) = entry.value.content, entries.contains(where: { $0.key == "only" }), !isSafe else {
      let appearance = appearance(of: group.first, entry, isSafe: isSafe)
      return appearance.map { appearance in group.members.map { .init(output: $0, appearance: appearance) } } ?? []
    }
    guard let fields = problems.fields(entry.value, Grammar.selection, at: entry.position), let only = fields["only"],
      let text = problems.text(only)
    else { return [] }
    var reader = ExpressionReader(text, of: only.node, key: "only", in: scope, names: names, problems: problems)
    guard let place = reader?.place() else { return [] }
    let look = fields["as"].map { YAMLNode.Entry(key: entry.key, position: $0.position, value: $0.node) }
    guard let appearance = look.map({ appearance(of: group.first, $0, isSafe: false) }) ?? .on else { return [] }
    return group.members.enumerated().map { index, output in
      .init(
        output: output, appearance: appearance, selection: .init(number: place.number, place: index + 1))
    }
  }
}
