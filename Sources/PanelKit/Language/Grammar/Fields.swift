import CycleCore
import Terminal

/// A key in a file and its value.
package struct Field {
  package var key: Key
  /// The position of the key.
  package var position: Position
  package var node: YAMLNode
  /// Whether the value is an element of the key's list or map.
  var isElement = false

  package init(key: Key, position: Position, node: YAMLNode) {
    (self.key, self.position, self.node) = (key, position, node)
  }
}

/// The fields of a map with fixed keys.
package struct Fields {
  /// The position of the key whose value the map is. Problems about missing keys refer to it.
  var position: Position
  fileprivate let place: FieldSet
  /// The keys that the map has, by their places in the grammar. A map has few keys and a file thousands of maps, so
  /// this is not a dictionary.
  fileprivate var found: [(key: Int, position: Position, node: YAMLNode)] = []
  /// The keys that misspelt ones probably stand for.
  fileprivate var meant: [String] = []
  private var isElement = false

  fileprivate init(position: Position, place: FieldSet) { (self.position, self.place) = (position, place) }

  /// An element of the list or the map at a key: a map with this key alone, whose value is the element.
  init(element: YAMLNode, of field: Field, shape: Shape) {
    var key = field.key
    key.shape = shape
    self.init(position: field.position, place: FieldSet(name: key.name, keys: [key]))
    found = [(0, element.position, element)]
    isElement = true
  }

  package subscript(name: String) -> Field? { found.first { place.keys[$0.key].name == name }.map(field) }

  /// All fields in the order of the file.
  package var all: [Field] { found.map(field) }

  private func field(_ found: (key: Int, position: Position, node: YAMLNode)) -> Field {
    var field = Field(key: place.keys[found.key], position: found.position, node: found.node)
    field.isElement = isElement
    return field
  }

  /// Whether the map has neither the key nor a misspelt key that probably stands for it.
  package func isMissing(_ name: String) -> Bool {
    !found.contains { place.keys[$0.key].name == name } && !meant.contains(name)
  }
}

/// Readers of values. Each returns nil if the key is missing or its value is wrong. A wrong value adds a problem.
extension ProblemList {
  /// Reads the fields of a map. Unknown and missing keys add problems.
  ///
  /// - Parameter advice: returns the advice for an unknown key; nil for the default advice, a similar name or all
  ///   names.
  package func fields(
    _ node: YAMLNode, _ place: FieldSet, at position: Position, advice: (YAMLNode.Entry) -> String? = { _ in nil }
  ) -> Fields? {
    var result = Fields(position: position, place: place)
    switch node.content {
    case .map(let entries):
      for entry in entries {
        if let key = place.keys.firstIndex(where: { $0.name == entry.key }) {
          result.found.append((key, entry.position, entry.value))
        } else {
          let known = place.keys.map(\.name)
          let meant = place.keyMeant(by: entry.key)
          let suggestion =
            advice(entry) ?? meant.map { "write \($0):" }
            ?? suggestion(for: entry.key, among: known, called: "keys of \(place.name)")
          if let meant = meant ?? nearest(to: entry.key, among: known) { result.meant.append(meant) }
          add(entry.position, "unknown key \(quoted(entry.key)); \(suggestion)")
        }
      }
    case .nothing: break
    case .refused: return nil
    case .scalar, .list:
      let keys = listed(place.keys.map(\.name))
      let noun = place.keys.count == 1 ? "key" : "keys"
      add(node.position, "\(place.name) can't be \(node.kind); write a map with the \(noun) \(keys)")
      return nil
    }
    for key in place.keys where key.isRequired && result.isMissing(key.name) {
      addMissing(key, of: place, at: position)
    }
    return result
  }

  package func addMissing(_ key: Key, of place: FieldSet, at position: Position) {
    add(position, "missing key \(quoted(key.name)) of \(place.name); it takes \(key.takes)")
  }

  package func addWrong(_ field: Field) {
    switch field.node.content {
    case .refused: break
    case _ where field.isElement: addWrong(element: field.node, of: field)
    case .nothing: add(field.position, "\(quoted(field.key.name)) has no value; it takes \(field.key.takes)")
    default: add(field.node.position, "\(quoted(field.key.name)) is \(field.node.kind); it takes \(field.key.takes)")
    }
  }

  private func addWrong(element: YAMLNode, of field: Field) {
    add(element.position, "\(quoted(field.key.name)) can't contain \(element.kind); it takes \(field.key.takes)")
  }

  package func text(_ field: Field?) -> String? {
    guard let field else { return nil }
    if case .scalar(let text) = field.node.content, !text.isEmpty { return text }
    addWrong(field)
    return nil
  }

