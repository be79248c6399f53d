import Terminal

/// Reads the assignments of a `set`.
struct AssignmentReader {
  let names: Names
  let problems: ProblemList
  let scope: ExpressionContext

  func read(_ field: Field?) -> [PanelDefinition.Assignment] {
    var assignments: [PanelDefinition.Assignment] = []
    for entry in problems.entries(field) {
      if let fault = fault(entry) {
        problems.add(entry.position, fault)
        continue
      }
      if let (value, name) = elementValue(entry) {
        if let change = elementChange(entry, of: value, name) {
          assignments.append(.init(value: value, change: change))
        }
        continue
      }
      let value = names.value(entry.key, at: entry.position, problems)
      if case .list(let items) = entry.value.content {
        if let value, let elements = elements(items, of: value, entry) {
          assignments.append(.init(value: value, change: .elements(elements)))
        }
        continue
      }
      guard case .scalar(let text) = entry.value.content else {
        if entry.value.content != .refused {
          let position = entry.value.content == .nothing ? entry.position : entry.value.position
          problems.add(
            position, "\(quoted(entry.key)) is set to \(entry.value.kind); write a number: 3, or +1 or -1 to change it")
        }
        continue
      }
      if let value, let change = change(of: value, to: text, entry.value) {
        assignments.append(.init(value: value, change: change))
      }
    }
    return assignments
  }

  /// The error if the key is an output, or is a whole assignment; nil for any other key.
  private func fault(_ entry: YAMLNode.Entry) -> String? {
    switch names.thing(entry.key) {
    case .output, .outputs: return "\(quoted(entry.key)) is an output; show it in a state: show: { \(entry.key): on }"
    case nil: break
    default: return nil
    }
    let tokens = Token.list(of: entry.key)
    guard tokens.count > 1, tokens[1].kind == .sign, case .value(let value) = names.thing(tokens[0].text) else {
      return nil
    }
    let name = tokens[0].text
    if tokens[1].text == "(" { return faultOfElement(entry, of: name, value) }
    return "\(quoted(entry.key)) has no colon; write \(name): 3, or \(name): +1 to change it"
  }

  /// The error for a number in parentheses after the name of a value: `n(1)`. Nil for a list with all of its elements.
  private func faultOfElement(_ entry: YAMLNode.Entry, of name: String, _ value: Int) -> String? {
    let text = if case .scalar(let text) = entry.value.content { text } else { "3" }
    guard let list = names.lists[value] else {
      let noun = names.unit(of: value).noun
      return "\(quoted(name)) is \(noun), not a list; write \(name): \(text)"
    }
    guard !list.isFilled else { return nil }
    let element = list.elements.contains(0) ? list.value.text(of: 0) : list.example
    return
      "\(quoted(name)) is empty at first and its elements are appended; to set them by number give it filled: \(element)"
  }

  // MARK: - Elements of lists

  /// The list of an assignment to an element, `minutes(zone)`; nil for any other assignment.
  private func elementValue(_ entry: YAMLNode.Entry) -> (value: Int, name: Token)? {
    let tokens = Token.list(of: entry.key)
    guard tokens.count > 1, tokens[1].text == "(", case .value(let value) = names.thing(tokens[0].text) else {
      return nil
    }
    return (value, tokens[0])
  }

  /// The change of an element: `minutes(zone): +5`.
  private func elementChange(_ entry: YAMLNode.Entry, of value: Int, _ name: Token) -> PanelDefinition.Change? {
    var reader = ExpressionReader(entry.key, of: entry.keyNode, key: "set", in: scope, names: names, problems: problems)
    guard let place = reader?.elementPlace(of: name), names.value(name.text, at: entry.position, problems) == value
    else { return nil }
    guard case .scalar(let text) = entry.value.content else {
      problems.add(
        entry.value.content == .nothing ? entry.position : entry.value.position,
        "\(quoted(entry.key)) is set to \(entry.value.kind); write a number: 3, or +1 or -1 to change it")
      return nil
    }
    return numberChange(of: value, named: entry.key, to: text, entry.value, element: place).map {
      .element(at: place, $0)
    }
  }

