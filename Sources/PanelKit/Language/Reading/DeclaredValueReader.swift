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
    guard let type = numberType(of: entry.key, fields, ["initial", "min", "max"]) else { return nil }
    let initial = number(fields["initial"], of: entry.key, type)
    guard let (min, max) = range(of: entry, fields, type), let initial else { return nil }
    if !(min...max).contains(initial) {
      let position = fields["initial"]?.node.position ?? entry.position
      problems.add(
        position,
        "initial \(type.text(of: initial)) of \(quoted(entry.key)) is out of its range; "
          + "write \(type.text(of: min))...\(type.text(of: max))")
    }
    return .init(
      name: entry.key, isDuration: type.isDuration, decimals: type.decimals,
      unit: fields["unit"].flatMap { problems.text($0) } ?? "", initial: initial, min: min, max: max,
      kept: keeping(fields["keep"]))
  }

  // MARK: - Numbers

  /// Whether the numbers of a value are durations, or how many decimals they have.
  private struct NumberType {
    var isDuration = false
    var decimals = 0

    func text(of number: Int) -> String {
      isDuration ? Quantity.text(.milliseconds(number)) : Quantity.text(number, decimals: decimals)
    }
  }

  /// The type of a value's numbers, by the texts at these keys. Adds a problem and returns nil if the decimals are wrong.
  private func numberType(of name: String, _ fields: Fields, _ keys: [String]) -> NumberType? {
    if keys.contains(where: { isDuration(fields[$0]) }) {
      if let field = fields["decimals"] ?? fields["unit"] {
        problems.add(field.position, "\(quoted(name)) is a duration, which has no \(field.key.name); leave it out")
        return nil
      }
      return NumberType(isDuration: true)
    }
    guard fields["decimals"] != nil else { return NumberType() }
    return problems.whole(fields["decimals"], in: 0...Quantity.mostDecimals).map { NumberType(decimals: $0) }
  }

  /// The range of a value's numbers. Adds a problem and returns nil if an end is wrong, or if they are swapped.
  private func range(of entry: YAMLNode.Entry, _ fields: Fields, _ type: NumberType) -> (min: Int, max: Int)? {
    guard let min = number(fields["min"], of: entry.key, type), let max = number(fields["max"], of: entry.key, type)
    else { return nil }
    guard min <= max else {
      let position = fields["min"]?.node.position ?? entry.position
      problems.add(
        position, "min \(type.text(of: min)) of \(quoted(entry.key)) is above max \(type.text(of: max)); swap them")
      return nil
    }
    return (min, max)
  }

  private func number(_ field: Field?, of name: String, _ type: NumberType) -> Int? {
    type.isDuration ? milliseconds(field) : number(field, of: name, type.decimals)
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

  // MARK: - Lists

  private func list(_ entry: YAMLNode.Entry, _ firstElement: Int, index: Int) -> PanelDefinition.Value? {
    guard let fields = problems.fields(entry.value, Grammar.list, at: entry.position),
      let capacity = problems.whole(fields["list"], in: 1...Self.longestList),
      let type = numberType(of: entry.key, fields, ["min", "max"]), let (min, max) = range(of: entry, fields, type)
    else { return nil }
    var value = PanelDefinition.Value(
      name: entry.key, isDuration: type.isDuration, decimals: type.decimals, initial: 0, min: min, max: max,
      list: ListSlots(value: index, first: firstElement, capacity: capacity), kept: keeping(fields["keep"]))
    guard let field = fields["filled"] else { return value }
    guard let filled = filled(field, of: entry.key, capacity, type) else { return nil }
    if let number = filled.first(where: { !(min...max).contains($0) }) {
      problems.add(
        field.node.position,
        "filled \(type.text(of: number)) of \(quoted(entry.key)) is out of its range; "
          + "write \(type.text(of: min))...\(type.text(of: max))")
    }
    (value.filled, value.initial) = (filled, capacity)
    return value
  }

  /// The elements of a list at the start: one number for all of them, or a number for each.
  private func filled(_ field: Field, of name: String, _ capacity: Int, _ type: NumberType) -> [Int]? {
    guard case .list(let items) = field.node.content else {
      return number(field, of: name, type).map { [Int](repeating: $0, count: capacity) }
    }
    guard items.count == capacity else {
      problems.add(
        field.node.position,
        "\"filled\" has \(counted(items.count, "element")); \(quoted(name)) has \(capacity), write all of them or one number"
      )
      return nil
    }
    let elements = items.map { number(Field(key: field.key, position: $0.position, node: $0), of: name, type) }
    return elements.contains(nil) ? nil : elements.compactMap(\.self)
  }
}
