import CycleCore
import Terminal

/// Reads the appearances of outputs: the maps of `show` and `safe`.
struct ShowReader {
  let names: Names
  let problems: ProblemList
  let scope: ExpressionContext

  /// - Parameter isSafe: whether this is `safe`, which must last without a program. So it can't blink, dim, follow a
  ///   value or depend on a condition.
  func shows(_ field: Field?, isSafe: Bool = false) -> [(show: PanelDefinition.Show, position: Position)] {
    var shows: [(show: PanelDefinition.Show, position: Position, isOfGroup: Bool)] = []
    var ownLooks: Set<Int> = []
    for entry in problems.entries(field) where entry.value.content != .refused {
      let outputs: Range<Int>
      var group: PanelDefinition.Group?
      if case .outputs(let number) = names.thing(entry.key) {
        (group, outputs) = (names.outputGroups[number], names.outputGroups[number].members)
      } else if let (group, number) = computedMember(entry.key) {
        problems.add(
          entry.position,
          "\(quoted(entry.key)) has a number that is not constant; write \(group): { only: \(number) }")
        continue
      } else {
        guard let output = names.output(entry.key, at: entry.position, problems) else { continue }
        outputs = output..<output + 1
        ownLooks.insert(output)
      }
      guard let rules = rules(of: outputs, in: group, entry, isSafe: isSafe) else { continue }
      shows += zip(outputs, rules).map { (.init(output: $0, rule: $1), entry.position, group != nil) }
    }
    // The look of a member takes precedence over the look of its group.
    return shows.filter { !$0.isOfGroup || !ownLooks.contains($0.show.output) }.map { ($0.show, $0.position) }
  }

  /// The rules of an output, or of the members of a group. Adds a problem and returns nil if they are wrong.
  private func rules(
    of outputs: Range<Int>, in group: PanelDefinition.Group?, _ entry: YAMLNode.Entry, isSafe: Bool
  ) -> [AppearanceRule]? {
    if ChoiceReader.isChoice(entry.value) { return choice(of: outputs, in: group, entry, isSafe: isSafe) }
    if let group, let advice = adviceForMembers(of: group, entry.value) {
      problems.add(
        entry.value.position, "\(quoted(entry.key)) takes one show for all members; for some of them write \(advice)")
      return nil
    }
    if let group, !isSafe, case .map(let entries) = entry.value.content,
      entries.contains(where: { ["only", "from", "to"].contains($0.key) })
    {
      return selection(of: group, entry)
    }
    let appearance = appearance(of: outputs.lowerBound, entry, isSafe: isSafe)
    return appearance.map { appearance in outputs.map { _ in .always(appearance) } }
  }

  /// The rules of a choice by conditions. Without `else`, the outputs are off if no condition holds.
  private func choice(
    of outputs: Range<Int>, in group: PanelDefinition.Group?, _ entry: YAMLNode.Entry, isSafe: Bool
  ) -> [AppearanceRule]? {
    guard !isSafe else {
      problems.add(
        entry.value.position,
        "\(quoted(entry.key)) can't depend on conditions in \"safe\", because no program runs then; write one look")
      return nil
    }
    guard let (cases, otherwise) = ChoiceReader(names: names, problems: problems, scope: scope).cases(of: entry)
    else { return nil }
    let read = cases.map { rules(of: outputs, in: group, $0.look, isSafe: false) }
    let last = otherwise.map { rules(of: outputs, in: group, $0, isSafe: false) } ?? outputs.map { _ in .always(.off) }
    guard let last, !read.contains(where: { $0 == nil }) else { return nil }
    return outputs.indices.map { output in
      let place = output - outputs.lowerBound
      let choices = zip(cases, read).compactMap { choice, rules in
        rules.map {
          AppearanceRule.Choice(condition: choice.condition, rule: $0[place], written: choice.written)
        }
      }
      return .first(choices, otherwise: last[place])
    }
  }

  /// The rules of a group's members of which numbers select some: the others are off.
  private func selection(of group: PanelDefinition.Group, _ entry: YAMLNode.Entry) -> [AppearanceRule]? {
    guard let fields = problems.fields(entry.value, Grammar.selection, at: entry.position) else { return nil }
    let ends = ["from", "to"].compactMap { fields[$0] }
    if fields["only"] != nil, let end = ends.first {
      problems.add(end.position, "\(quoted(end.key.name)) can't be beside \"only\"; write one of them")
      return nil
    }
    for key in Grammar.selection.keys where fields["only"] == nil && ["from", "to"].contains(key.name) {
      if fields.isMissing(key.name) { problems.addMissing(key, of: Grammar.selection, at: entry.position) }
    }
    let numbers = ["only", "from", "to"].map { fields[$0].flatMap { place($0) } }
    let look = fields["as"].map { YAMLNode.Entry(key: entry.key, position: $0.position, value: $0.node) }
    guard
      let rule = look.map({ rules(of: group.first..<group.first + 1, in: nil, $0, isSafe: false)?.first })
        ?? .always(.on)
    else { return nil }
    let isSelected: (Number) -> Condition
    if let only = numbers[0] {
      isSelected = { place in .comparison(only, .equal, place) }
    } else if let from = numbers[1], let to = numbers[2] {
      isSelected = { .all([.comparison(from, .lessOrEqual, $0), .comparison(to, .greaterOrEqual, $0)]) }
    } else {
      return nil
    }
    return (1...group.count).map { place in
      .first([.init(condition: isSelected(.constant(place)), rule: rule)], otherwise: .always(.off))
    }
  }

  /// The number of a member in a field.
  private func place(_ field: Field) -> Number? {
    guard let text = problems.text(field) else { return nil }
    var reader = ExpressionReader(
      text, of: field.node, key: field.key.name, in: scope, names: names, problems: problems)
    return reader?.place()?.number
  }

  /// The group and the text in parentheses of a name like `lamps(at)`; nil for any other name.
  private func computedMember(_ name: String) -> (group: String, number: String)? {
    guard let open = name.utf8.firstIndex(of: UInt8(ascii: "(")), name.last == ")", names.thing(name) == nil,
      case .outputs = names.thing(String(name[..<open]))
    else { return nil }
    let number = String(name[name.index(after: open)...].dropLast())
    if names.memberOfEach(name) != nil { return nil }
    if let words = names.group(String(name[..<open]))?.words, nearest(to: number, among: words) != nil { return nil }
    return Quantity.whole(number) == nil && !number.isEmpty ? (String(name[..<open]), number) : nil
  }

  private func appearance(of output: Int, _ entry: YAMLNode.Entry, isSafe: Bool) -> OutputAppearance? {
    guard let device = names.outputDevices[output],
      let appearance = device.appearance(
        reading: ShowField(entry: entry, names: names, problems: problems, scope: scope))
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
}
