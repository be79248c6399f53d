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
    if case .map(let entries) = entry.value.content, let initial = entries.first(where: { $0.key == "initial" }),
      case .scalar(let text) = initial.value.content,
      ClockReader.minutes(text) != nil || ClockReader.timeMeant(by: text) != nil
    {
      return time(entry)
    }
    guard let fields = problems.fields(entry.value, Grammar.value, at: entry.position) else { return nil }
    let isDuration = ["initial", "min", "max"].contains { self.isDuration(fields[$0]) }
    if isDuration, let field = fields["decimals"] ?? fields["unit"] {
      problems.add(
        field.position, "\(quoted(entry.key)) is a duration, which has no \(field.key.name); leave it out")
      return nil
    }
    let decimals = fields["decimals"] == nil ? 0 : problems.whole(fields["decimals"], in: 0...Quantity.mostDecimals)
    guard let decimals else { return nil }
    let read = { (key: String) in
      isDuration ? milliseconds(fields[key]) : number(fields[key], of: entry.key, decimals)
    }
    let text = { (number: Int) in
      isDuration ? Quantity.text(.milliseconds(number)) : Quantity.text(number, decimals: decimals)
    }
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
      name: entry.key, isDuration: isDuration, decimals: decimals,
      unit: fields["unit"].flatMap { problems.text($0) } ?? "", initial: initial, min: min, max: max,
      kept: keeping(fields["keep"]))
  }

  /// A time of day, which goes round at midnight.
  private func time(_ entry: YAMLNode.Entry) -> PanelDefinition.Value? {
    guard let fields = problems.fields(entry.value, Grammar.time, at: entry.position),
      let field = fields["initial"], let text = problems.text(field)
    else { return nil }
    guard let minutes = ClockReader.minutes(text) else {
      let right = ClockReader.timeMeant(by: text) ?? "06:30"
      problems.add(field.node.position, "\(quoted(text)) is not a time of day; write \"\(right)\"")
      return nil
    }
    return .init(
      name: entry.key, isTime: true, initial: minutes, min: 0, max: 1439, kept: keeping(fields["keep"]))
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
          "\"within\" is \(Quantity.text(within)); it takes 0s to save each change immediately, or 1s...24h")
        return nil
      }
      return .init(within: within, position: field.position)
    default: return problems.flag(field) == true ? .init(position: field.position) : nil
    }
  }

  /// A number of a value, multiplied by 10 ^ `decimals`.
  private func number(_ field: Field?, of name: String, _ decimals: Int) -> Int? {
    guard let field, case .scalar(let text) = field.node.content, let (number, own) = Quantity.decimal(text), own > 0
    else { return problems.whole(field, in: Self.numbers).map { $0 * Quantity.powerOfTen(decimals) } }
    if own <= decimals { return number * Quantity.powerOfTen(decimals - own) }
    problems.add(
      field.node.position,
      decimals == 0
        ? Quantity.faultOfDecimals(text, besides: quoted(name), canHaveThem: true)
        : "\(quoted(field.key.name)) is \(text), which has more than \(counted(decimals, "decimal")); "
          + (own <= Quantity.mostDecimals
            ? "give \(quoted(name)) decimals: \(own)" : "write \(Quantity.cut(text, to: decimals))"))
    return nil
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
    let filled = fields["filled"] == nil ? nil : problems.whole(fields["filled"], in: Self.numbers)
    guard fields["filled"] == nil || filled != nil else { return nil }
    if let filled, !(min...max).contains(filled), let field = fields["filled"] {
      problems.add(
        field.node.position, "filled \(filled) of \(quoted(entry.key)) is out of its range; write \(min)...\(max)")
    }
    return .init(
      name: entry.key, initial: filled == nil ? 0 : capacity, min: min, max: max,
      list: ListSlots(value: index, first: firstElement, capacity: capacity), filled: filled,
      kept: keeping(fields["keep"]))
  }
}