  /// The change by an assignment: `+1` and `-1` change the value, `append 1` adds to a list, `= -1` and anything else
  /// set the value.
  private func change(of value: Int, to text: String, _ node: YAMLNode) -> PanelDefinition.Change? {
    let name = names.values[value]
    if let list = names.lists[value] {
      let words = Token.list(of: text)
      if words.count > 1, words[0].text == "append", !list.isFilled {
        // Spaces replace the word, so that the positions of the tokens stay the same.
        let rest = String(repeating: " ", count: words[0].offset + 6) + text.dropFirst(words[0].offset + 6)
        return source(of: value, rest, node).map { .append($0) }
      }
      if words.count == 1, case .value(let other) = names.thing(words[0].text), let other = names.lists[other],
        !list.isFilled || other.isFilled && other.place.capacity == list.place.capacity
      {
        guard list.hasElements(like: other) else {
          problems.add(node.position, other.faultOfElements(unlike: list))
          return nil
        }
        return .elementsOf(other.place)
      }
      let places = (1...min(2, list.place.capacity)).map { "\(name)(\($0))" }.joined(separator: " or ")
      problems.add(
        node.position,
        list.isFilled
          ? "\(quoted(name)) has \(counted(list.place.capacity, "element")); write \(places)"
          : "\(quoted(name)) is a list; write append \(list.example), [ ], or [ \(list.example) ]"
      )
      return nil
    }
    return numberChange(of: value, named: name, to: text, node, element: nil)
  }

  /// The change of a number, or of an element of a list.
  private func numberChange(
    of value: Int, named name: String, to text: String, _ node: YAMLNode, element place: Number?
  ) -> PanelDefinition.Change? {
    if let fault = faultOfNegation(text, of: name) {
      problems.add(node.position, fault)
      return nil
    }
    let isChange = text.hasPrefix("+") || text.hasPrefix("-")
    // A space replaces the sign, so that the positions of the tokens stay the same.
    let expression = text.hasPrefix("+") || text.hasPrefix("=") ? " " + text.dropFirst() : text
    guard isChange else { return source(of: value, expression, node).map { .to($0) } }
    var reader = ExpressionReader(expression, of: node, key: "set", in: scope, names: names, problems: problems)
    return reader?.change(of: value, element: place)
  }

  /// The error for `not n` or `!n`, which are numbers in other languages; nil for any other text.
  private func faultOfNegation(_ text: String, of name: String) -> String? {
    let written = text.drop { $0 == " " }
    guard written.hasPrefix("not") || written.hasPrefix("!") else { return nil }
    let tokens = Token.list(of: text)
    guard tokens.count == 2, tokens[1].kind == .name, ["not", "!"].contains(tokens[0].text),
      names.thing(tokens[0].text) == nil
    else { return nil }
    return "\(quoted(tokens[0].text)) \(tokens[0].text == "not" ? "is only for conditions" : "is not an operator"); "
      + "to switch between 0 and 1 write \(name): 1 - \(tokens[1].text)"
  }

  /// The source of the number that a value is set to, or that is added to a list.
  private func source(of value: Int, _ text: String, _ node: YAMLNode) -> PanelDefinition.Source? {
    var reader = ExpressionReader(text, of: node, key: "set", in: scope, names: names, problems: problems)
    if reader?.startsDraw == true { return reader?.draw(for: value).map { .draw($0) } }
    return reader?.number(for: value).map { .number($0) }
  }

  /// The elements of an assignment to a list.
  private func elements(_ items: [YAMLNode], of value: Int, _ entry: YAMLNode.Entry) -> [Int]? {
    guard let list = names.lists[value] else {
      problems.add(
        entry.value.position, "\(quoted(entry.key)) is set to a list; write a number: 3, or +1 or -1 to change it")
      return nil
    }
    return problems.elements(items, of: list, at: entry.value.position)
  }
}

extension ProblemList {
  /// The elements in a list of the file; nil if one of them is wrong.
  func elements(_ items: [YAMLNode], of list: DeclaredList, at position: Position) -> [Int]? {
    let name = quoted(list.value.name)
    let needed = list.isFilled ? list.place.capacity : 0
    guard (needed...list.place.capacity).contains(items.count) else {
      add(
        position,
        "the list has \(counted(items.count, "element")); \(name) has \(list.isFilled ? "" : "at most ")\(list.place.capacity)"
      )
      return nil
    }
    var elements: [Int] = []
    for item in items {
      guard case .scalar(let text) = item.content, let element = list.element(text) else {
        add(item.position, "\(item.kind) is not an element of \(name); write \(list.rangeText)")
        return nil
      }
      elements.append(element)
    }
    return elements
  }

  /// A duration in whole milliseconds.
  func wholeMilliseconds(
    _ text: String, of subject: String, in range: ClosedRange<Duration>, at position: Position
  ) -> Int? {
    guard let duration = duration(text, of: subject, in: range, at: position) else { return nil }
    if let milliseconds = duration.wholeMilliseconds { return milliseconds }
    add(position, "\(Quantity.text(duration)) is not a whole number of milliseconds; write 1ms or more")
    return nil
  }
}