  package func duration(_ field: Field?, in range: ClosedRange<Duration>) -> Duration? {
    guard let field, let text = text(field) else { return nil }
    return duration(text, of: field.key.name, in: range, at: field.node.position)
  }

  func duration(
    _ text: String, of subject: String, in range: ClosedRange<Duration>, at position: Position
  ) -> Duration? {
    do throws(Quantity.Fault) {
      let duration = try Quantity.duration(text)
      if range.contains(duration) { return duration }
      let bounds = "\(Quantity.text(range.lowerBound))...\(Quantity.text(range.upperBound))"
      add(position, "\(quoted(subject)) is \(Quantity.text(duration)); it takes \(bounds)")
    } catch {
      add(position, error.text)
    }
    return nil
  }

  /// Two durations with `..` between them.
  func durations(_ field: Field, in range: ClosedRange<Duration>) -> ClosedRange<Duration>? {
    guard let ends = ends(field) else { return nil }
    let durations = ends.compactMap { duration($0, of: field.key.name, in: range, at: field.node.position) }
    guard durations.count == 2 else { return nil }
    return ordered(durations, ends, field)
  }

  /// Two numbers with `..` between them.
  func numbers(_ field: Field, in range: ClosedRange<Double>) -> ClosedRange<Double>? {
    guard let ends = ends(field) else { return nil }
    let numbers = ends.compactMap { Quantity.number($0) }.filter(range.contains)
    guard numbers.count == 2 else {
      addWrong(field)
      return nil
    }
    return ordered(numbers, ends, field)
  }

  private func ends(_ field: Field) -> [String]? {
    guard let text = text(field) else { return nil }
    let ends = text.parts(between: "..", atMost: 2).map(String.init)
    if ends.count == 2 { return ends }
    addWrong(field)
    return nil
  }

  private func ordered<Bound: Comparable>(_ bounds: [Bound], _ ends: [String], _ field: Field) -> ClosedRange<Bound>? {
    if bounds[0] < bounds[1] { return bounds[0]...bounds[1] }
    add(
      field.node.position,
      bounds[0] == bounds[1]
        ? "\(quoted(field.key.name)) has the same end twice; write two different ones"
        : "\(ends[0])..\(ends[1]) is in the wrong order; write \(ends[1])..\(ends[0])")
    return nil
  }

  /// A frequency in hertz.
  package func frequency(_ field: Field?, in range: ClosedRange<Double>) -> Double? {
    guard let field, let text = text(field) else { return nil }
    do throws(Quantity.Fault) {
      let hertz = try Quantity.frequency(text)
      if range.contains(hertz) { return hertz }
      addWrong(field)
    } catch {
      add(field.node.position, error.text)
    }
    return nil
  }

  package func number(_ field: Field?, in range: ClosedRange<Double>) -> Double? {
    guard let field, let text = text(field) else { return nil }
    if let number = Quantity.number(text), range.contains(number) { return number }
    addWrong(field)
    return nil
  }

  package func whole(_ field: Field?, in range: ClosedRange<Int>) -> Int? {
    guard let field, let text = text(field) else { return nil }
    let number = Quantity.whole(text)
    if let number, range.contains(number) { return number }
    if let number, !field.isElement, !["...", ", "].contains(where: { field.key.takes.contains(text: $0) }) {
      // The words of the key have neither its bounds nor its choices.
      let bounds = "\(range.lowerBound)...\(range.upperBound)"
      add(field.node.position, "\(quoted(field.key.name)) is \(number); it takes \(field.key.takes), in \(bounds)")
    } else {
      addWrong(field)
    }
    return nil
  }

  func choice<Choice: RawRepresentable<String>>(_ field: Field?) -> Choice? {
    guard let field, let text = text(field) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    addWrong(field)
    return nil
  }

  package func flag(_ field: Field?) -> Bool? {
    guard let field, let text = text(field) else { return nil }
    switch text {
    case "true": return true
    case "false": return false
    default:
      addWrong(field)
      return nil
    }
  }

  /// Reads the entries of a map whose keys are names; returns none for an empty value.
  package func entries(_ field: Field?) -> [YAMLNode.Entry] {
    switch field?.node.content {
    case .map(let entries): return entries
    case nil, .nothing, .refused: return []
    case .scalar, .list:
      if let field { addWrong(field) }
      return []
    }
  }

  package func items(_ field: Field?) -> [YAMLNode]? {
    guard let field else { return nil }
    if case .list(let items) = field.node.content { return items }
    addWrong(field)
    return nil
  }

  /// Reads the text of one item of the list in `field`.
  package func text(_ item: YAMLNode, in field: Field) -> String? {
    switch item.content {
    case .scalar(let text) where !text.isEmpty: return text
    case .refused: return nil
    default:
      addWrong(element: item, of: field)
      return nil
    }
  }
}
