@testable import PanelLanguage

/// Validates a value by a JSON Schema, as far as the schemas of this package go.
struct SchemaValidator {
  let root: JSON

  /// What is wrong with a value, each with its place; a keyword that is not known here is wrong, too.
  func faults(of value: JSON) throws -> [String] { try faults(of: value, by: root, at: "") }

  private func faults(of value: JSON, by schema: JSON, at place: String) throws -> [String] {
    guard case .object(let keywords) = schema else { return ["\(place): no schema"] }
    if let reference = schema["$ref"] {
      guard case .text(let path) = reference, path.hasPrefix("#/definitions/"),
        let definition = root["definitions"]?[String(path.dropFirst("#/definitions/".count))]
      else { return ["\(place): nothing at \(reference.line)"] }
      return try faults(of: value, by: definition, at: place)
    }
    return try keywords.flatMap { keyword in
      try faults(of: value, keyword.name, keyword.value, by: schema, at: place)
    }
  }

  private func faults(
    of value: JSON, _ keyword: String, _ argument: JSON, by schema: JSON, at place: String
  ) throws -> [String] {
    func fault(unless isGood: Bool) -> [String] { isGood ? [] : ["\(place): \(value.line) against \(keyword)"] }
    switch (keyword, argument, value) {
    case ("$schema", _, _), ("title", _, _), ("description", _, _), ("definitions", _, _): return []
    case ("type", .text(let type), _): return fault(unless: value.types.contains(type))
    case ("type", .list(let types), _): return fault(unless: types.contains { value.types.contains($0.string ?? "") })
    case ("enum", .list(let choices), _): return fault(unless: choices.contains(value))
    case ("anyOf", .list(let schemas), _):
      return fault(unless: try schemas.contains { try faults(of: value, by: $0, at: place).isEmpty })
    case ("pattern", .text(let pattern), .text(let text)):
      return fault(unless: try text.firstMatch(of: Regex(pattern)) != nil)
    case ("minimum", _, _): return fault(unless: value.double.map { $0 >= argument.double ?? .infinity } ?? true)
    case ("maximum", _, _): return fault(unless: value.double.map { $0 <= argument.double ?? -.infinity } ?? true)
    case ("minItems", .number(let count), .list(let items)): return fault(unless: items.count >= count)
    case ("maxItems", .number(let count), .list(let items)): return fault(unless: items.count <= count)
    case ("items", _, .list(let items)):
      return try items.enumerated().flatMap { try faults(of: $1, by: argument, at: "\(place)/\($0)") }
    case ("required", .list(let names), .object):
      return fault(unless: names.allSatisfy { value[$0.string ?? ""] != nil })
    case ("minProperties", .number(let count), .object(let members)): return fault(unless: members.count >= count)
    case ("maxProperties", .number(let count), .object(let members)): return fault(unless: members.count <= count)
    case ("properties", _, .object), ("patternProperties", _, .object): return []
    case ("additionalProperties", .flag(false), .object(let members)):
      // Together with the two before it: each member has a schema, or is one too many.
      return try members.flatMap { member in
        let schemas = try schemas(of: member.name, in: schema)
        guard !schemas.isEmpty else { return ["\(place): \(member.name) is one too many"] }
        return try schemas.flatMap { try faults(of: member.value, by: $0, at: "\(place)/\(member.name)") }
      }
    case ("pattern", .text, _), ("minItems", .number, _), ("maxItems", .number, _), ("items", .object, _),
      ("required", .list, _), ("minProperties", .number, _), ("maxProperties", .number, _), ("properties", .object, _),
      ("patternProperties", .object, _), ("additionalProperties", .flag(false), _):
      return []
    default: return ["\(place): unknown keyword \(keyword) \(argument.line)"]
    }
  }

  private func schemas(of name: String, in schema: JSON) throws -> [JSON] {
    let own = schema["properties"]?[name].map { [$0] } ?? []
    guard case .object(let patterns)? = schema["patternProperties"] else { return own }
    return try own + patterns.filter { try name.firstMatch(of: Regex($0.name)) != nil }.map(\.value)
  }
}

extension JSON {
  /// The content of a YAML file; nil if it can't be read.
  init?(yaml text: String) { self.init(yaml: Array(text.utf8)) }

  init?(yaml content: [UInt8]) {
    let problems = ProblemList()
    guard let text = TextFile.text(content, what: "a file", problems: problems),
      let root = YAMLTree.read(text, what: "a file", problems: problems), problems.count == 0
    else { return nil }
    self.init(root)
  }

  /// A node of a YAML file as YAML 1.2 reads it by its core schema.
  init(_ node: YAMLNode) {
    switch node.content {
    case .nothing, .refused: self = .null
    case .list(let items): self = .list(items.map { JSON($0) })
    case .map(let entries): self = .object(entries.map { .init(name: $0.key, value: JSON($0.value)) })
    case .scalar(let text):
      if let whole = Int(text) {
        self = .number(whole)
      } else if text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)/) != nil, let decimal = Double(text) {
        self = .decimal(decimal)
      } else {
        self =
          switch text {
          case "true": .flag(true)
          case "false": .flag(false)
          case "null", "~": .null
          default: .text(text)
          }
      }
    }
  }

  subscript(name: String) -> JSON? {
    if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }

  fileprivate var string: String? { if case .text(let text) = self { text } else { nil } }

  fileprivate var double: Double? {
    switch self {
    case .number(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .decimal(let number): number
    case .fixed(let number, let decimals): Double(number) / Double(Quantity.powerOfTen(decimals))
    default: nil
    }
  }

  fileprivate var types: [String] {
    switch self {
    case .null: ["null"]
    case .flag: ["boolean"]
    case .number, .unsigned: ["integer", "number"]
    case .decimal, .fixed: ["number"]
    case .text: ["string"]
    case .list: ["array"]
    case .object: ["object"]
    }
  }
}
