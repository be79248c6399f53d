import Terminal

/// Reads the values of a panel file.
struct DeclaredValueReader {
  static let longestList = 64
  /// The time for which a kept value may be unsaved.
  static let keepTimes = Duration.zero ... .seconds(86_400)

  let problems: ProblemList

  /// - Parameter firstElement: the number of elements of all earlier lists.
  func value(_ entry: YAMLNode.Entry, firstElement: Int, _ names: Names) -> PanelDefinition.Value? {
    if case .map(let entries) = entry.value.content, entries.contains(where: { $0.key == "list" }) {
      return list(entry, firstElement, index: names.ranges.count)
    }
    guard let fields = problems.fields(entry.value, Grammar.value, at: entry.position) else { return nil }
    let isDuration = ["initial", "min", "max"].contains { self.isDuration(fields[$0]) }
    let read = { (key: String) in isDuration ? milliseconds(fields[key]) : whole(fields[key], of: entry.key) }
    let text = { (number: Int) in isDuration ? Quantity.text(.milliseconds(number)) : "\(number)" }
    let initial = read("initial")
    guard let min = read("min"), let max = read("max") else { return nil }
    guard min <= max else {
      let position = fields["min"]?.node.position ?? entry.position
      problems.add(position, "min \(text(min)) of \(quoted(entry.key)) is above max \(text(max)); swap them")
      return nil
    }
    guard let initial else { return nil }
    if !(min...max).contains(initial) {
      let position = fields["initial"]?.node.position ?? entry.position
      problems.add(
        position,
        "initial \(text(initial)) of \(quoted(entry.key)) is out of its range; write \(text(min))...\(text(max))")
    }
    return .init(
      name: entry.key, isDuration: isDuration, initial: initial, min: min, max: max, kept: keeping(fields["keep"]))
  }

  /// The keeping of a value: `true`, or the time for which it may be unsaved.
  private func keeping(_ field: Field?) -> PanelDefinition.Value.Keeping? {
    guard let field else { return nil }
    switch field.node.content {
    case .map:
      guard let fields = problems.fields(field.node, Grammar.keep, at: field.position),
        let within = problems.duration(fields["within"], in: Self.keepTimes)
      else { return nil }
      if within > .zero, within < .seconds(1), let field = fields["within"] {
        problems.add(
          field.node.position,
          "\"within\" is \(Quantity.text(within)); it takes 0s to save each change immediately, or 1s...1440m")
        return nil
      }
      return .init(within: within, position: field.position)
    default: return problems.flag(field) == true ? .init(position: field.position) : nil
    }
  }

  /// A whole number of a value.
  private func whole(_ field: Field?, of name: String) -> Int? {
    if let field, case .scalar(let text) = field.node.content, Quantity.whole(text) == nil,
      let (number, decimals) = Quantity.decimal(text)
    {
      problems.add(
        field.node.position,
        "\(text) has decimals and \(quoted(name)) has none; write \(text.prefix { $0 != "." }), or count in "
          + Quantity.inParts(number, decimals: decimals))
      return nil
    }
    return problems.whole(field, in: Self.numbers)
  }

  private static let numbers = -999_999_999...999_999_999
  private static let longestValue = Duration.seconds(1_000_000 * 60)

  /// Whether the field's text is a duration: a number and a unit, whose last character is a letter.
  private func isDuration(_ field: Field?) -> Bool {
    guard case .scalar(let text) = field?.node.content, let last = text.utf8.last, last >= 0x41 else { return false }
    return (try? Quantity.duration(text)) != nil
  }

  /// A duration in whole milliseconds.
  private func milliseconds(_ field: Field?) -> Int? {
    guard let field, let duration = problems.duration(field, in: .zero...Self.longestValue) else { return nil }
    if let milliseconds = duration.wholeMilliseconds { return milliseconds }
    problems.add(
      field.node.position, "\(Quantity.text(duration)) is not a whole number of milliseconds; write 1ms or more")
    return nil
  }

  private func list(_ entry: YAMLNode.Entry, _ firstElement: Int, index: Int) -> PanelDefinition.Value? {
    guard let fields = problems.fields(entry.value, Grammar.list, at: entry.position),
      let capacity = problems.whole(fields["list"], in: 1...Self.longestList),
      let min = problems.whole(fields["min"], in: Self.numbers),
      let max = problems.whole(fields["max"], in: Self.numbers)
    else { return nil }
    guard min <= max else {
      let position = fields["min"]?.node.position ?? entry.position
      problems.add(position, "min \(min) of \(quoted(entry.key)) is above max \(max); swap them")
      return nil
    }
    return .init(
      name: entry.key, initial: 0, min: min, max: max,
      list: ListSlots(value: index, first: firstElement, capacity: capacity))
  }
}
