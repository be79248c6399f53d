import CycleCore
import Terminal

/// Reads the appearances of outputs: the maps of `show` and `safe`.
struct ShowReader {
  let names: Names
  let problems: ProblemList
  let scope: ExpressionContext

  /// - Parameter isSafe: whether this is `safe`, which must last without a program. So it can't blink, dim or follow a
  ///   value.
  func shows(_ field: Field?, isSafe: Bool = false) -> [(show: PanelDefinition.Show, position: Position)] {
    problems.entries(field).flatMap { entry -> [(show: PanelDefinition.Show, position: Position)] in
      guard entry.value.content != .refused else { return [] }
      guard case .outputs(let group) = names.thing(entry.key) else {
        if let (group, number) = computedMember(entry.key) {
          problems.add(
            entry.position,
            "\(quoted(entry.key)) has a number that is not constant; write \(group): { only: \(number) }")
          return []
        }
        guard let output = names.output(entry.key, at: entry.position, problems),
          let appearance = appearance(of: output, entry, isSafe: isSafe)
        else { return [] }
        return [(.init(output: output, appearance: appearance), entry.position)]
      }
      return shows(of: names.outputGroups[group], entry, isSafe: isSafe).map { ($0, entry.position) }
    }
  }

  /// The group and the text in parentheses of a name like `lamps(at)`; nil for any other name.
  private func computedMember(_ name: String) -> (group: String, number: String)? {
    guard let open = name.utf8.firstIndex(of: UInt8(ascii: "(")), name.last == ")", names.thing(name) == nil,
      case .outputs = names.thing(String(name[..<open]))
    else { return nil }
    let number = String(name[name.index(after: open)...].dropLast())
    if let words = names.group(String(name[..<open]))?.words, nearest(to: number, among: words) != nil { return nil }
    return Quantity.whole(number) == nil && !number.isEmpty ? (String(name[..<open]), number) : nil
  }

  private func appearance(of output: Int, _ entry: YAMLNode.Entry, isSafe: Bool) -> OutputAppearance? {
    guard let device = names.outputDevices[output],
      let appearance = device.appearance(reading: ShowField(entry: entry, names: names, problems: problems))
    else { return nil }
    guard isSafe, !appearance.staysWithoutProgram else { return appearance }
    problems.add(
      entry.value.position,
      "\(quoted(entry.key)) can't show this in \"safe\", because no program runs then; "
        + "write an appearance that stays, such as \(device.rest.text)"
    )
    return nil
  }

  /// The advice for a list or map of members' numbers; nil for anything else.
  private func adviceForMembers(of group: PanelDefinition.Group, _ node: YAMLNode) -> String? {
    func text(_ number: Int, _ node: YAMLNode) -> String {
      let look = if case .scalar(let text) = node.content { text } else { "off" }
      return "\(group.memberNames[(group.member(number) ?? group.first) - group.first]): \(look)"
    }
    switch node.content {
    case .list(let items) where names.outputDevices[group.first].map { type(of: $0).isLamp } == true && !items.isEmpty:
      return zip(group.numbers, items).prefix(4).map { text($0, $1) }.joined(separator: ", ")
    case .map(let entries):
      let members = entries.compactMap { entry in Quantity.whole(entry.key).map { text($0, entry.value) } }
      return members.isEmpty ? nil : members.prefix(4).joined(separator: ", ")
    default: return nil
    }
  }

  /// The appearances of the members of a group: all the same, or only the member with a number is on.
  private func shows(
    of group: PanelDefinition.Group, _ entry: YAMLNode.Entry, isSafe: Bool
  ) -> [PanelDefinition.Show] {
    if let advice = adviceForMembers(of: group, entry.value) {
      problems.add(
        entry.value.position, "\(quoted(entry.key)) takes one show for all members; for some of them write \(advice)")
      return []
    }
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
